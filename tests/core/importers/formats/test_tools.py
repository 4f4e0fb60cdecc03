"""Exports of other tools, in the layouts that the tools write: what is read, and what is wrong in a malformed file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError
from hcat.core.importers import Preview, read_run, write_run
from hcat.core.importers.reading.structures import passage_id
from hcat.core.importers.scores.read_scores import scores_in

FIXTURES = Path(__file__).parents[1] / "fixtures"
RECORDS = [json.loads(line) for line in (FIXTURES / "ragas.jsonl").read_text(encoding="utf-8").splitlines()]
"""The three questions that most fixtures hold: two contexts, one context, none."""

QUERIES = [record["user_input"] for record in RECORDS]
ANSWERS = [record["response"] for record in RECORDS]
LAST_FAILED = [*ANSWERS[:2], None]
CONTEXTS = [record["retrieved_contexts"] for record in RECORDS]
REFERENCES = [record["reference"] for record in RECORDS]
TRUE_CONTEXTS = [record["reference_contexts"] for record in RECORDS]
NONE: list[list[str]] = [[], [], []]
NO_REFERENCES = [None, None, None]

EXPORTS = [
    ("deepeval.csv", "deepeval", LAST_FAILED, CONTEXTS, REFERENCES, TRUE_CONTEXTS),
    ("deepeval.json", "deepeval", LAST_FAILED, CONTEXTS, REFERENCES, TRUE_CONTEXTS),
    ("deepeval.jsonl", "deepeval", LAST_FAILED, CONTEXTS, REFERENCES, TRUE_CONTEXTS),
    ("deepeval_test_run.json", "deepeval", LAST_FAILED, CONTEXTS, REFERENCES, TRUE_CONTEXTS),
    ("ragchecker.json", "ragchecker", ANSWERS, CONTEXTS, REFERENCES, NONE),
    ("trulens.csv", "trulens", ANSWERS, CONTEXTS, NO_REFERENCES, NONE),
    ("trulens.json", "trulens", ANSWERS, CONTEXTS, NO_REFERENCES, NONE),
    ("phoenix.csv", "phoenix", LAST_FAILED, CONTEXTS, NO_REFERENCES, NONE),
    ("phoenix.jsonl", "phoenix", LAST_FAILED, CONTEXTS, NO_REFERENCES, NONE),
    ("langsmith.csv", "langsmith", LAST_FAILED, CONTEXTS, REFERENCES, NONE),
    ("langsmith.json", "langsmith", LAST_FAILED, CONTEXTS, REFERENCES, NONE),
    ("langfuse.csv", "langfuse", ANSWERS, CONTEXTS, NO_REFERENCES, NONE),
    ("langfuse.json", "langfuse", ANSWERS, CONTEXTS, NO_REFERENCES, NONE),
    ("giskard.csv", "giskard", ANSWERS, NONE, REFERENCES, None),
    ("giskard.jsonl", "giskard", ANSWERS, NONE, REFERENCES, None),
    ("continuous_eval.jsonl", "continuous-eval", ANSWERS, CONTEXTS, REFERENCES, TRUE_CONTEXTS),
    ("promptfoo.json", "promptfoo", LAST_FAILED, CONTEXTS, REFERENCES, NONE),
    ("promptfoo.jsonl", "promptfoo", LAST_FAILED, CONTEXTS, REFERENCES, NONE),
    ("ares.tsv", "ares", ANSWERS, [texts[:1] for texts in CONTEXTS], NO_REFERENCES, NONE),
    ("ares_few_shot.tsv", "ares", ANSWERS, [texts[:1] for texts in CONTEXTS], NO_REFERENCES, NONE),
]


@pytest.mark.parametrize(("file", "name", "answers", "contexts", "references", "true_contexts"), EXPORTS)
def test_an_export_is_recognised_read_whole_and_read_back(
    file: str,
    name: str,
    answers: list[str | None],
    contexts: list[list[str]],
    references: list[str | None],
    true_contexts: list[list[str]] | None,
) -> None:
    preview = read_run(FIXTURES / file, filename=file)
    assert (preview.format.name, preview.problems, preview.rows) == (name, (), 3)
    samples = preview.samples
    assert [sample.query for sample in samples] == QUERIES
    assert [sample.answer for sample in samples] == answers
    assert [[passage.text for passage in sample.contexts] for sample in samples] == contexts
    assert [sample.reference for sample in samples] == references
    if true_contexts is not None:
        assert [list(sample.reference_contexts) for sample in samples] == true_contexts
    again = read_run(write_run(samples).encode(), filename="x")
    assert (again.format.name, again.problems, again.samples) == ("native", (), samples)


def records(file: str) -> list[dict[str, object]]:
    """The rows of a fixture as they stand in it, without a wrapper."""
    text = (FIXTURES / file).read_text(encoding="utf-8")
    if file.endswith("jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    document = json.loads(text)
    for key in ("testRunData", "testCases", "results", "results"):
        document = document[key] if isinstance(document, dict) and key in document else document
    return list(document)


def with_wrong_cell(file: str, column: str, cell: object) -> bytes:
    """The fixture with one cell of its second row replaced."""
    if file.endswith(("csv", "tsv")):
        delimiter = "\t" if file.endswith("tsv") else ","
        rows = list(csv.reader(io.StringIO((FIXTURES / file).read_text(encoding="utf-8")), delimiter=delimiter))
        rows[2][rows[0].index(column)] = str(cell)
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter).writerows(rows)
        return out.getvalue().encode()
    rows_read = records(file)
    rows_read[1][column] = cell
    return "\n".join(map(json.dumps, rows_read)).encode()


OBJECT = 'an object, such as {"name": "value"}'
LIST = 'a list, such as ["first", "second"]'
FILLED = "text that is not empty"
ANSWER_EXPECTED = "text, chat messages, or an object with one of answer, response, output, actual_output …"
REFERENCE_EXPECTED = (
    "text, chat messages, or an object with one of reference, ground_truth, expected_output, expected_answer …"
)
NAME = "a text that is not empty, or a whole number"


@pytest.mark.parametrize(
    ("file", "column", "cell", "where", "expected"),
    [
        ("deepeval.csv", "input", "", "input", FILLED),
        ("deepeval.json", "retrieval_context", [[1], []], "retrieval_context[0]", 'a text, or an object with "text"'),
        ("deepeval_test_run.json", "actualOutput", [7], "actualOutput", "text"),
        ("deepeval_test_run.json", "context", [None], "context[0]", "text"),
        ("ragchecker.json", "retrieved_context", [{"doc_id": "0"}], "retrieved_context[0].text", "text"),
        ("ragchecker.json", "gt_answer", ["5.1 %"], "gt_answer", "text"),
        ("trulens.csv", "record_id", "", "record_id", NAME),
        ("trulens.csv", "input", '""', "input", FILLED),
        ("trulens.json", "output", {"text": "x"}, "output", "text"),
        ("phoenix.csv", "context.span_id", "", "context.span_id", NAME),
        ("phoenix.jsonl", "query", None, "query", FILLED),
        ("langsmith.csv", "inputs.question", "", "inputs.question", FILLED),
        (
            "langsmith.csv",
            "outputs.documents",
            "[Document(metadata={'page': 1})]",
            "outputs.documents[0].text",
            "text",
        ),
        (
            "langsmith.json",
            "outputs.answer",
            {"score": 1},
            "outputs.answer",
            ANSWER_EXPECTED,
        ),
        (
            "langfuse.json",
            "input",
            [{"role": "system", "content": "x"}],
            "input",
            "chat messages, one of them with the role user",
        ),
        ("langfuse.csv", "id", "", "id", NAME),
        ("giskard.jsonl", "agent_answer", [True], "agent_answer", "text"),
        ("continuous_eval.jsonl", "ground_truth_answers", {"a": 1}, "ground_truth_answers", REFERENCE_EXPECTED),
        ("promptfoo.jsonl", "vars", None, "vars", OBJECT),
        ("promptfoo.jsonl", "response", {"output": {"tokens": 3}}, "response.output", ANSWER_EXPECTED),
        ("promptfoo.json", "provider", None, "provider", OBJECT),
        ("ares.tsv", "Query", "", "Query", FILLED),
        ("ares_few_shot.tsv", "Question", " ", "Question", FILLED),
        ("grammar.json", "query_tag", None, "query_tag", NAME),
        ("grammar.json", "gpt_response", ["one", "two"], "gpt_response", "one response"),
        ("grammar.json", "gpt_response", [None], "gpt_response[0]", "text"),
        (
            "grammar.json",
            "retrieved_document_ids",
            [1, 2],
            "retrieved_document_ids",
            "1 ids, one for each retrieved document",
        ),
        ("grammar.json", "true_document_ids", "Alder", "true_document_ids", LIST),
    ],
)
def test_a_wrong_cell_is_named_once_and_only_its_row_left_out(
    file: str, column: str, cell: object, where: str, expected: str
) -> None:
    preview = read_run(with_wrong_cell(file, column, cell), filename=file)
    assert preview.format.name == read_run(FIXTURES / file, filename=file).format.name
    assert len(preview.samples) == 2
    assert [(p.row, p.column, p.expected) for p in preview.problems] == [(2, where, expected)]


def one(*rows: dict[str, object]) -> Preview:
    return read_run(json.dumps(rows).encode(), filename="x")


def test_deepeval_keeps_metadata_and_takes_a_list_in_csv_too() -> None:
    sample = read_run(FIXTURES / "deepeval.csv", filename="x").samples[1]
    assert sample.metadata["page"] == 5
    data = b"input,actual_output,retrieval_context\nq,a,\"['one|two', 'three']\"\nq2,a2,\n"
    preview = read_run(data, filename="x")
    assert [[p.text for p in sample.contexts] for sample in preview.samples] == [["one|two", "three"], []]


def test_deepeval_test_runs_are_found_with_and_without_their_wrapper() -> None:
    run = json.loads((FIXTURES / "deepeval_test_run.json").read_text(encoding="utf-8"))["testRunData"]
    assert len(run["metricsScores"]) == 1  # A second list of objects beside the test cases.
    bare = read_run(json.dumps(run).encode(), filename="x")
    assert bare.samples == read_run(FIXTURES / "deepeval_test_run.json", filename="x").samples
    assert bare.samples[0].metadata["metricsData"][0]["name"] == "Faithfulness"  # type: ignore[index]


def test_a_test_run_of_conversations_only_is_refused() -> None:
    run = {"testRunData": {"testCases": [], "conversationalTestCases": [{"name": "t", "turns": [{"role": "user"}]}]}}
    with pytest.raises(FileFormatError, match="one list of records was expected"):
        read_run(json.dumps(run).encode(), filename="x")


def test_ragchecker_keeps_ids_and_verdicts() -> None:
    samples = read_run(FIXTURES / "ragchecker.json", filename="x").samples
    assert [sample.id for sample in samples] == ["0", "1", "2"]
    assert [passage.id for passage in samples[0].contexts] == ["000", "001"]
    assert samples[0].metadata["metrics"] == {"precision": 1.0, "recall": 1.0, "faithfulness": 1.0}


def test_trulens_takes_sources_of_groundedness_where_nothing_else_names_contexts() -> None:
    row = {"record_id": "r1", "input": '"Why?"', "output": "plain, not quoted"}
    calls = [{"args": {"source": ["one", "two"], "statement": "x"}, "ret": 1.0}, {"args": {"source": "one"}}]
    sample = one({**row, "Groundedness_calls": calls}).samples[0]
    assert (sample.query, sample.answer) == ("Why?", "plain, not quoted")
    assert [passage.text for passage in sample.contexts] == ["one", "two"]
    relevance = [{"args": {"question": "Why?", "context": "three"}, "ret": 0.5}]
    sample = one({**row, "Groundedness_calls": calls, "Relevance_calls": relevance}).samples[0]
    assert [passage.text for passage in sample.contexts] == ["three"]
    assert sample.metadata["Relevance_calls"] == relevance


def test_phoenix_takes_the_reference_for_what_was_retrieved_and_cuts_at_blank_lines() -> None:
    row = {"context.span_id": "s1", "input": "q", "output": "a", "reference": "one\n\ntwo\nlines\n\n\n\n"}
    sample = one(row).samples[0]
    assert [passage.text for passage in sample.contexts] == ["one", "two\nlines"]
    assert sample.reference is None
    assert sample.id == "s1"


def test_phoenix_documents_without_answers_are_no_run() -> None:
    row = {"context.span_id": "s1", "document_position": 0, "input": "q", "reference": "one", "document_score": 0.5}
    with pytest.raises(FileFormatError, match=r"phoenix needs context\.span_id, input\|query, reference, output\|resp"):
        one(row)


def test_langsmith_keeps_what_documents_say_of_themselves() -> None:
    samples = read_run(FIXTURES / "langsmith.json", filename="x").samples
    assert samples[0].metadata["context_metadata"] == [
        {"metadata": {"source": "report.pdf", "page": 1}, "type": "Document"},
        {"metadata": {"source": "report.pdf", "page": 2}, "type": "Document"},
    ]
    assert samples[2].test_case == "0b6d1a5e-0000-4000-8000-000000000002"
    assert read_run(FIXTURES / "langsmith.csv", filename="x").samples[0].contexts == samples[0].contexts


def test_langsmith_objects_as_python_shows_them_in_csv() -> None:
    row = {
        "inputs.messages": "[HumanMessage(content='q', additional_kwargs={}, response_metadata={})]",
        "outputs.answer": "a",
        "outputs.documents": "[Document(id='d1', metadata={'page': 3}, page_content='It\\'s one.\\nTwo')]",
    }
    out = io.StringIO()
    csv.writer(out).writerows([row.keys(), row.values()])
    preview = read_run(out.getvalue().encode(), filename="x")
    assert preview.problems == ()
    sample = preview.samples[0]
    assert (sample.query, sample.contexts[0].id, sample.contexts[0].text) == ("q", "d1", "It's one.\nTwo")
    assert sample.metadata["context_metadata"] == [{"type": "Document", "metadata": {"page": 3}}]


@pytest.mark.parametrize(
    ("row", "query", "answer", "reference"),
    [
        ({"inputs.query": "q", "outputs.output": "a", "reference.output": "r"}, "q", "a", "r"),
        ({"input.question": "q", "outputs.response": "a", "reference.answer": "r"}, "q", "a", "r"),
        ({"inputs.input": "q", "output": "a", "reference": "r"}, "q", "a", "r"),
        (
            {
                "inputs.messages": [{"role": "user", "content": "q1"}, {"role": "user", "content": "q2"}],
                "outputs.messages": [
                    {"type": "human", "content": "q2"},
                    {"type": "ai", "content": [{"type": "text", "text": "a"}]},
                ],
            },
            "q2",
            "a",
            None,
        ),
    ],
)
def test_langsmith_names_vary(row: dict[str, object], query: str, answer: str, reference: str | None) -> None:
    preview = one(row)
    assert (preview.format.name, preview.problems) == ("langsmith", ())
    sample = preview.samples[0]
    assert (sample.query, sample.answer, sample.reference) == (query, answer, reference)


def test_langfuse_keeps_the_rest_of_what_was_logged() -> None:
    samples = read_run(FIXTURES / "langfuse.json", filename="x").samples
    assert samples[2].metadata["input"] == {"language": "en"}
    assert [message["role"] for message in samples[1].metadata["input"]] == ["system", "user"]  # type: ignore
    assert samples[0].metadata["release_note"] == "r1"
    snake = {"id": "t", "timestamp": "2025-03-01", "session_id": "s", "input": '{"query": "q"}', "output": '{"text"'}
    sample = one(snake).samples[0]
    assert (sample.query, sample.answer) == ("q", '{"text"')


def test_langfuse_takes_the_named_argument_of_a_function() -> None:
    row = {"id": "t", "timestamp": "2025-03-01", "sessionId": None, "output": "a"}
    preview = one({**row, "input": {"args": [{"k": 3}], "kwargs": {"query": "q", "contexts": ["one"]}}})
    assert preview.problems == ()
    assert (preview.samples[0].query, preview.samples[0].contexts[0].text) == ("q", "one")


def test_giskard_cuts_the_reference_context_and_slices_as_its_report_does() -> None:
    for file in ("giskard.jsonl", "giskard.csv"):
        samples = read_run(FIXTURES / file, filename=file).samples
        assert samples[0].reference_contexts == (TRUE_CONTEXTS[0][0], "Contents:\n\n1. Capital")
        assert samples[1].dimensions["question_type"] == "simple"
        assert samples[1].dimensions["topic"] == "Capital"
        assert len(samples[0].metadata["conversation_history"]) == 2  # type: ignore[arg-type]
        assert "conversation_history" not in samples[1].metadata
    row = {"question": "q", "reference_answer": "r", "agent_answer": "a", "reference_context": "Plain text."}
    assert one(row).samples[0].reference_contexts == ("Plain text.",)


def test_a_giskard_test_set_without_answers_is_no_run() -> None:
    with pytest.raises(FileFormatError, match="giskard needs question, reference_answer, agent_answer"):
        one({"id": "1", "question": "q", "reference_answer": "r", "reference_context": "c", "metadata": {}})


def test_continuous_eval_names_of_earlier_versions() -> None:
    row = {"question": "q", "retrieved_contexts": ["c"], "ground_truth_contexts": ["t"], "ground_truths": ["x", "y"]}
    sample = one({**row, "answer": "a"}).samples[0]
    assert (sample.reference, sample.reference_contexts) == ("x", ("t",))
    assert sample.metadata == {"answers": ["x", "y"]}
    single = {"question": "q", "retrieved_context": [{"page_content": "c", "score": 0.5}], "answer": "a"}
    sample = one({**single, "ground_truth_answers": "x"}).samples[0]
    assert (sample.reference, sample.contexts[0].score) == ("x", 0.5)


def test_promptfoo_slices_by_provider_and_prompt() -> None:
    samples = read_run(FIXTURES / "promptfoo.json", filename="x").samples
    assert samples[0].dimensions["provider"] == "gpt-4o"
    assert samples[0].dimensions["prompt"] == "prompt 0"  # Its label is the whole template.
    assert [sample.test_case for sample in samples] == ["0", "1", "2"]
    assert samples[0].metadata["vars"] == {"language": "en"}
    assert samples[0].metadata["topic"] == "capital"


def promptfoo(**changes: object) -> dict[str, object]:
    base = {
        "vars": {"q": "q"},
        "prompt": {"raw": "x", "label": "short"},
        "provider": "echo",
        "success": True,
        "score": 1,
    }
    return {**base, **changes}


@pytest.mark.parametrize(
    ("changes", "answer", "contexts", "reference"),
    [
        ({"response": {"output": "a"}}, "a", [], None),
        ({"response": {"output": {"answer": "a", "context": "c"}}}, "a", ["c"], None),
        ({"response": {"output": "a", "metadata": {"contexts": ["c", "d"]}}}, "a", ["c", "d"], None),
        ({"vars": {"query": "q", "expected": "r", "context": "c"}}, None, ["c"], "r"),
        (
            {"testCase": {"assert": [{"type": "equals", "value": 3}, {"type": "factuality", "value": "r"}]}},
            None,
            [],
            "r",
        ),
        ({"response": {"error": "500"}}, None, [], None),
    ],
)
def test_promptfoo_finds_contexts_and_reference(
    changes: dict[str, object], answer: str | None, contexts: list[str], reference: str | None
) -> None:
    preview = one(promptfoo(**changes))
    assert (preview.format.name, preview.problems) == ("promptfoo", ())
    sample = preview.samples[0]
    assert (sample.query, sample.answer, sample.reference) == ("q", answer, reference)
    assert [passage.text for passage in sample.contexts] == contexts
    assert sample.dimensions == {"provider": "echo", "prompt": "short"}


BESIDE = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
TEMPLATE = "Answer from the context: {{context}}\n{{question}}"


def written(*rows: list[str]) -> Preview:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return read_run(text.getvalue().encode(), filename="results.csv")


def test_promptfoo_reads_verdict_scores_and_text_of_a_cell() -> None:
    preview = written(
        ["question", "context", f"[openai:gpt-4o] {TEMPLATE}", f"[our model] {TEMPLATE}"],
        [
            "How high is it?",
            '["At 5.1 %.", "Well above."]',
            "[PASS] (1.00, Accuracy: 0.50, tone: 1.00)\n\n5.1 %\n\nPass Reason: All assertions passed",
            '[FAIL] (0.25)\n\n(5.00) is\nmy guess\n\nFail Reason: Expected "5.1"\nto be there',
        ],
        ["Who?", "Birch LLP", "[ERROR] (0.00)\n\nAPI error: 500", "[PASS] (1.00)\n\nBirch"],
    )
    assert (preview.format.name, preview.problems, preview.rows) == ("promptfoo", (), 4)
    assert [s.query for s in preview.samples] == ["How high is it?"] * 2 + ["Who?"] * 2
    assert [s.answer for s in preview.samples] == ["5.1 %", "(5.00) is\nmy guess", None, "Birch"]
    assert [[c.text for c in s.contexts] for s in preview.samples[1:3]] == [["At 5.1 %.", "Well above."], ["Birch LLP"]]
    assert [s.test_case for s in preview.samples] == ["0", "0", "1", "1"]
    assert {s.dimensions["provider"] for s in preview.samples} == {"openai:gpt-4o", "our model"}
    assert preview.samples[0].dimensions.keys() == {"provider", "prompt"}
    assert [cells["score"] for cells in preview.named_cells] == [1.0, 0.25, 0.0, 1.0]
    assert [column.name for column in scores_in(preview, filename="x", sha256="").columns] == [
        *("success", "score", "Accuracy", "tone")
    ]


def test_promptfoo_reads_the_columns_beside_an_output() -> None:
    preview = written(
        ["Description", "question", "expected", "[echo] short", *BESIDE, "[python:f.py] short", "Reasoning", *BESIDE],
        ["d", "q", "5", "It is 5", "PASS", "1.00", '{"acc": 0.5}', "ok", "", "Six", "", "FAIL", "0.00", "", "no", ""],
        ["", "Who?", "me", "boom", "ERROR", "0.00", "", "", "", "", "", "", "", "", "", ""],
    )
    assert (preview.format.name, preview.problems) == ("promptfoo", ())
    assert [(s.query, s.answer, s.reference) for s in preview.samples] == [
        *(("q", "It is 5", "5"), ("q", "Six", "5"), ("Who?", None, "me"))
    ]
    assert [cells["success"] for cells in preview.named_cells] == [True, False, False]
    assert [cells.get("acc") for cells in preview.named_cells] == [0.5, None, None]
    assert preview.samples[0].dimensions["prompt"] == "short"


def test_promptfoo_without_a_question_asks_what_was_sent() -> None:
    preview = written(
        ["city", "tone", "[openai:gpt-4o] Describe {{city}} in a {{ tone }} tone"], ["Berlin", "dry", "It is big."]
    )
    assert [(s.query, s.answer) for s in preview.samples] == [("Describe Berlin in a dry tone", "It is big.")]
    without_variables = written(["[openai:gpt-4o] Which year?", "[echo:x] Which year?"], ["2021", "I can't tell"])
    assert [(s.query, s.answer) for s in without_variables.samples] == [
        *(("Which year?", "2021"), ("Which year?", "I can't tell"))
    ]
    messages = json.dumps([{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Describe Rome"}])
    sent = one(promptfoo(vars={"city": "Rome", "tone": "dry"}, prompt={"raw": messages, "label": "short"}))
    assert sent.samples[0].query == "Describe Rome"


def test_promptfoo_of_the_first_versions() -> None:
    messages = json.dumps([{"role": "user", "content": "The question is: {{ topic }}"}])
    preview = written(
        [json.dumps({"raw": messages, "display": messages}), "topic"],
        ['[FAIL] (0.00) Expected output to contain "fs"\n---\nA module.', "What is fs?"],
        ["", ""],
    )
    assert (preview.format.name, preview.rows, preview.problems) == ("promptfoo", 1, ())
    assert (preview.samples[0].query, preview.samples[0].answer) == ("What is fs?", "A module.")


def test_promptfoo_says_its_scores_once() -> None:
    grading = {"pass": False, "score": 0, "reason": "no", "componentResults": [{"pass": False, "score": 0}]}
    preview = one(promptfoo(vars={}, prompt={"raw": "Say hello", "label": "Say hello"}, gradingResult=grading))
    assert preview.samples[0].query == "Say hello"
    names = [column.name for column in scores_in(preview, filename="x", sha256="").columns]
    assert names == ["success", "score"]


def test_a_name_in_brackets_is_no_output_of_promptfoo() -> None:
    preview = written(["question", "answer", "[EUR] amount"], ["q", "a", "5"], ["r", "b", "6"])
    assert (preview.format.name, len(preview.samples)) == ("table", 2)


def test_ares_keeps_labels() -> None:
    sample = read_run(FIXTURES / "ares.tsv", filename="x").samples[0]
    assert sample.metadata["Context_Relevance_Label"] == "1.0"
    assert sample.contexts[0].id == passage_id(CONTEXTS[0][0])


def test_grammar_groups_queries_and_keeps_documents_whole() -> None:
    first, unasked, without_texts = read_run(FIXTURES / "grammar.json", filename="x").samples
    assert [sample.group for sample in (first, unasked, without_texts)] == ["0", "0", "1"]
    assert (first.answer, unasked.answer, without_texts.answer) == ("It is 5.1 %.", None, "Eleven.")
    assert (first.reference, without_texts.reference) == ("5.1 %", "12")
    assert [passage.id for passage in first.contexts] == ["Alder Bank"]
    assert first.contexts[0].text.count("\n\n") == 3
    assert first.relevant_ids == {"Alder Bank": 1}
    assert without_texts.relevant_ids == {"1": 1, "2": 1}
    assert [(passage.id, passage.text) for passage in without_texts.contexts] == [("2", "")]
    assert first.metadata == {"judgement": "Correct", "retrieval_judgement": 1}
    assert without_texts.metadata == {"judgement": "Incorrect", "retrieval_judgement": 0, "closed_domain": True}


def test_grammar_pairs_several_texts_with_ids() -> None:
    row = {"query": "q", "gpt_response": "a", "query_tag": 3}
    sample = one({**row, "retrieved_documents": ["x", "y"], "retrieved_document_ids": [4, 5]}).samples[0]
    assert [(passage.id, passage.text) for passage in sample.contexts] == [("4", "x"), ("5", "y")]
    assert one({**row, "retrieved_documents": "x"}).samples[0].contexts[0].id == passage_id("x")


@pytest.mark.parametrize("cut", [lambda text: text[: len(text) // 2], lambda text: text.replace('"', "", 1)])
def test_a_broken_document_is_refused_whole(cut: Callable[[str], str]) -> None:
    text = cut((FIXTURES / "ragchecker.json").read_text(encoding="utf-8"))
    with pytest.raises(FileFormatError, match="JSON"):
        read_run(text.encode(), filename="x")
