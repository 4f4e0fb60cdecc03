"""How much of a file hcat accepts."""

from __future__ import annotations

from dataclasses import dataclass

BYTES_PER_MB = 1_000_000
LIST_FACTOR = 10
"""A text cell that spells out a list may hold this many cells' worth of characters; each item then counts alone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a file. `max_file_mb` counts what a Parquet file unpacks to, not only its size on disk.

    A small file can hold much: `max_items` bounds one list, such as the contexts of a sample, and `max_values` the
    cells and items of the whole file, each of which takes some 150 bytes once it is read.
    """

    max_file_mb: float = 200
    max_rows: int = 200_000
    max_cell_characters: int = 200_000
    max_depth: int = 32
    max_columns: int = 2_000
    max_items: int = 1_000
    max_values: int = 5_000_000

    @property
    def max_bytes(self) -> int:
        return int(self.max_file_mb * BYTES_PER_MB)

    @classmethod
    def from_settings(cls) -> Limits:
        """The limits that this process is set to (`HCAT_MAX_FILE_MB`, `HCAT_MAX_ROWS`, `HCAT_MAX_CELL_CHARACTERS`)."""
        from core.settings import settings  # the process that parses files is told its limits, and starts without

        current = settings()
        return cls(current.max_file_mb, current.max_rows, current.max_cell_characters)
