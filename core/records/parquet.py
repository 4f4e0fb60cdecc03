"""Reading Parquet in the calling thread alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa


def read_table(source: BinaryIO | Path, *, columns: Sequence[str] | None = None) -> pa.Table:
    """All columns of the file, or only these.

    `pyarrow.parquet.read_table` starts threads, which now and then abort a process that ends right after
    (https://github.com/apache/arrow/issues/34314). Raises ArrowException or OSError where it is not a Parquet file.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(source, pre_buffer=False) as file:
        return file.read(columns=None if columns is None else list(columns), use_threads=False)
