"""The program that reads one Parquet file from its standard input and writes the rows as JSON: see `parquet`.

With the path of a file as its last argument it writes lines of JSON: the number of rows, then a list for each batch of
them, and an empty list at the end. Batches are small, and their unpacked size is counted, so that a small file can't
fill the memory. Long lists of numbers (embeddings) and bytes that are no text are not read: a mark replaces them
(`cells.UNREAD`), which is a problem of the row only if a field needs the cell."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.cells import UNREAD
from hcat.core.importers.reading.separate_process import cap_memory
from hcat.core.importers.reading.table import check_column_count, check_columns, check_row_count, check_value_count
from hcat.core.records.parquet import text_leaves, unpacked_bytes
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 512
VALUE_BYTES = 4
"""The least memory of one value: a run of equal values takes almost no space in the file."""


def main() -> None:
    """Read the file and write `{"rows": [...]}`, or `{"limit": message}` or `{"broken": message}`."""
    max_file_mb, max_rows, left_out, *path = sys.argv[1:]
    limits = Limits(max_file_mb=float(max_file_mb), max_rows=int(max_rows))
    unread = frozenset(json.loads(left_out))
    if path:
        cap_memory(Limits())
        with Path(path[0]).open("rb") as file:
            for line in batches(file, replace(limits, max_values=sys.maxsize), unread):
                sys.stdout.write(json.dumps(line) + "\n")
        return
    cap_memory(limits)
    # json.dump would write piece by piece in plain Python, several times slower.
    sys.stdout.write(json.dumps(answer(sys.stdin.buffer.read(), limits, unread)))


def answer(data: bytes, limits: Limits, left_out: Collection[str] = ()) -> dict[str, JsonValue]:
    """The message that `main` writes. Every error becomes a message; only a crash of the library ends the process."""
    try:
        return {"rows": list(read_records(io.BytesIO(data), limits, left_out))}
    except _errors() as error:
        return _message(error)


def batches(file: BinaryIO, limits: Limits, left_out: Collection[str] = ()) -> Iterator[JsonValue]:
    """The number of rows, then the rows in lists, the last of them empty; or an error instead of one."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, pre_buffer=False) as opened:
            yield {"rows": opened.metadata.num_rows}
        records = read_records(file, limits, left_out)
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


def read_records(source: BinaryIO, limits: Limits, left_out: Collection[str] = ()) -> Iterator[JsonValue]:
    """The records of a Parquet file, with marks for columns `left_out` and for vectors.

    Dates become ISO texts, decimals numbers, NaN null. Raises LimitError, before reading, if the sizes in the file
    exceed a limit, and while reading if they were wrong; on a broken file, any error that Arrow raises."""
    import pyarrow.parquet as pq

    plain = pq.ParquetFile(source, pre_buffer=False)
    names = plain.schema_arrow.names
    check_columns(names)
    check_column_count(len(names), limits)
    unread = {**_vectors(plain, limits), **dict.fromkeys(left_out, "left out")}
    read = [name for name in names if name not in unread]
    _check_metadata(plain, limits, frozenset(read))
    file = pq.ParquetFile(source, read_dictionary=text_leaves(plain), pre_buffer=False)
    marks: dict[str, JsonValue] = {name: {UNREAD: what} for name, what in unread.items() if name in names}
    rows = unpacked = values = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, use_threads=False, columns=read if unread else None):
        short = {name: _short(batch.column(name), limits.max_items) for name in batch.schema.names}
        unpacked += sum(unpacked_bytes(column) for column, _ in short.values())
        _check_size(unpacked, limits)
        values += sum(_values(column) for column, _ in short.values())
        check_value_count(values, limits)
        rows += batch.num_rows
        check_row_count(rows, limits)
        cells = {name: _cells(*column) for name, column in short.items()}
        for position in range(batch.num_rows):
            yield {name: marks[name] if name in marks else cells[name][position] for name in names}


