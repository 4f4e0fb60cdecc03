"""Parquet files, read in a separate process: a broken one can end the process that reads it."""

from __future__ import annotations

import json
from collections.abc import Collection

from hcat.core.errors import FileFormatError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.separate_process import read_in_process
from hcat.core.importers.reading.table import Row, Table, make_table

MARK = b"PAR1"
SMALLEST = 12
NOT_WHOLE = "the Parquet file is cut off: upload it again, or export it as CSV"


def read_parquet(data: bytes, limits: Limits, left_out: Collection[str] = ()) -> Table:
    """The rows of a Parquet file. Dates become ISO texts, decimals numbers, NaN None. Columns `left_out` are not read.

    Raises FileFormatError if the file is broken, and LimitError if it has too many rows or unpacks to too much."""
    if len(data) < SMALLEST or not data.endswith(MARK):
        raise FileFormatError(NOT_WHOLE)
    unread = json.dumps(sorted(left_out))
    answer = read_in_process(
        "hcat.core.importers.reading.parquet_process", data, limits, kind="Parquet", arguments=[unread]
    )
    rows = answer.get("rows")
    if not isinstance(rows, list):
        raise FileFormatError(f"the Parquet file can't be read: {answer.get('broken', 'it is broken')}")
    return make_table("parquet", [Row(number, row) for number, row in enumerate(rows, 1) if isinstance(row, dict)])
