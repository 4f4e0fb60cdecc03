"""Columns mapped by hand: what each becomes, in which shapes cells are taken, and what is wrong where."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.errors import FileFormatError
from hcat.core.importers import fingerprint, read_columns, read_run
from hcat.core.importers.mapping import DIMENSION, KEPT, LEFT_OUT
from hcat.core.types import JsonValue

CSV = (
    b"Frage;Antwort;Fundstelle;Treffer;Region;Ticket\n"
    b"Was kostet es?;3 Euro.;Es kostet 3 Euro.;p1;Nord;T1\n"
    b"Und das?;4 Euro.;\"['Es kostet 4 Euro.', 'Ab Mai.']\";\"['p2', 'p3']\";S\xc3\xbcd;T2\n"
)
MAPPING = {"Frage": "query", "Antwort": "answer", "Fundstelle": "contexts", "Treffer": "relevant_ids"}


def test_columns_of_an_unknown_file_with_what_they_probably_are() -> None:
    found = read_columns(CSV, filename="x.csv")
    assert found.format is None
    assert found.columns == ("Frage", "Antwort", "Fundstelle", "Treffer", "Region", "Ticket")
    assert found.suggestion == {"query": "Frage", "answer": "Antwort"}
    assert found.first_rows[0]["Region"] == "Nord"


def test_columns_of_a_known_file_with_what_they_are() -> None:
    found = read_columns(b'{"question": "q", "answer": "a", "contexts": ["c"], "ground_truth": "r"}', filename="x")
    assert found.format is not None
    assert found.format.name == "ragas-0.1"
    assert found.suggestion == {
        "query": "question",
        "answer": "answer",
        "contexts": "contexts",
        "reference": "ground_truth",
    }


def test_columns_that_samples_could_be_sliced_by() -> None:
    rows = [{"q": f"query {n}", "a": "the same", "team": "xy"[n % 2], "score": n / 7, "tags": [n]} for n in range(5)]
    assert read_columns(json.dumps(rows).encode(), filename="x").dimensions == ("a", "team")


def test_a_file_without_rows_is_one_clear_message() -> None:
    with pytest.raises(FileFormatError, match=r"x\.csv: the file is empty"):
        read_columns(b"", filename="x.csv")


def test_cells_in_the_shapes_of_other_tools() -> None:
    preview = read_run(CSV, filename="x", mapping=MAPPING)
    assert preview.problems == ()
    assert preview.format.title == "columns mapped by hand"
    first, second = preview.samples
    assert [passage.text for passage in first.contexts] == ["Es kostet 3 Euro."]
    assert [passage.text for passage in second.contexts] == ["Es kostet 4 Euro.", "Ab Mai."]
    assert (first.relevant_ids, second.relevant_ids) == ({"p1": 1}, {"p2": 1, "p3": 1})
    assert first.metadata == {"Region": "Nord", "Ticket": "T1"}


def test_columns_that_are_no_field_go_where_the_user_says() -> None:
    preview = read_run(CSV, filename="x", mapping={**MAPPING, "Region": DIMENSION, "Ticket": KEPT, "Treffer": LEFT_OUT})
    assert [sample.dimensions for sample in preview.samples] == [{"Region": "Nord"}, {"Region": "Süd"}]
    assert [sample.metadata for sample in preview.samples] == [{"Ticket": "T1"}, {"Ticket": "T2"}]
    assert preview.samples[0].relevant_ids == {}
    assert preview.extras == {"Region": "dimension", "Ticket": "metadata"}


def test_a_known_format_stays_what_it_is_where_no_field_is_mapped() -> None:
    rows = [{"question": "q", "answer": str(n), "contexts": ["c"], "team": "ab"[n % 2]} for n in range(3)]
    preview = read_run(json.dumps(rows).encode(), filename="x", mapping={"team": DIMENSION})
    assert preview.format.name == "ragas-0.1"
    assert [sample.dimensions for sample in preview.samples] == [{"team": "a"}, {"team": "b"}, {"team": "a"}]


def test_another_column_takes_the_place_of_one_with_a_native_name() -> None:
    rows = [{"query": "q", "answer": "true one", "gpt": "given", "contexts": []}]
    mapping = {"answer": "reference", "gpt": "answer"}
    sample = read_run(json.dumps(rows).encode(), filename="x", mapping=mapping).samples[0]
    assert (sample.answer, sample.reference) == ("given", "true one")


@pytest.mark.parametrize(
    ("cells", "column", "expected"),
    [
        ({"q": ""}, "query", "text that is not empty"),
        ({"c": {"page": 7}}, "contexts[0].text", "text"),
        ({"r": {"p1": -1}}, "relevant_ids.p1", "a whole number, 0 or more"),
        ({"r": True}, "relevant_ids", 'ids with grades, such as {"p1": 2}, or a list of ids'),
        ({"team": ["x"]}, "team", "a text, a number, or true/false"),
    ],
)
def test_what_is_wrong_is_told_by_row_and_column(cells: dict[str, JsonValue], column: str, expected: str) -> None:
    good = {"q": "query", "a": "answer", "c": ["context"], "r": {"p1": 2}, "team": "x"}
    mapping = {"q": "query", "a": "answer", "c": "contexts", "r": "relevant_ids", "team": DIMENSION}
    preview = read_run(json.dumps([good, {**good, **cells}]).encode(), filename="x", mapping=mapping)
    assert [(p.row, p.column, p.expected) for p in preview.problems] == [(2, column, expected)]
    assert (len(preview.samples), preview.bad) == (1, 1)


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"nowhere": LEFT_OUT}, 'no column is called "nowhere"'),
        ({"nowhere": DIMENSION}, 'no column is called "nowhere"'),
        ({"query": LEFT_OUT, "a": "answer"}, "needs query, answer"),
    ],
)
def test_an_impossible_mapping_is_refused(mapping: dict[str, str], message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_run(b"query,a,b\n1,2,3\n", filename="x", mapping=mapping)


@given(st.permutations(["query", "answer", "Fundstelle", "ü"]))
def test_the_fingerprint_is_of_the_names_alone(columns: list[str]) -> None:
    assert fingerprint(columns) == fingerprint(["answer", "query", "Fundstelle", "ü"])
    assert fingerprint(columns) != fingerprint(columns[1:])
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])


def test_a_systems_own_confidence_is_a_dimension_to_slice_by() -> None:
    tags = ("HIGH", "MEDIUM", "LOW")
    rows = "".join(f"What is fee {k}?,It is {k}.,{tags[k % 3]}\n" for k in range(9))
    preview = read_run(f"question,answer,confidence\n{rows}".encode(), filename="x.csv")
    assert preview.extras == {"confidence": "dimension"}
    assert [sample.dimensions["confidence"] for sample in preview.samples[:3]] == [*tags]
