"""Samples for a spreadsheet: every column, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from openpyxl import load_workbook

from hcat.core.importers.reading.spreadsheet import MOST_CHARACTERS, as_csv, as_excel, unescape_formula
from hcat.core.opened.sample_filter import SampleFacts
from hcat.core.opened.sample_rows import Cell, SampleRows
from hcat.core.types import Passage, Sample

DANGEROUS = ("=1+2", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", '=HYPERLINK("http://x","y")')


def facts(*answers: str) -> SampleFacts:
    samples = {
        f"s{k}": Sample(f"s{k}", "Why, “so”?", answer, contexts=(Passage("p", "one"), Passage("q", "zwei\nü")))
        for k, answer in enumerate(answers)
    }
    frame = pd.DataFrame({"topic": ["=fees"] * len(samples)}, index=[*samples])
    return SampleFacts(samples, frame, {"s0": "fail"})


def table_rows(ids: list[str], known: SampleFacts, criterion: str | None) -> list[list[Cell]]:
    rows = SampleRows(ids, known, None, criterion)
    return [list(rows.head), *rows]


def excel_rows(content: bytes) -> list[tuple[object, ...]]:
    book = load_workbook(io.BytesIO(content))
    assert all(cell.data_type != "f" for row in book.active.iter_rows() for cell in row)
    return [tuple(cell.value for cell in row) for row in book.active.iter_rows()]


def test_the_columns_of_both_forms() -> None:
    rows = table_rows(["s0", "s1"], facts("Four.", "Five."), "correctness")
    head = ["sample_id", "query", "answer", "reference", "contexts", "label:correctness", "dimension:topic"]
    assert rows[0] == head
    read = list(csv.reader(io.StringIO(as_csv(rows).decode("utf-8-sig"))))
    assert read[1] == ["s0", "Why, “so”?", "Four.", "", '["one", "zwei\\nü"]', "fail", "'=fees"]
    assert read[2][5] == "unlabelled"
    assert excel_rows(as_excel(rows))[1] == ("s0", "Why, “so”?", "Four.", None, '["one", "zwei\\nü"]', "fail", "'=fees")


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_is_a_formula(text: str) -> None:
    rows = table_rows(["s0"], facts(text), None)
    read = list(csv.reader(io.StringIO(as_csv(rows).decode("utf-8-sig"), newline="")))
    assert read[1][2].startswith("'")
    assert unescape_formula(read[1][2]) == text
    assert str(excel_rows(as_excel(rows))[1][2]).startswith("'")


def test_texts_that_a_workbook_cannot_hold_are_cleaned_and_cut() -> None:
    rows = table_rows(["s0", "s1"], facts("a\x00b\ud800", "x" * 40_000), None)
    read = excel_rows(as_excel(rows))
    assert read[1][2] == "a b?"
    assert len(str(read[2][2])) == MOST_CHARACTERS and str(read[2][2]).endswith("holds no more)")
    as_csv(rows)
