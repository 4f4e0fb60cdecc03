"""Rows of other tools' layouts with anything in them give a preview, and what is accepted comes back as it was."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.importers import FORMATS, read_run, write_run
from hcat.core.importers.formats.format import Format

KEYS = st.sampled_from(
    [
        "question",
        "answer",
        "output",
        "contexts",
        "text",
        "page_content",
        "id",
        "score",
        "label",
        "messages",
        "role",
        "content",
        "type",
        "assert",
        "value",
        "args",
        "kwargs",
        "context",
        "metadata",
        "expected",
    ]
)
SCALAR = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["q", "user", "equals", "", "[x", "a|b", "{"])
PLAUSIBLE = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
"""JSON made of the names that tools use, so that it gets past the first check more often than random JSON does."""


def columns_of(known: Format) -> list[str]:
    firsts = [names.split("|")[0] for names in (*known.required, *known.fields)]
    return [*dict.fromkeys(firsts), "Relevance_calls", "other"]


def check(data: bytes, known: Format, rows: int) -> None:
    preview = read_run(data, filename="x", format=known.name)
    assert preview.rows == rows
    assert len({problem.row for problem in preview.problems}) == preview.bad
    assert len(set(preview.problems)) == len(preview.problems)
    if preview.samples:
        again = read_run(write_run(preview.samples).encode(), filename="x")
        assert (again.problems, again.samples) == ((), preview.samples)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_arbitrary_records_give_a_preview(known: Format, data: st.DataObject) -> None:
    columns = columns_of(known)
    rows = data.draw(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(columns, PLAUSIBLE)), max_size=3))
    full: dict[str, object] = dict.fromkeys(columns)
    check(json.dumps([full, *rows]).encode(), known, len(rows) + 1)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_arbitrary_csv_cells_give_a_preview(known: Format, data: st.DataObject) -> None:
    columns = columns_of(known)
    cell = PLAUSIBLE.map(json.dumps) | PLAUSIBLE.map(str) | st.sampled_from(["", "plain", "[Document(text='x')]"])
    rows = data.draw(
        st.lists(st.lists(cell, min_size=len(columns), max_size=len(columns)), min_size=1, max_size=2),
    )
    out = io.StringIO(newline="")
    csv.writer(out).writerows([columns, *rows])
    check(out.getvalue().encode(), known, len(rows))
