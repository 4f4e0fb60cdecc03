"""The program that reads one Parquet file from its standard input and writes the rows as JSON: see `parquet`.

With the path of a file as its last argument it writes lines of JSON: the number of rows, then a list for each batch of
them, and an empty list at the end. Batches are small, and what they unpack to is counted, so that a small file can't
fill the memory.
"""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import FileFormatError, LimitError
from core.importers.limits import Limits
from core.importers.reading.separate_process import cap_memory
from core.importers.reading.table import check_column_count, check_columns, check_row_count, check_value_count
from core.records.parquet import text_leaves, unpacked_bytes
from core.types import JsonValue

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 512
VALUE_BYTES = 4
"""The least that one value takes in memory: a run of equal values takes next to nothing in the file."""


def main() -> None:
    """Read the file and write `{"rows": [...]}`, or `{"limit": message}` or `{"broken": message}`."""
    max_file_mb, max_rows, *path = sys.argv[1:]
    limits = Limits(max_file_mb=float(max_file_mb), max_rows=int(max_rows))
    if path:
        cap_memory(Limits())
        with Path(path[0]).open("rb") as file:
            for line in batches(file, replace(limits, max_values=sys.maxsize)):
                sys.stdout.write(json.dumps(line) + "\n")
        return
    cap_memory(limits)
    # json.dump would write piece by piece in plain Python, several times slower.
    sys.stdout.write(json.dumps(answer(sys.stdin.buffer.read(), limits)))


def answer(data: bytes, limits: Limits) -> dict[str, JsonValue]:
    """What `main` writes. Every error becomes a message; only a crash of the library ends the process."""
    try:
        return {"rows": list(read_records(io.BytesIO(data), limits))}
    except _errors() as error:
        return _message(error)


def batches(file: BinaryIO, limits: Limits) -> Iterator[JsonValue]:
    """How many rows there are, then the rows in lists, the last of them empty; or what went wrong instead of one."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, pre_buffer=False) as opened:
            yield {"rows": opened.metadata.num_rows}
        records = read_records(file, limits)
        while batch := list(islice(records, BATCH_ROWS)):
            yield batch
        yield []
    except _errors() as error:
        yield _message(error)


def _errors() -> tuple[type[Exception], ...]:
    import pyarrow as pa

    of_arrow = (pa.ArrowException, ValueError, OSError, KeyError, TypeError, NotImplementedError, OverflowError)
    return (LimitError, FileFormatError, MemoryError, *of_arrow)


def _message(error: Exception) -> dict[str, JsonValue]:
    if isinstance(error, LimitError):
        return {"limit": str(error)}
    if isinstance(error, MemoryError):
        return {"limit": "the Parquet file needs more memory than hcat gives to one file"}
    if isinstance(error, FileFormatError):
        return {"broken": str(error)}
    return {"broken": next(iter(str(error).splitlines()), type(error).__name__)[:200]}


def read_records(source: BinaryIO, limits: Limits) -> Iterator[JsonValue]:
    """The records of a Parquet file. Dates become ISO texts, decimals numbers, NaN null.

    Raises LimitError, before reading, where the sizes that the file states are over a limit, and while reading where
    they were wrong; on a broken file, any error that Arrow raises.
    """
    import pyarrow.parquet as pq

    plain = pq.ParquetFile(source, pre_buffer=False)
    _check_metadata(plain, limits)
    check_columns(plain.schema_arrow.names)
    check_column_count(len(plain.schema_arrow.names), limits)
    file = pq.ParquetFile(source, read_dictionary=text_leaves(plain), pre_buffer=False)
    rows = unpacked = values = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, use_threads=False):
        unpacked += sum(unpacked_bytes(column) for column in batch.columns)
        _check_size(unpacked, limits)
        values += sum(_values(column, limits) for column in batch.columns)
        check_value_count(values, limits)
        rows += batch.num_rows
        check_row_count(rows, limits)
        yield from map(_json, batch.to_pylist(maps_as_pydicts="strict"))


def _check_metadata(file: pq.ParquetFile, limits: Limits) -> None:
    metadata = file.metadata
    check_row_count(metadata.num_rows, limits)
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    _check_size(sum(group.total_byte_size for group in groups), limits)
    chunks = [group.column(index) for group in groups for index in range(group.num_columns)]
    _check_size(sum(chunk.total_uncompressed_size for chunk in chunks), limits)
    _check_size(VALUE_BYTES * sum(chunk.num_values for chunk in chunks), limits)


def _check_size(size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise LimitError(
            f"the Parquet file unpacks to more than {limits.max_file_mb:g} MB: split it, or raise HCAT_MAX_FILE_MB"
        )


def _values(array: pa.Array, limits: Limits) -> int:
    """How many values the cells hold, those of lists included. LimitError where one list is too long."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_struct(kind):
        return len(array) + sum(_values(array.field(index), limits) for index in range(kind.num_fields))
    if pa.types.is_map(kind):
        return len(array) + _values(array.keys, limits) + _values(array.items, limits)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        longest = pc.max(pc.list_value_length(array)).as_py() or 0
        if longest > limits.max_items:
            raise LimitError(f"a list of {longest:,} items, and at most {limits.max_items:,} are read: shorten it")
        return len(array) + _values(array.flatten(), limits)
    return len(array)


def _json(value: object) -> JsonValue:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return str(value)


if __name__ == "__main__":
    main()
