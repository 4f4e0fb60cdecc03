"""Every export is recognised as its own tool's, by its columns alone, and overlaps have one answer."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError
from hcat.core.importers import FORMATS, Limits, read_run
from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.content import read_table
from hcat.core.importers.recognition import nearest, recognise
from hcat.core.types import Sample

FIXTURES = Path(__file__).parent / "fixtures"
NO_RUNS = {"labels.csv", "aborts_the_library.parquet"}
FILES = sorted(file for file in FIXTURES.iterdir() if file.name not in NO_RUNS)


def expected_name(file: Path) -> str:
    """The format of a fixture, by the start of its file's name."""
    stem = file.name.split(".")[0].replace("ragas_01", "ragas-0.1").replace("_", "-")
    return max((known.name for known in FORMATS if stem.startswith(known.name)), key=len)


def columns_of(file: Path) -> tuple[str, ...]:
    data = file.read_bytes()
    return read_table(data, Limits(), is_record=lambda fields: recognise(fields) is not None).columns


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_fixture_is_of_its_own_format_and_of_no_other(file: Path) -> None:
    columns = columns_of(file)
    assert [known.name for known in FORMATS if known.fits(columns)] == [expected_name(file)]


def test_every_format_has_a_fixture() -> None:
    assert {expected_name(file) for file in FILES} == {known.name for known in FORMATS}
    assert len({known.name for known in FORMATS}) == len(FORMATS) == 15


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        # A GRAMMAR file has all columns that a native one needs.
        (("query", "answer", "gpt_response", "query_tag", "judgement"), "grammar"),
        # continuous-eval beside ragas 0.1, which shares all but the contexts' name.
        (("question", "answer", "retrieved_context", "ground_truths"), "continuous-eval"),
        (("question", "answer", "contexts", "ground_truths"), "ragas-0.1"),
        # TruLens and Langfuse share input and output with DeepEval and Phoenix.
        (("input", "output", "record_id", "app_id", "ts"), "trulens"),
        (("input", "output", "reference", "context.span_id"), "phoenix"),
        (("input", "output", "id", "timestamp", "sessionId", "metadata"), "langfuse"),
        (("input", "actual_output", "expected_output", "context"), "deepeval"),
        # RAGChecker's "query" and "response" beside Phoenix' and ragas'.
        (("query", "response", "gt_answer", "retrieved_context"), "ragchecker"),
        (("query", "response", "reference", "context.span_id"), "phoenix"),
        (("user_input", "response", "reference"), "ragas"),
        # A tool's columns with another one's beside them: most known columns win.
        (("question", "answer", "contexts", "retrieved_context", "ground_truth_context"), "continuous-eval"),
        (("question", "answer", "contexts", "retrieved_context", "id", "ground_truth"), "ragas-0.1"),
        (("query", "answer", "question", "reference_answer", "agent_answer", "metadata", "id"), "giskard"),
    ],
)
def test_overlaps_go_to_the_format_that_says_most(columns: tuple[str, ...], name: str) -> None:
    for order in itertools.islice(itertools.permutations(columns), 30):
        found = recognise(order)
        assert found is not None
        assert found.name == name


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(FORMATS, 2)), ids=lambda known: known.name)
def test_two_formats_in_one_file_give_one_that_no_other_beats(one: Format, other: Format) -> None:
    columns = [names.split("|")[0] for names in (*one.required, *one.fields, *other.required)]
    found = recognise(columns)
    assert found is recognise(columns[::-1])
    assert found is not None
    fitting = [known for known in FORMATS if known.fits(columns)]
    assert all(len(known.known_fields(columns)) <= len(found.known_fields(columns)) for known in fitting)


def read_nothing(row: object) -> Sample:
    return Sample("", "q", None)


def test_of_several_names_of_a_column_the_preferred_one_counts() -> None:
    made = Format("made", "Made", ("input|query",), {"input|query": "query", "answer": "answer"}, read_nothing)
    assert made.known_fields(("answer", "query", "input")) == {"answer": "answer", "input": "query"}
    assert made.known_fields(("query",)) == {"query": "query"}
    assert made.missing(("answer",)) == ("input|query",)
    assert made.fits(("query",))
    assert not made.fits(("input|query",))


def test_the_first_name_that_holds_something_is_read_and_the_other_column_is_kept() -> None:
    row = {"context.span_id": "s", "input": "q1", "query": "q2", "output": None, "response": "a", "reference": "c"}
    sample = read_run(json.dumps([row]).encode(), filename="x").samples[0]
    assert (sample.query, sample.answer) == ("q1", "a")
    assert sample.metadata["query"] == "q2"


def test_an_unknown_file_hears_of_the_nearest_formats_only() -> None:
    near = [known.name for known in nearest(("question", "reference_answer", "context"))]
    assert near == ["native", "giskard", "ragas-0.1", "continuous-eval"]
    assert [known.name for known in nearest(("a", "b"))] == ["native"]


def test_a_wrapper_with_two_lists_of_records_is_refused() -> None:
    rows = [{"query": "q", "answer": "a"}]
    with pytest.raises(FileFormatError, match='lists of records in it: "one", "two"'):
        read_run(json.dumps({"one": rows, "two": rows * 2}).encode(), filename="x")
    inner = {"run": {"made": "today", "data": {"rows": rows, "totals": [{"mean": 1}]}}, "tags": [{"a": 1}]}
    assert read_run(json.dumps(inner).encode(), filename="x").samples[0].query == "q"