def _vectors(file: pq.ParquetFile, limits: Limits) -> dict[str, str]:
    """The columns that contain only numbers, and more of them in a row than a list may have: embeddings."""
    metadata, names, found = file.metadata, frozenset(file.schema_arrow.names), dict[str, int]()
    if not metadata.num_rows:
        return {}
    numeric = {"INT32", "INT64", "FLOAT", "DOUBLE", "BOOLEAN", "INT96"}
    for index in range(metadata.num_columns):
        name = _column(metadata.schema.column(index).path, names)
        if metadata.schema.column(index).physical_type not in numeric:
            found[name] = -1
        elif found.get(name, 0) >= 0:
            groups = range(metadata.num_row_groups)
            found[name] = found.get(name, 0) + sum(metadata.row_group(at).column(index).num_values for at in groups)
    return {
        name: f"lists of {count // metadata.num_rows:,} numbers"
        for name, count in found.items()
        if count > limits.max_items * metadata.num_rows
    }


def _column(path: str, names: Collection[str]) -> str:
    """The column that a leaf belongs to; a column's own name may contain points."""
    return path if path in names else path.split(".")[0]


def _check_metadata(file: pq.ParquetFile, limits: Limits, read: Collection[str]) -> None:
    metadata = file.metadata
    check_row_count(metadata.num_rows, limits)
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    chunks = [group.column(index) for group in groups for index in range(group.num_columns)]
    names = frozenset(file.schema_arrow.names)
    chunks = [chunk for chunk in chunks if _column(chunk.path_in_schema, names) in read]
    if len(read) == len(file.schema_arrow.names):
        _check_size(sum(group.total_byte_size for group in groups), limits)
    _check_size(sum(chunk.total_uncompressed_size for chunk in chunks), limits)
    _check_size(VALUE_BYTES * sum(chunk.num_values for chunk in chunks), limits)


def _check_size(size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise LimitError(
            f"the Parquet file unpacks to more than {limits.max_file_mb:g} MB: split it, or raise HCAT_MAX_FILE_MB"
        )


def _short(array: pa.Array, most: int, *, within: bool = False) -> tuple[pa.Array, dict[int, int]]:
    """The column with null for each list that is too long, and the lengths of these.

    Within a cell, only lists of numbers are replaced."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_struct(kind) and kind.num_fields:
        fields = [_short(array.field(index), most, within=True)[0] for index in range(kind.num_fields)]
        names = [kind.field(index).name for index in range(kind.num_fields)]
        return pa.StructArray.from_arrays(fields, names=names, mask=array.is_null()), {}
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)):
        return array, {}
    lengths = pc.list_value_length(array)
    too_long = pc.fill_null(pc.greater(lengths, most), False)
    cut: dict[int, int] = {}
    inner = kind.value_type
    is_vector = pa.types.is_floating(inner) or pa.types.is_integer(inner) or pa.types.is_boolean(inner)
    if pc.any(too_long).as_py() and (is_vector or not within):
        cut = {at: lengths[at].as_py() for at in pc.indices_nonzero(too_long).to_pylist()}
        array = pc.if_else(too_long, pa.scalar(None, kind), array)
    if pa.types.is_nested(inner) and not pa.types.is_fixed_size_list(kind):
        whole = pa.concat_arrays([array])
        parts, _ = _short(whole.values, most, within=True)
        made = pa.LargeListArray if pa.types.is_large_list(kind) else pa.ListArray
        array = made.from_arrays(whole.offsets, parts, mask=whole.is_null())
    return array, cut


def _values(array: pa.Array) -> int:
    """The number of values in the cells, those of lists included."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_struct(kind):
        return len(array) + sum(_values(array.field(index)) for index in range(kind.num_fields))
    if pa.types.is_map(kind):
        return len(array) + _values(array.keys) + _values(array.items)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return len(array) + _values(array.flatten())
    return len(array)


def _cells(array: pa.Array, cut: Mapping[int, int]) -> list[JsonValue]:
    cells = [_json(value) for value in array.to_pylist()]
    for position, length in cut.items():
        cells[position] = {UNREAD: f"a list of {length:,} items"}
    return cells


def _json(value: object) -> JsonValue:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, list | tuple):
        return _as_object(value) or [_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, bytes):
        return _decoded(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return str(value)


def _as_object(value: Sequence[object]) -> dict[str, JsonValue] | None:
    """The object in a map of Arrow, which consists of pairs; None if a key occurs twice, or it is not a map."""
    pairs = [pair for pair in value if isinstance(pair, tuple)]
    if not pairs or len(pairs) < len(value):
        return None
    fields = {str(key): _json(item) for key, item in pairs}
    return fields if len(fields) == len(pairs) else None


def _decoded(value: bytes) -> JsonValue:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {UNREAD: f"{len(value):,} bytes that are no text"}


if __name__ == "__main__":
    main()
