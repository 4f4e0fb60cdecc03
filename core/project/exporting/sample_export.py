"""Rows of samples into a file of CSV, Excel, JSON Lines or Parquet, with a group of rows in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import BinaryIO, Literal, get_args

from hcat.core.importers.reading.spreadsheet import Cell, check_sheet, write_csv, write_excel
from hcat.core.opened.sample_rows import FIXED, SampleRows

Form = Literal["csv", "xlsx", "jsonl", "parquet"]
FORMS: tuple[Form, ...] = get_args(Form)
ROWS_A_GROUP = 2_048
_CONTEXTS = FIXED.index("contexts")


def write_samples(rows: SampleRows, file: BinaryIO, form: Form) -> None:
    """Write the head and all rows. LimitError, before anything is written, where a workbook can't hold them."""
    _WRITERS[form](rows, file)


def _csv(rows: SampleRows, file: BinaryIO) -> None:
    write_csv(chain([rows.head], rows), file)


def _excel(rows: SampleRows, file: BinaryIO) -> None:
    check_sheet(len(rows.sample_ids) + 1, len(rows.head))
    write_excel(chain([rows.head], rows), file)


def _json_lines(rows: SampleRows, file: BinaryIO) -> None:
    for row in rows:
        record = dict(zip(rows.head, row, strict=True)) | {"contexts": _listed(row)}
        file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def _parquet(rows: SampleRows, file: BinaryIO) -> None:
    """Scores are numbers, contexts a list of texts, and all else is text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = len(rows.head) - len(rows.metrics)
    kinds = [pa.float64() if place >= numbers else pa.string() for place in range(len(rows.head))]
    kinds[_CONTEXTS] = pa.list_(pa.string())
    schema = pa.schema(list(zip(rows.head, kinds, strict=True)))
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(iter(rows)):
            columns: list[Sequence[object]] = [list(map(_storable, column)) for column in zip(*group, strict=True)]
            columns[_CONTEXTS] = [list(map(_storable, _listed(row))) for row in group]
            arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))


def _groups(rows: Iterator[list[Cell]]) -> Iterator[list[list[Cell]]]:
    while group := list(islice(rows, ROWS_A_GROUP)):
        yield group


def _listed(row: list[Cell]) -> list[str]:
    contexts = row[_CONTEXTS]
    return json.loads(str(contexts)) if contexts else []


def _storable(cell: Cell) -> Cell:
    """A text without halves of surrogate pairs, which Parquet does not take."""
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) else cell


_WRITERS: Mapping[Form, Callable[[SampleRows, BinaryIO], None]] = {
    "csv": _csv,
    "xlsx": _excel,
    "jsonl": _json_lines,
    "parquet": _parquet,
}
