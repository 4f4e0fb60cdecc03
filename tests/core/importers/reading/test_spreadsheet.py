"""Cells that a spreadsheet would run as formulas: escaped in files that hcat writes, and given back when it reads."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.importers import read_run
from hcat.core.importers.labels.label_file import labels_csv, read_labels
from hcat.core.importers.reading.cells import as_identifier
from hcat.core.importers.reading.spreadsheet import (
    Cell,
    as_csv,
    as_excel,
    csv_text,
    escape_formula,
    table_rows,
    unescape_formula,
)
from hcat.core.legible import is_placeholder, legible
from hcat.core.types import Criterion, Label

anything = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.text(st.one_of(st.sampled_from("'=+-@;\t\r\n \"＝＋－＠,1e."), anything))


@pytest.mark.parametrize(
    ("cell", "escaped"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-x", "'-x"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t'=1"),
        ("\n=1", "'\n'=1"),
        ("\rx", "'\rx"),
        ("＝1", "'＝1"),
        ("＠x", "'＠x"),
        ("'=1", "''=1"),
        ("x;=1+115", "x;'=1+115"),
        ('x;"=1', "x;'\"=1"),
        ("x; =1", "x;' =1"),
        ("a\n-b", "a\n'-b"),
        (" =1", "' =1"),
        ("-5;3", "'-5;3"),
    ],
)
def test_what_a_spreadsheet_would_run_is_text(cell: str, escaped: str) -> None:
    assert escape_formula(cell) == escaped
    assert unescape_formula(escaped) == cell


@pytest.mark.parametrize("cell", ["", "-5", "+0.25", "-1e-9", "plain", "a=b", "it's", "'twas", "a;b", "a\n\nb", "2-1"])
def test_what_is_no_formula_stays(cell: str) -> None:
    assert escape_formula(cell) == cell == unescape_formula(cell)


@given(texts)
def test_escaping_is_undone_without_a_trace(cell: str) -> None:
    assert unescape_formula(escape_formula(cell)) == cell


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.sampled_from(",;\t"))
def test_no_cell_begins_like_a_formula_whatever_separator_is_read(rows: list[tuple[str, str]], separator: str) -> None:
    for row in csv.reader(io.StringIO(csv_text(rows), newline=""), delimiter=separator):
        for cell in row:
            start = cell.lstrip(' "\u00a0\u3000\u200b\ufeff')
            assert not start.startswith(tuple("=+-@＝＋－＠\t\r\n")) or re.fullmatch(
                r"[+-][\d.eE+-]+", start.strip('"')
            )


def test_every_cell_is_quoted_and_numbers_are_numbers() -> None:
    rows: list[tuple[Cell, ...]] = [("a", "b", "c"), ("=x", -0.5, None), ("y", float("nan"), 3)]
    assert csv_text(rows) == '"a","b","c"\r\n"\'=x","-0.5",""\r\n"y","","3"\r\n'
    assert as_csv(rows).startswith(b"\xef\xbb\xbf")


def test_a_table_becomes_numbers_and_texts() -> None:
    frame = pd.DataFrame(
        {
            "text": ["=x", None],
            "float": [np.float32(-0.5), float("nan")],
            "count": pd.array([3, None], "Int64"),
            "yes": [True, False],
            "list": [["a", "b"], []],
        },
        index=["r0", "r1"],
    )
    assert table_rows(frame) == [
        ["text", "float", "count", "yes", "list"],
        ["=x", -0.5, 3, "True", "a, b"],
        [None, None, "", "False", ""],
    ]
    assert [row[0] for row in table_rows(frame, with_index=True)] == ["index", "r0", "r1"]


identifiers = texts.filter(lambda text: text.strip() == text != "" and text.isprintable() and len(text) < 50)


@given(st.lists(st.tuples(identifiers, texts), min_size=1, max_size=4, unique_by=lambda pair: pair[0]))
def test_labels_come_back_as_they_were(pairs: list[tuple[str, str]]) -> None:
    criterion = Criterion("quality")
    labels = tuple(Label(name, "quality", 1, annotator="ann", rationale=text or None) for name, text in pairs)
    read = read_labels(labels_csv(labels, criterion).encode(), criterion=criterion)
    assert [label.sample_id for label in read.labels] == [name for name, _ in pairs]
    for label, (_, text) in zip(read.labels, pairs, strict=True):
        assert (label.rationale or "").strip() == text.strip()


names_of_samples = identifiers.filter(lambda name: as_identifier(name) == name)
words_of_samples = identifiers.filter(lambda text: not is_placeholder(text) and legible(text) == text)


@given(st.lists(st.tuples(names_of_samples, words_of_samples), min_size=1, max_size=4, unique_by=lambda pair: pair[0]))
def test_a_table_of_samples_comes_back_as_it_was(pairs: list[tuple[str, str]]) -> None:
    written = as_csv([("sample_id", "query", "answer"), *((name, text, text) for name, text in pairs)])
    read = read_run(written, filename="samples.csv").samples
    assert [(sample.id, sample.query, sample.answer) for sample in read] == [(name, text, text) for name, text in pairs]


def test_a_workbook_leaves_out_what_xml_can_not_hold() -> None:
    from openpyxl import load_workbook

    [row] = load_workbook(io.BytesIO(as_excel([("a\uffffb\ufffe\x00c",)]))).active.iter_rows(values_only=True)
    assert row == ("a b  c",)
