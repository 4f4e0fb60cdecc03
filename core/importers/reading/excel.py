"""Excel workbooks (.xlsx), read in a separate process: one sheet as the CSV text that a spreadsheet would save.

So everything that reads CSV reads Excel: numbers and lists in cells, problems by row, columns mapped by hand."""

from __future__ import annotations

import io
import zipfile

from hcat.core.errors import FileFormatError
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.separate_process import read_in_process

MARK = b"PK\x03\x04"
WORKBOOK = "xl/workbook.xml"
_PROGRAM = "hcat.core.importers.reading.excel_process"


def is_workbook(data: bytes) -> bool:
    """Whether the bytes are an Excel workbook, and no other zip archive."""
    if not data.startswith(MARK):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return WORKBOOK in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def sheet_names(data: bytes, limits: Limits | None = None) -> tuple[str, ...]:
    """The workbook's sheets in order. FileFormatError if it is broken, LimitError if it unpacks to too much."""
    answer = read_in_process(_PROGRAM, data, limits or Limits.from_settings(), kind="Excel", arguments=["names"])
    return tuple(_texts(answer, "names"))


def sheet_csv(data: bytes, *, sheet: str | None = None, limits: Limits | None = None) -> str:
    """The rows of this sheet, or of the first, as CSV.

    Formulas are read as their saved values, dates as ISO texts; a cell with an error is empty. FileFormatError if there
    is no such sheet; else as `sheet_names`."""
    arguments = ["rows", *([] if sheet is None else [sheet])]
    answer = read_in_process(_PROGRAM, data, limits or Limits.from_settings(), kind="Excel", arguments=arguments)
    [text] = _texts(answer, "csv")
    return text


def _texts(answer: dict[str, object], name: str) -> list[str]:
    texts = answer.get(name)
    if not isinstance(texts, list):
        raise FileFormatError(f"the Excel file can't be read: {answer.get('broken', 'it is broken')}")
    return [str(text) for text in texts]
