"""Suggested mappings of unknown columns."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.importers import FORMATS, read_run, suggest_mapping
from hcat.core.importers.formats.native import FIELDS
from hcat.core.importers.suggestion import USUAL_NAMES, words


@pytest.mark.parametrize(
    ("columns", "suggested"),
    [
        (("Frage", "Antwort", "Quellen", "Firma"), ("query", "answer", "contexts", None)),
        (("prompt", "completion", "ideal"), ("query", "answer", "reference")),
        (("userQuestion", "botResponse", "retrievedChunks"), ("query", "answer", "contexts")),
        (("QUERY", "GT Answer", "LLM-Output"), ("query", "reference", "answer")),
        (("inputs.question", "outputs.answer", "reference.answer"), ("query", "answer", "reference")),
        (("Question Text", "Correct Answer", "Model Answer"), ("query", "reference", "answer")),
        (("questions", "answers", "context"), ("query", "answer", "contexts")),
        (("evaluation_input", "evaluation_output"), ("query", "answer")),
        (("ground_truth_context", "retrieved_context"), ("reference_contexts", "contexts")),
        # What is native keeps its name, whatever else is there.
        (("question", "query", "response", "answer"), (None, "query", None, "answer")),
        # A rating and a true answer are both called "expected".
        (("reference", "expected"), ("reference", "expected")),
        (("question", "expected"), ("query", "reference")),
        # An answer that is said to be true is never the system's.
        (("correct_answer",), ("reference",)),
        (("expected_response", "gold_answer"), (None, "reference")),
        (("page_id", "score", "label", "", "  ", "text"), (None, None, None, None, None, None)),
    ],
)
def test_suggestions(columns: tuple[str, ...], suggested: tuple[str | None, ...]) -> None:
    assert suggest_mapping(columns) == dict(zip(columns, suggested, strict=True))


def test_native_fields_are_all_known_and_suggest_themselves() -> None:
    assert tuple(USUAL_NAMES) == FIELDS
    assert suggest_mapping(FIELDS) == {name: name for name in FIELDS}


@pytest.mark.parametrize("name", ["deepeval", "ragchecker", "giskard", "continuous-eval", "ragas", "ragas-0.1"])
def test_the_main_columns_of_known_formats_are_suggested_as_they_are_read(name: str) -> None:
    known = next(known for known in FORMATS if known.name == name)
    fields = {names.split("|")[0]: field for names, field in known.fields.items()}
    suggested = suggest_mapping(tuple(fields))
    for column, field in fields.items():
        if field in {"query", "answer", "contexts"} and not column.endswith("ids"):
            assert (column, suggested[column]) == (column, field)


def test_a_suggestion_can_be_used_as_a_mapping() -> None:
    row = {"userQuestion": "q", "botResponse": "a", "retrievedChunks": ["c"], "Correct Answer": "r", "Firma": "3M"}
    mapping = {column: field for column, field in suggest_mapping(tuple(row)).items() if field is not None}
    sample = read_run(json.dumps([row]).encode(), filename="x", mapping=mapping).samples[0]
    assert (sample.query, sample.answer, sample.contexts[0].text, sample.reference) == ("q", "a", "c", "r")


@given(
    st.lists(st.sampled_from([*FIELDS, "question", "Answer", "outputs.answer", "gt", "expected answer"]) | st.text())
)
def test_each_column_gets_an_entry_and_each_field_at_most_one_column(columns: list[str]) -> None:
    suggested = suggest_mapping(columns)
    assert list(suggested) == list(dict.fromkeys(columns))
    used = [field for field in suggested.values() if field is not None]
    assert len(used) == len(set(used))
    assert set(used) <= set(FIELDS)


def test_words_of_a_name() -> None:
    assert words("retrievalContext[0].text") == ("retrieval", "context", "0")
    assert words("LLMOutput") == ("llm", "output")
    assert words("gt_answer") == ("gt", "answer")
    assert words("Überschrift") == ("überschrift",)
    assert words("text") == ("text",)
