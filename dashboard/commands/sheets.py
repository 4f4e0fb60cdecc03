"""One sheet of an Excel workbook as a file of its own, for commands that read files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import FileFormatError


@contextmanager
def sheet_of(file: Path, sheet: str) -> Iterator[Path]:
    """A file of the same name with this sheet, as long as it is needed."""
    from core.importers import Limits
    from core.importers.reading.content import read_bytes
    from core.importers.reading.excel import is_workbook, sheet_csv

    data = read_bytes(file, Limits.from_settings())
    if not is_workbook(data):
        raise FileFormatError(f"{file.name} is no Excel workbook: leave --sheet out")
    with TemporaryDirectory() as folder:
        only = Path(folder) / file.name
        only.write_text(sheet_csv(data, sheet=sheet), "utf-8", newline="")
        yield only
