"""Exports as current versions of tools document them: written by hand after their documentation, no real files."""

from __future__ import annotations

import json

import pytest

from hcat.core.importers import read_run
from hcat.core.types import JsonValue, Sample

TRACE: dict[str, JsonValue] = {
    "id": "t1",
    "timestamp": "2025-10-01T10:00:00.000Z",
    "name": "rag",
    "input": {"question": "What is the fee?"},
    "output": {"answer": "5 EUR", "contexts": ["The fee is 5 EUR."]},
    "metadata": {},
}
CHAT: dict[str, JsonValue] = {
    "id": "o1",
    "traceId": "t1",
    "type": "GENERATION",
    "name": "llm",
    "startTime": "2025-10-01T10:00:00Z",
    "input": [{"role": "user", "content": "What is the fee?"}],
    "output": {"role": "assistant", "content": "5 EUR"},
}
RETRIEVED: dict[str, JsonValue] = {"id": "o2", "type": "RETRIEVER", "name": "search", "output": ["The fee is 5 EUR."]}
OUTPUT: dict[str, JsonValue] = {
    "id": "r1",
    "prompt": {"raw": "Answer {{message}}", "label": "p"},
    "promptIdx": 0,
    "provider": {"id": "openai:gpt-4o", "label": ""},
    "response": {"output": "5 EUR", "metadata": {"context": ["The fee is 5 EUR."]}},
    "score": 1,
    "success": True,
    "failureReason": 0,
    "testCase": {"vars": {}, "assert": [{"type": "equals", "value": "5 EUR"}], "metadata": {}},
    "testIdx": 0,
    "vars": {"message": "What is the fee?", "tone": "polite"},
}


def only(document: JsonValue, format_name: str) -> Sample:
    found = read_run(json.dumps(document).encode(), filename="x.json")
    assert (found.problems, found.format.name) == ((), format_name)
    [sample] = found.samples
    assert (sample.query, sample.answer) == ("What is the fee?", "5 EUR")
    return sample


@pytest.mark.parametrize(
    "trace",
    [
        TRACE,
        {**TRACE, "output": "5 EUR", "observations": [CHAT, RETRIEVED]},
        {**TRACE, "output": "5 EUR", "observations": [{**RETRIEVED, "type": "SPAN", "name": "Retrieval"}]},
    ],
)
def test_traces_of_langfuse_with_what_they_retrieved(trace: JsonValue) -> None:
    for document in ([trace], {"data": [trace], "meta": {"page": 1}}):
        assert [passage.text for passage in only(document, "langfuse").contexts] == ["The fee is 5 EUR."]


def test_observations_and_items_of_an_experiment_of_langfuse() -> None:
    assert only([CHAT], "langfuse").id == "o1"
    assert only([{**TRACE, "observations": ["o1", "o2"], "output": "5 EUR"}], "langfuse").contexts == ()
    item = {**CHAT, "datasetItemId": "d", "expectedOutput": {"answer": "5 EUR"}}
    sample = only([item], "langfuse")
    assert (sample.reference, sample.test_case) == ("5 EUR", "d")


def test_a_result_of_promptfoo_whose_question_is_a_message() -> None:
    sample = only({"evalId": "e", "results": {"version": 3, "results": [OUTPUT]}, "config": {}}, "promptfoo")
    assert (sample.reference, [passage.text for passage in sample.contexts]) == ("5 EUR", ["The fee is 5 EUR."])
    assert sample.metadata["vars"] == {"tone": "polite"}


@pytest.mark.parametrize(
    "head",
    ["question,answer", "Frage,Antwort", "q,a", "user,assistant", "Customer question,Bot answer", "input,output"],
)
def test_plain_tables_of_questions_and_answers(head: str) -> None:
    found = read_run(f"{head}\nWhat?,That.\nWho?,She.\n".encode(), filename="x.csv")
    assert [(sample.query, sample.answer) for sample in found.samples] == [("What?", "That."), ("Who?", "She.")]


def test_a_user_beside_an_answer_is_no_question() -> None:
    rows = [{"user": f"u{n}", "question": "What?", "answer": "That."} for n in range(3)]
    found = read_run(json.dumps(rows).encode(), filename="x.json")
    assert {sample.query for sample in found.samples} == {"What?"}
