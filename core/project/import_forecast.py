"""Forecast of the time, memory and disk space that an import needs, extrapolated from the first rows of the file."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hcat.core.importers.reading.row_stream import FirstRows, RowStream
from hcat.core.importers.reading.table import Row, Unreadable
from hcat.core.importers.streamed import read_stream
from hcat.core.jobs.forecast import Forecast
from hcat.core.project.open_store import OpenStore
from hcat.core.storage.sample_files import KIND
from hcat.core.storage.sample_texts import PlainTexts
from hcat.core.storage.sample_writer import FIRST_ROWS, write_samples

MEASURED_ROWS = 2_000
BYTES_A_ROW = 800
"""Bytes per row that stay in memory until all rows are stored: its id and trial, and measures of its texts."""
COPIES = 10
"""Ratio of the memory that rows occupy while they are written to their size on disk."""


def import_forecast(
    stream: RowStream,
    store: OpenStore,
    *,
    format: str | None = None,  # noqa: A002  the word of the interface
    mapping: Mapping[str, str] | None = None,
    copied: float = 0.0,
) -> Forecast:
    """Time, memory and disk space to import the file into the store; `copied` are the bytes of it that are copied to
    the disk meanwhile. FileFormatError where its first rows show that it can't be imported."""
    first = stream.first(MEASURED_ROWS)
    with tempfile.TemporaryFile() as kept:
        started = time.process_time()
        read = read_stream(_Head(stream.path, stream.kind, stream.limits, first), format, mapping or {}, kept)
        sink = io.BytesIO()
        write_samples(read.samples(), sink, PlainTexts())
        seconds = time.process_time() - started
        kept_bytes, times = kept.seek(0, 2), first.of / max(len(first.rows), 1)
    buffered = min(FIRST_ROWS, first.of) * COPIES * kept_bytes / max(len(first.rows), 1)
    disk = {Path(tempfile.gettempdir()): kept_bytes * times + copied}
    if "://" not in store.artifacts.root:
        folder = Path(store.artifacts.folder(KIND))
        disk[folder] = disk.get(folder, 0.0) + len(sink.getbuffer()) * times
    return Forecast(first.of, seconds * times, buffered + BYTES_A_ROW * first.of, disk)


@dataclass(frozen=True, slots=True)
class _Head(RowStream):
    """A file of which only the first rows are there."""

    head: FirstRows

    def rows(self, left_out: Collection[str] = ()) -> Iterator[Row | Unreadable]:  # noqa: ARG002 - they were read
        return iter(self.head.rows)
