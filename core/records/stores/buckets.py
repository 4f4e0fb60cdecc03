"""Buckets of an S3-compatible object store as fsspec filesystems, by way of Arrow's own.

Source: https://arrow.apache.org/docs/python/generated/pyarrow.fs.S3FileSystem.html"""

from __future__ import annotations

import os

from fsspec.implementations.arrow import ArrowFSWrapper
from pyarrow.fs import S3FileSystem


class Buckets(ArrowFSWrapper):  # type: ignore[misc]  # the library states no types
    """The object store at this address, by default Amazon's. A forked process needs its own.

    An object is complete or absent. A deleted or moved object leaves its folder's name behind, as an object of no
    bytes."""

    cachable = False

    def __init__(self, endpoint: str | None) -> None:
        if endpoint is not None:
            # Amazon's library would query the metadata server of Amazon's machines, and wait for an answer
            os.environ.setdefault("AWS_EC2_METADATA_DISABLED", "true")
        super().__init__(S3FileSystem(endpoint_override=endpoint, allow_delayed_open=True))

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """Does nothing: objects need no folder."""
