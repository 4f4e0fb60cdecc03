"""Excel workbooks: what a cell holds, which sheet is read, and files that claim or hide too much."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, time

import pytest
from openpyxl import Workbook

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers import Limits, read_run
from hcat.core.importers.labels.label_file import read_labels
from hcat.core.importers.reading.excel import WORKBOOK, is_workbook, sheet_csv, sheet_names
from hcat.core.importers.reading.excel_process import answer
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.types import Criterion

LIMITS = Limits()
HEADER = ("id", "query", "contexts", "answer")


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_run_is_read_from_the_first_sheet() -> None:
    data = workbook(
        run=[HEADER, ("q1", "What fee?", '["It is 3 euros.", "Ask us."]', "3 euros"), (), ("q2", "When?", None, None)],
        notes=[("a", "b"), (1, 2)],
    )
    preview = read_run(data, filename="run.xlsx", limits=LIMITS)
    assert preview.problems == ()
    assert [(s.id, s.query, len(s.contexts), s.answer) for s in preview.samples] == [
        ("q1", "What fee?", 2, "3 euros"),
        ("q2", "When?", 0, None),
    ]
    assert sheet_names(data, LIMITS) == ("run", "notes")
    assert sheet_csv(data, sheet="notes", limits=LIMITS) == "a,b\r\n1,2\r\n"
    with pytest.raises(FileFormatError, match='there is no sheet "labels": there are run, notes'):
        sheet_csv(data, sheet="labels", limits=LIMITS)


def test_cells_read_as_a_spreadsheet_saves_them() -> None:
    cells = (1577.0, 0.5, True, date(2024, 3, 1), datetime(2024, 3, 1, 9, 30), time(9, 30), "#N/A", "a, b", "=x", 12)
    data = workbook(sheet=[[f"c{k}" for k in range(len(cells))], (*cells[:8], "'=x", *cells[9:])])
    [header, row] = sheet_csv(data, limits=LIMITS).splitlines()
    assert header == "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9"
    assert row == '1577,0.5,true,2024-03-01,2024-03-01T09:30:00,09:30:00,,"a, b",\'=x,12'


def test_a_formula_gives_the_value_that_was_saved_with_it() -> None:
    """openpyxl writes formulas without their value, so it is put into the file's XML, as Excel does."""
    data = workbook(sheet=[("a", "b"), (1, "=A2+1"), (2, "=A3+1")])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b"<f>A2+1</f><v" in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b"<f>A2+1</f><v />", b"<f>A2+1</f><v>2</v>").replace(
        b"<f>A2+1</f><v></v>", b"<f>A2+1</f><v>2</v>"
    )
    assert sheet_csv(zipped(parts), limits=LIMITS) == "a,b\r\n1,2\r\n2,\r\n"


def zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_labels_and_scores_are_read_too() -> None:
    labels = workbook(sheet=[("sample_id", "criterion", "label"), ("q1", "correctness", "pass"), (2, "correctness", 0)])
    read = read_labels(labels, criterion=Criterion("correctness"), limits=LIMITS)
    assert [(label.sample_id, label.level) for label in read.labels] == [("q1", 1), ("2", 0)]
    scores = workbook(sheet=[("sample_id", "judge"), ("q1", 0.25), ("q2", 1)])
    [column] = read_scores(scores, filename="s.xlsx", limits=LIMITS).columns
    assert [score.value for score in column.scores.values()] == [0.25, 1.0]


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = zipped({WORKBOOK: b"<workbook/>", "xl/worksheets/sheet1.xml": bytes(60_000_000)})
    assert len(bomb) < 100_000
    assert is_workbook(bomb)
    with pytest.raises(LimitError, match="unpacks to more than 50 MB"):
        sheet_csv(bomb, limits=Limits(max_file_mb=10))


def test_too_many_rows_and_too_much_text_are_refused() -> None:
    data = workbook(sheet=[("a", "b"), *((k, "x" * 1000) for k in range(50))])
    assert "more than 20 rows" in str(answer(data, Limits(max_rows=20), wanted="rows", sheet=None))
    assert "holds more than 0.03 MB" in str(answer(data, Limits(max_file_mb=0.03), wanted="rows", sheet=None))


@pytest.mark.parametrize(
    "content", [b"<workbook", b"", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>']
)
def test_a_broken_workbook_is_one_clear_line(content: bytes) -> None:
    with pytest.raises(FileFormatError, match="the Excel file can't be read"):
        sheet_csv(zipped({WORKBOOK: content, "[Content_Types].xml": content}), limits=LIMITS)
    assert not is_workbook(b"PK\x03\x04 nothing")
    assert not is_workbook(zipped({"word/document.xml": b"<a/>"}))
