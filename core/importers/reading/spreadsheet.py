"""Files for a spreadsheet, and cells that it would run as a formula: escaped, and restored."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

Cell = str | float | None

MOST_CHARACTERS = 32_767
"""What a cell of Excel holds at most; a longer text ends with CUT there."""
CUT = " … (cut: a cell of Excel holds no more)"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Signs of a formula, those of full width too, and what a spreadsheet skips before one."""


def escape_formula(cell: str) -> str:
    """The cell, with a leading apostrophe where a spreadsheet would otherwise take it for a formula."""
    return f"'{cell}" if cell.startswith((*FORMULA_STARTS, "'")) else cell


def unescape_formula(cell: str) -> str:
    """The inverse of `escape_formula`. A cell that only happens to start with an apostrophe is left unchanged."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*FORMULA_STARTS, "'")) else cell


def as_csv(rows: Sequence[Sequence[Cell]]) -> bytes:
    """UTF-8 with a byte order mark, by which Excel knows it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def as_excel(rows: Sequence[Sequence[Cell]]) -> bytes:
    """One sheet, whose texts are texts: never formulas or links."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("samples")
    sheet.freeze_panes = "B2"
    for row in rows:
        cells: list[object] = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=_fitting(value) if isinstance(value, str) else value)
            if isinstance(value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fitting(text: str) -> str:
    """The text without what a workbook can't hold, defused like a cell of CSV, as which such files are saved too."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    clean = escape_formula(str(ILLEGAL_CHARACTERS_RE.sub(" ", text)).encode("utf-8", "replace").decode())
    return clean if len(clean) <= MOST_CHARACTERS else clean[: MOST_CHARACTERS - len(CUT)] + CUT
