"""Opens places for files of the store: a path, a bucket of an S3-compatible object store, or any fsspec URL.

Buckets are accessed by Arrow, which is installed anyway: fsspec's own way to them would replace packages that others
need. Keys and region are read from where Amazon's tools look (`AWS_ACCESS_KEY_ID`, `~/.aws`, a machine's role), the
address of any other store from `AWS_ENDPOINT_URL`. Source: https://arrow.apache.org/docs/python/filesystems.html"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError, MissingExtraError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_BUCKETS = ("s3://", "s3a://")
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")


def open_store(url: str) -> tuple[AbstractFileSystem, str]:
    """The filesystem of a path or URL, and its path there.

    MissingExtraError if a package is missing, HcatError for a URL with keys in it."""
    import fsspec

    try:
        if not url.startswith(_BUCKETS):
            filesystem, path = fsspec.core.url_to_fs(url)
            return filesystem, str(path)
        path = url.partition("://")[2]
        if "@" in path.partition("/")[0]:
            raise HcatError("HCAT_ARTIFACTS holds keys: state them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), None)
        return _buckets(endpoint, os.getpid()), path
    except (ImportError, ValueError) as error:
        kind = url.partition("://")[0] if "://" in url else "file"
        raise MissingExtraError(f"HCAT_ARTIFACTS names a place at {kind}:// that can't be opened: {error}") from error


@cache
def _buckets(endpoint: str | None, process: int) -> AbstractFileSystem:  # noqa: ARG001  connections are not inherited
    from hcat.core.records.stores.buckets import Buckets

    return Buckets(endpoint)
