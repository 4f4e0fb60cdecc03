"""People's expectations of test cases (H of PROB 3): a table of test_case, expected[, annotator]."""

from __future__ import annotations

from pathlib import Path

from hcat.core.errors import FileFormatError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.cells import CellError, as_identifier, as_share, as_text, number_in_text
from hcat.core.importers.reading.content import read_bytes, read_table
from hcat.core.importers.reading.table import Row

CASE, EXPECTED, ANNOTATOR = "test_case", "expected", "annotator"


def read_expected(source: bytes | Path, *, limits: Limits | None = None) -> dict[str, dict[str, float]]:
    """The rate of good answers, from 0 to 1, that each person expects, by test case and annotator.

    Without the column `annotator` all rows are one person's. Raises FileFormatError with the first row that is
    wrong."""
    known = limits or Limits.from_settings()
    table = read_table(read_bytes(source, known), known, is_record=lambda fields: EXPECTED in fields)
    missing = [name for name in (CASE, EXPECTED) if name not in table.columns]
    if missing:
        raise FileFormatError(f"no column {', '.join(missing)}: found {', '.join(table.columns[:30]) or 'none'}")
    if table.unreadable:
        first = table.unreadable[0].problem
        raise FileFormatError(f"row {first.row}: expected {first.expected}, found {first.found}")
    found: dict[str, dict[str, float]] = {}
    for row in table.rows:
        case, annotator, value = _cells(row)
        if annotator in found.setdefault(case, {}):
            who = f" by {annotator}" if annotator else ""
            raise FileFormatError(f"row {row.number}: test case {case!r} has an expected rate{who} already")
        found[case][annotator] = value
    return found


def _cells(row: Row) -> tuple[str, str, float]:
    column = CASE
    try:
        case = as_identifier(row.cells.get(CASE))
        column = EXPECTED
        value = as_share(number_in_text(row.cells.get(EXPECTED)))
        column = ANNOTATOR
        annotator = row.cells.get(ANNOTATOR)
        return case, "" if annotator is None else as_text(annotator).strip(), value
    except CellError as error:
        raise FileFormatError(
            f"row {row.number}, column {column}: expected {error.expected}, found {error.found}"
        ) from None
