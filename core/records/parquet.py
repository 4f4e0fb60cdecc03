"""Reading Parquet in the calling thread alone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hcat.core.errors import LimitError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MOST_CELLS = 50_000_000
MOST_UNPACKED_BYTES = 1_000_000_000
BATCH_ROWS = 65_536


def read_table(source: BinaryIO | Path, *, columns: Sequence[str] | None = None) -> pa.Table:
    """All columns of the file, or only these.

    `pyarrow.parquet.read_table` starts threads, which occasionally abort a process that ends right after
    (https://github.com/apache/arrow/issues/34314). Raises ArrowException or OSError if it is not a Parquet file."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(source, pre_buffer=False) as file:
        return file.read(columns=None if columns is None else list(columns), use_threads=False)


def table_bytes(table: pa.Table, *, rows_a_group: int | None = None) -> bytes:
    """The table as a Parquet file, in groups of so many rows that are read separately."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", row_group_size=rows_a_group)
    return buffer.getvalue()


def check_unpacked(source: BinaryIO | Path) -> None:
    """Raise LimitError if a file of unknown origin has more cells, or unpacks to more bytes, than fit in memory.

    Raises ArrowException or OSError if it is not a Parquet file."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(source, pre_buffer=False) as plain:
        metadata, leaves = plain.metadata, text_leaves(plain)
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    if metadata.num_rows * metadata.num_columns > MOST_CELLS:
        raise LimitError(f"the Parquet file holds more than {MOST_CELLS:,} cells")
    unpacked = sum(group.total_byte_size for group in groups)
    with pq.ParquetFile(source, read_dictionary=leaves, pre_buffer=False) as file:
        _check_bytes(unpacked)
        unpacked = 0
        for batch in file.iter_batches(batch_size=BATCH_ROWS, use_threads=False):
            unpacked += sum(unpacked_bytes(column) for column in batch.columns)
            _check_bytes(unpacked)


def _check_bytes(unpacked: int) -> None:
    if unpacked > MOST_UNPACKED_BYTES:
        raise LimitError(f"the Parquet file unpacks to more than {MOST_UNPACKED_BYTES / 1e6:g} MB")


def text_leaves(file: pq.ParquetFile) -> list[str]:
    """The text columns, nested ones too. Read as dictionaries, a repeated value is in memory only once."""
    schema = file.schema
    columns = [schema.column(index) for index in range(len(schema))]
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def unpacked_bytes(array: pa.Array) -> int:
    """The size of the values once repeated ones are stored separately."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        values = array.dictionary
        if not (pa.types.is_string(values.type) or pa.types.is_binary(values.type) or _is_large(values.type)):
            return int(array.nbytes)
        lengths = pc.cast(pc.binary_length(values), pa.int64())
        return int(pc.sum(pc.take(lengths, array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(unpacked_bytes(array.field(index)) for index in range(kind.num_fields))
    if pa.types.is_map(kind):
        return unpacked_bytes(array.keys) + unpacked_bytes(array.items)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return unpacked_bytes(array.flatten())
    return int(array.nbytes)


def _is_large(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_large_string(kind) or pa.types.is_large_binary(kind))
