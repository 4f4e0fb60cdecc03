"""The native run file: every field, in every container, and what is wrong with each."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.importers import read_run, write_run
from hcat.core.importers.reading.structures import passage_id
from hcat.core.types import Passage, Sample, Variant
from hcat.core.wording.importing import notes_on_file

FIXTURES = Path(__file__).parents[1] / "fixtures"

FULL = Sample(
    id="q17",
    query="What was 3M's revenue and margin in 2022?",
    answer="34.2 billion dollars, 18 %.",
    contexts=(
        Passage("doc3#p2", "Revenue was $34,229 million.", 0.83),
        Passage("doc1#p9", "Margin: 18 %."),
    ),
    reference="$34.2bn; 18 %",
    reference_contexts=("Revenue was $34,229 million.",),
    relevant_ids={"doc3#p2": 2, "doc1#p9": 1},
    dimensions={"query_type": "multi-hop", "company": "3M"},
    test_case="q17",
    trial=0,
    group="g4",
    variant=Variant("typo", "q3", 0.2),
    expected=1.0,
    metadata={"model": "m1", "tokens": [12, 30]},
)
FAILED = Sample(
    id="q17",
    query=FULL.query,
    answer=None,
    contexts=(Passage(passage_id("Revenue was $34,229 million."), "Revenue was $34,229 million."),),
    trial=1,
)


@pytest.mark.parametrize("name", ["native.jsonl", "native.json", "native.csv"])
def test_every_field_is_read_from_every_container(name: str) -> None:
    preview = read_run(FIXTURES / name, filename=name)
    assert (preview.format.name, preview.problems, preview.extras) == ("native", (), {})
    assert preview.samples[:2] == (FULL, FAILED)
    last = preview.samples[2]
    assert last.query == "Ist das Ergebnis gültig?"
    # CSV has one way of writing both an empty text and nothing at all; the others keep them apart.
    assert last.answer == (None if name.endswith("csv") else "")
    assert len(last.id) == 16
    assert read_run(write_run(preview.samples).encode(), filename="x").samples == preview.samples


def test_every_field_is_read_from_parquet() -> None:
    records = [json.loads(line) for line in (FIXTURES / "native.jsonl").read_text().splitlines()]
    records[1]["contexts"] = [{"id": None, "text": "Revenue was $34,229 million.", "score": None}]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), out)
    preview = read_run(out.getvalue(), filename="x")
    assert preview.problems == ()
    assert preview.samples[:2] == (FULL, FAILED)
    assert preview.samples[2].answer == ""


@pytest.mark.parametrize(
    ("field", "value", "column", "expected"),
    [
        ("query", "", "query", "text that is not empty"),
        ("query", " \n", "query", "text that is not empty"),
        ("query", None, "query", "text that is not empty"),
        ("query", [7], "query", "text that is not empty"),
        ("answer", {"a": 7}, "answer", "text"),
        ("answer", ["a"], "answer", "text"),
        ("id", "", "id", "a text that is not empty, or a whole number"),
        ("id", True, "id", "a text that is not empty, or a whole number"),
        ("id", 1.5, "id", "a text that is not empty, or a whole number"),
        ("contexts", [{"id": "d"}], "contexts[0].text", "text"),
        ("contexts", "['one', 'two'", "contexts", 'a list, such as ["first", "second"]'),
        ("contexts", [["one", "two"], ["three"]], "contexts[0]", 'a text, or an object with "text"'),
        ("reference_contexts", [[1]], "reference_contexts[0]", "text"),
        ("relevant_ids", {"d1": -1}, "relevant_ids.d1", "a whole number, 0 or more"),
        ("relevant_ids", {"d1": 0.5}, "relevant_ids.d1", "a whole number, 0 or more"),
        ("relevant_ids", {"d1": "2"}, "relevant_ids.d1", "a whole number, 0 or more"),
        ("dimensions", {"a": ["x"]}, "dimensions.a", "a text, a number, or true/false"),
        ("dimensions", "x", "dimensions", 'an object, such as {"name": "value"}'),
        ("trial", -1, "trial", "a whole number, 0 or more"),
        ("trial", "0", "trial", "a whole number, 0 or more"),
        ("trial", 2**31, "trial", "a whole number, 0 or more"),
        ("trial", True, "trial", "a whole number, 0 or more"),
        ("variant", {"family": "typo"}, "variant.of", "a text that is not empty, or a whole number"),
        ("variant", {"family": "typo", "of": "q1", "strength": "much"}, "variant.strength", "a finite number"),
        ("expected", 1.01, "expected", "a number from 0 to 1"),
        ("expected", -0.01, "expected", "a number from 0 to 1"),
        ("expected", "1", "expected", "a number from 0 to 1"),
        ("answer", "x\x00y", "answer", "text without NUL characters"),
        ("answer", "half \ud83d", "answer", "proper Unicode, without half surrogate pairs"),
        ("dimensions", {"\udc00": "x"}, "dimensions", "proper Unicode, without half surrogate pairs"),
    ],
)
def test_a_wrong_cell_is_named_and_only_its_row_left_out(field: str, value: object, column: str, expected: str) -> None:
    good = {"id": "q1", "query": "What?", "answer": "That."}
    lines = [good, {**good, "id": "q2", field: value}, {**good, "id": "q3"}]
    preview = read_run("\n".join(map(json.dumps, lines)).encode(), filename="x")
    assert [sample.id for sample in preview.samples] == ["q1", "q3"]
    assert [(p.row, p.column, p.expected) for p in preview.problems] == [(2, column, expected)]
    assert preview.problems[0].found.isprintable()


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        ("contexts", "one", [("one", None)]),
        ("contexts", ["one", None], [("one", None)]),
        ("contexts", [{"text": "x", "score": "high", "id": {}}], [("x", None)]),
        ("contexts", [{"text": "x", "score": "0.5"}], [("x", 0.5)]),
        ("contexts", [["x", 0.25], [{"text": "y"}, 0.125]], [("x", 0.25), ("y", 0.125)]),
        ("contexts", [{"node": {"text": "x"}, "score": 0.5}], [("x", 0.5)]),
        ("contexts", [{"_source": {"body": "x"}, "_score": 2.0}], [("x", 2.0)]),
        ("contexts", [{"text": "x", "embedding": [0.5] * 1_536}], [("x", None)]),
        ("contexts", [["one", "two"]], [("one", None), ("two", None)]),
    ],
)
def test_contexts_are_read_in_the_forms_that_tools_write(
    field: str, value: object, read: list[tuple[str, float | None]]
) -> None:
    preview = read_run(json.dumps([{"query": "q", "answer": "a", field: value}]).encode(), filename="x")
    assert [(passage.text, passage.score) for passage in preview.samples[0].contexts] == read


@pytest.mark.parametrize("cell", [[1], "text", {"a": {"b": ["x\x00y"]}}, [0.5] * 2_000, {"t": 1e999}])
def test_metadata_never_loses_a_row(cell: object) -> None:
    preview = read_run(json.dumps([{"query": "q", "answer": "a", "metadata": cell}]).encode(), filename="x")
    assert (len(preview.samples), preview.problems) == (1, ())


@pytest.mark.parametrize(("cell", "text"), [(0, "0"), (17.0, "17"), (2.5, "2.5"), (True, "true"), (False, "false")])
def test_a_number_or_truth_value_is_the_text_that_it_writes_and_is_said(cell: object, text: str) -> None:
    rows = [{"query": "2 − 2?", "answer": cell, "contexts": ["a", cell]}, {"query": "q", "answer": "a"}]
    preview = read_run(json.dumps(rows).encode(), filename="x.json")
    assert not preview.problems
    assert (preview.samples[0].answer, preview.samples[0].contexts[1].text) == (text, text)
    assert preview.read_as_text == {"answer": 1, "contexts": 1}
    assert notes_on_file(preview)[0] == (
        "Note: in 1 row, column answer holds a number or true/false; it is read as that text."
    )


def test_all_problems_of_a_row_are_told_at_once() -> None:
    line = {"query": "", "answer": [3], "trial": -1}
    preview = read_run(json.dumps([line, {"query": "q", "answer": "a"}]).encode(), filename="x")
    assert [p.column for p in preview.problems] == ["query", "answer", "trial"]
    assert (preview.bad, len(preview.bad_rows)) == (1, 1)


def test_a_row_without_an_answer_field_is_a_problem_and_null_is_not() -> None:
    lines = [{"query": "a", "answer": None}, {"query": "b"}, {"query": "c", "answer": ""}]
    preview = read_run(json.dumps(lines).encode(), filename="x")
    assert [(sample.query, sample.answer) for sample in preview.samples] == [("a", None), ("c", "")]
    assert [(p.row, p.column) for p in preview.problems] == [(2, "answer")]


def test_an_id_may_be_called_as_in_files_of_labels_and_scores() -> None:
    line = {"query": "q", "answer": "a"}
    for columns in ({"sample_id": "s1"}, {"id": "s1"}, {"id": "s1", "sample_id": "other"}):
        assert read_run(json.dumps({**columns, **line}).encode(), filename="x").samples[0].id == "s1"


def test_numbers_as_names_and_levels_become_text() -> None:
    line = {"id": 17, "query": "q", "answer": "a", "test_case": 3.0, "dimensions": {"year": 2022, "w": 0.5, "ok": True}}
    sample = read_run(json.dumps(line).encode(), filename="x").samples[0]
    assert (sample.id, sample.test_case) == ("17", "3")
    assert sample.dimensions == {"year": "2022", "w": "0.5", "ok": "true"}


def test_csv_numbers_are_read_out_of_text_as_strictly() -> None:
    rows = b"id,query,answer,trial,expected\n1,q,a,1.0,0.5\n2,q,a,one,0.5\n3,q,a,1,1_0\n4,q,a,-1,nan\n"
    preview = read_run(rows, filename="x")
    assert [(s.id, s.trial, s.expected) for s in preview.samples] == [("1", 1, 0.5)]
    assert [(p.row, p.column) for p in preview.problems] == [
        (2, "trial"),
        (3, "expected"),
        (4, "trial"),
        (4, "expected"),
    ]


@pytest.mark.parametrize(
    ("container", "malformed", "row"),
    [
        ("native.jsonl", lambda text: text.replace('"trial": 1', '"trial": 1.5'), 2),
        ("native.json", lambda text: text.replace('"trial": 1', '"trial": 1.5'), 2),
        ("native.csv", lambda text: text.replace(";;1;;", ";;1.5;;"), 2),
    ],
)
def test_a_malformed_file_keeps_its_good_rows(container: str, malformed: object, row: int) -> None:
    text = (FIXTURES / container).read_text(encoding="utf-8")
    changed = malformed(text)  # type: ignore[operator]
    assert changed != text
    preview = read_run(changed.encode(), filename=container)
    assert (len(preview.samples), preview.rows) == (2, 3)
    assert [(p.row, p.column) for p in preview.problems] == [(row, "trial")]


def test_a_malformed_parquet_file_keeps_its_good_rows() -> None:
    preview = read_run(FIXTURES / "native_malformed.parquet", filename="x.parquet")
    assert [(sample.id, sample.answer, sample.trial) for sample in preview.samples] == [
        ("q1", "Nothing.", 0),
        ("q3", None, 1),
    ]
    assert [(p.row, p.column, p.expected, p.found) for p in preview.problems] == [
        (2, "contexts[0].text", "text", "nothing"),
        (2, "query", "text that is not empty", "nothing"),
        (2, "trial", "a whole number, 0 or more", "the number 1.5"),
    ]
    assert [bad.row for bad in preview.bad_rows] == [2]


def test_what_contexts_hold_beyond_a_passage_goes_to_the_metadata() -> None:
    contexts = [{"id": "d1", "text": "One.", "page": 4, "source": None}, "Two."]
    line = {"query": "q", "answer": "a", "contexts": contexts, "metadata": {"model": "m1"}}
    preview = read_run(json.dumps(line).encode(), filename="x")
    assert preview.samples[0].metadata == {"context_metadata": [{"page": 4}, {}], "model": "m1"}
    assert read_run(write_run(preview.samples).encode(), filename="x").samples == preview.samples
    plain = read_run(json.dumps({**line, "contexts": ["One."]}).encode(), filename="x")
    assert plain.samples[0].metadata == {"model": "m1"}
