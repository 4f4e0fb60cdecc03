"""Limits of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from hcat.core.errors import LimitError
from hcat.core.records.file_limits import MOST_VALUES

T = TypeVar("T")
BYTES_PER_MB = 1_000_000
VALUES_PER_MB = 25_000
"""The additional values per MB: raising HCAT_MAX_FILE_MB gives a file more memory, so it may have more values."""
LIST_FACTOR = 10
"""A text cell that contains a list may have this many cells' worth of characters; each item is then counted
separately."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a file. `max_file_mb` is for the unpacked content of a Parquet file, not only its size on disk.

    A small file can expand to much more: `max_items` bounds one list, such as the contexts of a sample, and
    `max_values` the cells and items of the whole file, each of which takes about 150 bytes in memory. `max_seconds`
    bounds each of the few passes over its rows."""

    max_file_mb: float = 200
    max_rows: int = 200_000
    max_cell_characters: int = 200_000
    max_depth: int = 32
    max_columns: int = 2_000
    max_items: int = 1_000
    max_values: int = MOST_VALUES
    max_seconds: float = 300

    @property
    def max_bytes(self) -> int:
        return int(self.max_file_mb * BYTES_PER_MB)

    @classmethod
    def from_settings(cls) -> Limits:
        """The limits set for this process (`HCAT_MAX_FILE_MB`, `HCAT_MAX_ROWS`, `HCAT_MAX_CELL_CHARACTERS`)."""
        from hcat.core.settings import settings  # the process that parses files is told its limits, and starts without

        current = settings()
        values = max(MOST_VALUES, int(VALUES_PER_MB * current.max_file_mb))
        return cls(current.max_file_mb, current.max_rows, current.max_cell_characters, max_values=values)

    def in_time(self, rows: Iterable[T]) -> Iterator[T]:
        """The rows one by one. LimitError if those before took too long."""
        ends = monotonic() + self.max_seconds
        for row in rows:
            if monotonic() > ends:
                raise LimitError(f"it takes more than {self.max_seconds:g} seconds to read: split the file")
            yield row
