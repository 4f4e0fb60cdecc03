"""Measures of the texts of a file that another version of hcat wrote, computed once and stored next to the file.

`measures/<SHA-256 of the run's file>/<version>.parquet`. It is deleted with the run's file, may be deleted at any time,
and is measured again where it is lost or damaged.
"""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import pyarrow as pa
import pyarrow.parquet as pq

from hcat.core.errors import HcatError
from hcat.core.records.parquet import read_table
from hcat.core.records.samples.likely_trials import LikelyTrialsFinder
from hcat.core.slices.sample_columns import MEASURES_VERSION
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.sample_rows import MEASURED, measured_schema, values_of
from hcat.core.storage.sample_writer import LIKELY_TRIALS, likely_json
from hcat.core.types import Sample

KIND = "measures"
MOST_FILES = 1
"""Largest number of files of one run: that of an earlier version is deleted."""
BATCH = 2_048
LIKELY = LIKELY_TRIALS.encode()


@dataclass(frozen=True, eq=False)
class MeasuredFile:
    """The measured columns of one run's file; `samples` reads all of it."""

    artifacts: ArtifactStore
    artifact: str
    samples: Callable[[], Iterator[Sample]]

    def column(self, name: str) -> pa.ChunkedArray:
        """One of MEASURED."""
        return read_table(io.BytesIO(self._content), columns=[name])[name]

    @property
    def likely_trials(self) -> str:
        """Likely trials as the file would state them, in JSON."""
        metadata = pq.read_metadata(io.BytesIO(self._content)).metadata
        return bytes(metadata[LIKELY]).decode()

    @cached_property
    def _content(self) -> bytes:
        name = f"v{MEASURES_VERSION}"
        kept = self._kept(name)
        if kept is not None:
            return kept
        content = _measured(self.samples())
        try:
            self.artifacts.put_beside(KIND, self.artifact, name, content, most=MOST_FILES)
        except (OSError, HcatError) as error:
            logging.getLogger(__name__).warning("what was measured is not kept: %s", error)
        return content

    def _kept(self, name: str) -> bytes | None:
        try:
            content = self.artifacts.beside(KIND, self.artifact, name)
        except (OSError, HcatError) as error:
            logging.getLogger(__name__).warning("texts are measured again: %s", error)
            return None
        return content if is_whole(content) else None


def is_whole(content: bytes | None) -> bool:
    """Whether a file is one that was written here, undamaged."""
    if content is None:
        return False
    try:
        with pq.ParquetFile(io.BytesIO(content), pre_buffer=False, page_checksum_verification=True) as file:
            return file.read(use_threads=False).column_names == list(MEASURED) and LIKELY in file.metadata.metadata
    except (pa.ArrowException, OSError, ValueError):
        return False


def _measured(samples: Iterator[Sample]) -> bytes:
    """The measured columns as a Parquet file. Only one group of rows is in memory at a time, in addition to the
    result."""
    buffer, finder, columns = io.BytesIO(), LikelyTrialsFinder(), measured_schema()
    with pq.ParquetWriter(buffer, columns, compression="zstd", write_page_checksum=True) as writer:
        while batch := list(islice(samples, BATCH)):
            for sample in batch:
                finder.add(sample)
            arrays = [pa.array(values_of(field.name, batch), field.type) for field in columns]
            writer.write_table(pa.table(arrays, schema=columns))
        writer.add_key_value_metadata({LIKELY_TRIALS: json.dumps(likely_json(finder.found()))})
    return buffer.getvalue()
