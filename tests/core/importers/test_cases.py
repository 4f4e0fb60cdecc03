"""Small files as people have them, each with what is right: they were written by hand, after faults of real ones."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.capabilities.agreement.ratings import ratings
from hcat.core.capabilities.agreement.summary import agreement
from hcat.core.errors import FileFormatError
from hcat.core.importers import Preview, read_run
from hcat.core.importers.documents import read_documents
from hcat.core.importers.labels.label_file import read_labels
from hcat.core.importers.limits import Limits
from hcat.core.importers.reading.delimited import read_delimited
from hcat.core.importers.reading.excel import sheet_csv
from hcat.core.importers.scores.read_scores import read_scores, scores_in
from hcat.core.importers.streamed import stream_run
from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.text import sentences
from hcat.core.types import Criterion, Sample

CASES = Path(__file__).parent / "cases"
CORRECTNESS = Criterion("correctness")


def preview(name: str, mapping: dict[str, str] | None = None, **options: bool) -> Preview:
    found = read_run(CASES / name, filename=name, mapping=mapping, leave_out_thoughts=options.get("thoughts", False))
    assert found.problems == () or options.get("keep_good")
    return found


def contexts(sample: Sample) -> list[tuple[str, float | None]]:
    return [(passage.text, passage.score) for passage in sample.contexts]


def test_records_of_trulens_with_times() -> None:
    samples = preview("01_trulens_datetime.csv").samples
    assert [contexts(sample) for sample in samples] == [
        [("The fee is 5 EUR.", None)],
        [("The card costs 30 EUR.", None)],
    ]
    [relevance] = read_scores(CASES / "01_trulens_datetime.csv", filename="x").columns
    assert [score.value for score in relevance.scores.values()] == [0.8, 0.7]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("02_context_numpy_scalar.csv", [("The fee is 5 EUR.", 0.83)]),
        ("04_context_document_score_pairs.csv", [("The fee is 5 EUR.", 0.91), ("Cards cost 30 EUR.", 0.5)]),
        ("05_context_document_with_datetime.csv", [("The fee is 5 EUR.", None)]),
    ],
)
def test_contexts_as_python_shows_them(name: str, found: list[tuple[str, float | None]]) -> None:
    [sample] = preview(name).samples
    assert contexts(sample) == found
    if name.startswith("05"):
        [rest] = sample.metadata["context_metadata"]  # type: ignore[misc, union-attr]
        assert rest["metadata"]["created"] == "2024-05-01T10:00:00"  # type: ignore[call-overload, index]


@pytest.mark.parametrize("mapping", [None, {"emb": "left out"}])
def test_an_embedding_refuses_nothing(mapping: dict[str, str] | None, tmp_path: Path) -> None:
    found = preview("08_embedding_column.parquet", mapping)
    assert len(found.samples) == 2
    assert all("emb" not in sample.metadata for sample in found.samples)
    [account] = [each for each in found.account.columns if each.column == "emb"]
    assert (account.use, account.unread) == (("metadata", 2) if mapping is None else ("left out", 0))
    path = shutil.copy(CASES / "08_embedding_column.parquet", tmp_path)
    with stream_run(Path(path), filename="x", mapping=mapping) as streamed:
        assert streamed is not None
        assert tuple(streamed) == found.samples


def test_parquet_cells_that_no_field_needs() -> None:
    rows = 3
    struct = pa.array([{"text": "c", "embedding": [0.5] * 1_536}] * rows)
    columns = {
        "query": pa.array(["a", "b", "c"]),
        "answer": pa.array(["x", "y", "z"]),
        "contexts": pa.array([[{"text": "c", "embedding": [0.5] * 1_536}]] * rows),
        "raw": pa.array([b"\xff\xfe", b"text", None]),
        "twice": pa.array([[("k", 1), ("k", 2)], [("k", 1)], []], pa.map_(pa.string(), pa.int64())),
        "vector": pa.array(np.zeros((rows, 2_048)).tolist(), pa.list_(pa.float32(), 2_048)),
        "some_long": pa.array([[1.0] * 1_001, [1.0], None]),
        "nested": struct,
    }
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    found = read_run(out.getvalue(), filename="x")
    assert found.problems == ()
    assert [contexts(sample) for sample in found.samples] == [[("c", None)]] * rows
    assert [sample.metadata.get("twice") for sample in found.samples] == [[["k", 1], ["k", 2]], {"k": 1}, []]
    assert found.samples[1].dimensions["raw"] == "text"
    assert found.samples[1].metadata["some_long"] == [1.0]
    unread = {each.column: each.unread for each in found.account.columns if each.unread}
    assert unread == {"raw": 1, "vector": 3, "some_long": 1}


def test_a_verdict_is_no_dimension() -> None:
    found = preview("10_promptfoo_verdicts.json")
    assert {name for sample in found.samples for name in sample.dimensions} == {"provider", "prompt"}


@pytest.mark.parametrize(
    "name",
    [
        "success",
        "passed",
        "is_correct",
        "judge",
        "gpt4_score",
        "failureReason",
        "promptId",
        "latency_ms",
        "faithfulness",
    ],
)
@pytest.mark.parametrize("cells", [(0, 1), (False, True), ("yes", "no")])
def test_no_verdict_id_or_measure_is_a_dimension(name: str, cells: tuple[object, object]) -> None:
    rows = [{"query": f"q{n}", "answer": "a", name: cells[n % 2], "area": "ab"[n % 2]} for n in range(12)]
    found = read_run(json.dumps(rows).encode(), filename="x")
    assert (found.extras[name], found.extras["area"]) == ("metadata", "dimension")


def test_a_quote_that_is_never_closed_costs_one_row() -> None:
    found = preview("11_unclosed_quote.csv", keep_good=True)
    assert (len(found.samples), found.rows, found.account.lines.read) == (399, 400, 401)
    [problem] = found.problems
    assert (problem.row, problem.found) == (101, "a quote that is opened and not closed")
    assert len({sample.id for sample in found.samples}) == 399


def test_rows_within_a_cell_are_said() -> None:
    found = preview("12_swallowed_rows.csv")
    assert found.account.remarks == {("like rows", "101"): 199}
    assert (found.account.lines.longest_row, found.account.lines.longest) == (101, 201)


@pytest.mark.parametrize(
    ("text", "rows", "lines_lost"),
    [
        ('q,a\n"a","b"\n"c","d\n"e","f"\n', 2, 1),
        ('q,a,x\n1,"two\nlines",3\n4,"open,5\n6,7,8\n9,"two\nmore",0\n', 3, 1),
        ('q,a,x\n"line 1\nline "two" z\nline 3",1,2\n3,4,5\n', 1, 3),
        ('q,a\n"He said \\"yes\\"","b"\n"c","d \\"e\\""\n', 2, 0),
        ('q\ta\n"Gold" card\tx\n"open\ty\nz\t5" pipe\n', 3, 0),
        ("Results of May\n\nq;a\n1;b, c\n2;d\n", 2, 0),
        (",text\n0,abc\n1,def\n", 2, 0),
    ],
)
def test_quotes_and_titles(text: str, rows: int, lines_lost: int) -> None:
    table = read_delimited(text, Limits())
    assert len(table.rows) == rows
    assert sum(each.lines for each in table.unreadable) == lines_lost
    counted = table.above + sum(each.lines for each in (*table.rows, *table.unreadable))
    assert counted == sum(bool(line.strip()) for line in text.splitlines())


def test_a_text_with_prose_in_lines_is_nothing_to_remark_on() -> None:
    poem = "\n".join(f"line {n}, and more, of it" for n in range(6))
    table = read_delimited(f'q,a\n1,"{poem}"\n', Limits())
    assert [row.like_rows for row in table.rows] == [0]


def test_tab_separated_text_knows_no_quotes() -> None:
    found = preview("13_tsv_raw_quotes.tsv")
    assert len(found.samples) == 60
    assert found.samples[7].answer == '"Gold" is a card'


def test_two_byte_order_marks() -> None:
    found = preview("14_double_bom.csv")
    assert [sample.id for sample in found.samples] == [f"q{n}" for n in range(12)]


@pytest.mark.parametrize("name", ["\ufeffid", "id\u200b", "id ", "i\u00add", "id\u00a0"])
def test_invisible_characters_in_names_of_columns_and_ids(name: str) -> None:
    for content in (
        f"{name},query,answer\nq1 ,q,a\n".encode(),
        json.dumps([{name: "q1 ", "query": "q", "answer": "a"}]).encode(),
    ):
        assert [sample.id for sample in read_run(content, filename="x").samples] == ["q1"]


def test_escapes_of_excel() -> None:
    assert preview("17_excel_x000d.xlsx").samples[0].answer == "line one\nline two"


def test_no_answer_of_trulens() -> None:
    assert [sample.answer for sample in preview("18_trulens_null_output.csv").samples] == ["5 EUR", None]


@pytest.mark.parametrize("answer", ["null", "None", "nan", "NaN", "undefined", "N/A", "…", "...", "-", "(no answer)"])
def test_words_for_no_answer(answer: str) -> None:
    rows = [{"query": "q", "answer": answer}, {"query": "r", "answer": answer, "reference": answer}]
    found = read_run(json.dumps(rows).encode(), filename="x")
    assert [sample.answer for sample in found.samples] == [None, answer]
    assert sum(n for (kind, _), n in found.account.remarks.items() if kind == "no answer") == 1
    kept = read_run(json.dumps([{"query": "q", "answer": "No."}]).encode(), filename="x")
    assert kept.samples[0].answer == "No."


def test_scores_of_one_name_from_several_sources_stay_apart() -> None:
    file = read_scores(CASES / "20_langfuse_same_score_twice.json", filename="x")
    read = {column.name: [score.value for score in column.scores.values()] for column in file.columns}
    assert read == {
        "correctness (CATEGORICAL)": [None, 1.0, 1.0],
        "correctness (NUMERIC)": [0.0, 0.0, 0.0],
        "helpful": [0.5, 0.5, 0.5],
    }


def test_two_scores_of_one_source_are_none() -> None:
    trace = {"id": "t", "timestamp": "", "input": "q", "output": "a", "sessionId": None}
    twice = [{"name": "c", "value": value, "source": "ANNOTATION"} for value in (0, 1)]
    file = read_scores(json.dumps([{**trace, "scores": twice}]).encode(), filename="x")
    assert [column.scores["t"].reason for column in file.columns if column.name == "c"] == []
    assert file.left_out["c"] == "its cells are not numbers"


@pytest.mark.parametrize("orient", ["split", "index", "records", "columns", "list"])
def test_tables_of_mlflow_and_pandas(orient: str) -> None:
    document = json.loads((CASES / "22_mlflow_split_table.json").read_text())
    frame = pd.DataFrame(document["data"], columns=document["columns"])
    shaped = frame.to_dict(orient="list") if orient == "list" else json.loads(frame.to_json(orient=orient))  # type: ignore[call-overload]
    found = read_run(json.dumps(shaped).encode(), filename="x")
    assert [sample.reference for sample in found.samples] == [f"{n} EUR" for n in range(4)]
    scores = read_scores(json.dumps(shaped).encode(), filename="x")
    assert "toxicity/v1/score" in [column.name for column in scores.columns]


@pytest.mark.parametrize(
    "mapping",
    [
        None,
        {"inputs": "query", "outputs": "answer"},
        {"inputs.question": "query", "outputs.answer": "answer", "outputs.contexts[]": "contexts"},
    ],
)
def test_records_within_records(mapping: dict[str, str] | None) -> None:
    samples = preview("24_langsmith_nested.jsonl", mapping).samples
    assert [(s.query, s.answer, contexts(s), s.reference) for s in samples] == [
        (f"What is fee {n}?", f"{n} EUR", [(f"Fee {n} is {n} EUR.", None)], f"{n} EUR") for n in range(3)
    ]


def test_paths_into_cells() -> None:
    row = {
        "body": {"turns": [{"who": "u", "says": "What?"}, {"who": "s", "says": "That."}]},
        "found": {"hits": [{"doc": {"content": "c1"}}, {"doc": {"content": "c2"}}]},
    }
    mapping = {"body.turns[0].says": "query", "body.turns[-1].says": "answer", "found.hits[].doc.content": "contexts"}
    [sample] = read_run(json.dumps([row]).encode(), filename="x", mapping=mapping).samples
    assert (sample.query, sample.answer, contexts(sample)) == ("What?", "That.", [("c1", None), ("c2", None)])
    text = pd.DataFrame([{name: str(cell) for name, cell in row.items()}]).to_csv(index=False)
    [written] = read_run(text.encode(), filename="x", mapping=mapping).samples
    assert (written.id, written.query, written.contexts) == (sample.id, sample.query, sample.contexts)
    with pytest.raises(FileFormatError, match=r"no column is called .body\.nothing.*body\.turns\[\]\.says"):
        read_run(json.dumps([row]).encode(), filename="x", mapping={**mapping, "body.nothing": "reference"})


def test_messages_in_parts() -> None:
    [sample] = preview("25_langfuse_content_parts.json").samples
    assert (sample.query, sample.answer) == ("In EUR?", "5 EUR")


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ([{"role": "assistant", "content": None, "tool_calls": [{}]}], None),
        ([{"role": "model", "parts": [{"text": "5"}, {"text": "EUR"}]}], "5\nEUR"),
        ({"choices": [{"message": {"role": "assistant", "content": "5 EUR"}}]}, "5 EUR"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "5 EUR"}], "5 EUR"),
        ({"role": "assistant", "content": [{"type": "output_text", "text": "5 EUR"}]}, "5 EUR"),
        ({"kwargs": {"content": "5 EUR"}}, "5 EUR"),
    ],
)
def test_answers_as_providers_log_them(output: object, answer: str | None) -> None:
    rows = [{"asked": "q", "said": output}]
    found = read_run(json.dumps(rows).encode(), filename="x", mapping={"asked": "query", "said": "answer"})
    assert (found.problems, found.samples[0].answer) == ((), answer)


def test_ids_that_became_floats() -> None:
    scores = read_scores(CASES / "28_float_ids_scores.csv", filename="x")
    labels = read_labels(CASES / "28_float_ids_labels.csv")
    assert set(scores.sample_ids) == {label.sample_id for label in labels.labels} == {str(n) for n in range(80)}


@pytest.mark.parametrize("name", ["38_ansi_codes.jsonl", "39_soft_hyphens.jsonl"])
def test_codes_and_invisible_characters_leave_texts(name: str) -> None:
    found = preview(name)
    assert all(sample.answer == sample.reference for sample in found.samples if name.startswith("39"))
    assert all("\x1b" not in (sample.answer or "") for sample in found.samples)
    assert found.account.remarks == {("signs", "answer"): 2}


def test_thoughts_are_said_and_can_be_left_out() -> None:
    assert preview("41_think_blocks.jsonl").account.remarks == {("thoughts", ""): 2}
    without = preview("41_think_blocks.jsonl", thoughts=True)
    assert [sample.answer for sample in without.samples] == ["The fee is 5 EUR."] * 2
    assert "<think>" in str(without.samples[0].metadata["thoughts"])


def test_hidden_paragraphs_are_no_passages() -> None:
    [document], _ = read_documents([CASES / "44_hidden_and_formfeed.html"])
    assert document.text == "The fee is 5 EUR."


def test_spellings_of_one_annotator_are_named() -> None:
    assert read_labels(CASES / "45_annotator_spelling.csv").alike == (("Ann", "ann ", "ann"),)


def test_scores_in_an_object() -> None:
    [column] = read_scores(CASES / "46_scores_in_an_object.json", filename="x").columns
    assert (column.name, [score.value for score in column.scores.values()]) == ("faithfulness", [0.8, 0.5])


def test_the_sheets_that_hold_tables_are_named() -> None:
    with pytest.raises(FileFormatError, match='tables are in "data": name one with --sheet'):
        preview("48_readme_sheet_first.xlsx")
    text = sheet_csv((CASES / "48_readme_sheet_first.xlsx").read_bytes(), sheet="data")
    assert read_run(text.encode(), filename="x").problems == ()


def test_a_table_in_joined_contexts_stays_whole() -> None:
    found = preview("50_deepeval_table_in_context.csv")
    [(text, _)] = contexts(found.samples[0])
    assert text.startswith("| Card | Fee |\n")
    assert found.account.remarks == {("whole", "retrieval_context"): 1}


def test_an_id_that_repeats_is_no_id() -> None:
    found = preview("51_run_id_repeats.csv")
    assert len({sample.id for sample in found.samples}) == 7
    assert "run_id" not in found.fields


@pytest.mark.parametrize("mapping", [None, {"question": "query", "ground_truths": "reference"}])
def test_a_reference_in_a_list(mapping: dict[str, str] | None) -> None:
    samples = preview("52_reference_as_list.jsonl", mapping).samples
    assert [sample.reference for sample in samples] == [f"{n} EUR" for n in range(4)]


def test_a_column_named_like_a_field_and_not_used_is_said() -> None:
    rows = [{"question": "q", "answer": "a", "response": "b", "num_docs": 3}]
    found = read_run(json.dumps(rows).encode(), filename="x")
    assert {each.column: (each.use, each.like) for each in found.account.columns} == {
        "question": ("field", None),
        "answer": ("field", None),
        "response": ("metadata", "answer"),
        "num_docs": ("metadata", None),
    }


def as_file(records: list[dict[str, object]]) -> Preview:
    return read_run(json.dumps(records).encode(), filename="x")


def metrics(read: Preview) -> list[str]:
    return [column.name for column in scores_in(read, filename="x", sha256="").columns]


def of_four(**cells: object) -> list[dict[str, object]]:
    return [{"question": f"q{i}", "answer": f"a{i}", **cells} for i in range(4)]


@pytest.mark.parametrize(
    "sources",
    [
        [{"file": "a.pdf", "page": 3}],
        '[{"page": 130, "chunk_id": 491}, {"page": 129, "chunk_id": 483}]',
        ["a.pdf", "handbook/b.md"],
        "a.pdf; b.pdf",
        "https://bank.example/fees#cards",
        3,
    ],
)
def test_what_says_where_documents_are_is_no_context(sources: object) -> None:
    read = as_file(of_four(sources=sources))
    assert (len(read.samples), read.problems) == (4, ())
    assert [sample.contexts for sample in read.samples] == [()] * 4


def test_a_context_that_names_a_file_is_one() -> None:
    read = as_file(of_four(sources="The fee is 5 EUR (fees.pdf, page 3); see b.pdf"))
    assert len(read.samples[0].contexts) == 1


def test_what_a_test_came_to_is_no_answer_and_no_dimension() -> None:
    records: list[dict[str, object]] = [
        {"question": f"q{i}", "generated_sql": f"SELECT {i}", "result": "FAIL" if i else "PASS"} for i in range(6)
    ]
    read = as_file(records)
    assert [sample.answer for sample in read.samples] == [f"SELECT {i}" for i in range(6)]
    assert read.extras == {"result": "metadata"}


@pytest.mark.parametrize("name", ["reference", "ground_truth", "expected_answer", "expected_answer_summary", "truth"])
@pytest.mark.parametrize("contexts_column", ["contexts", "retrieved_context"])
def test_a_known_layout_with_a_reference_of_another_name(name: str, contexts_column: str) -> None:
    read = as_file(of_four(**{name: "r", contexts_column: ["c"]}))
    assert [sample.reference for sample in read.samples] == ["r"] * 4
    assert [sample.contexts[0].text for sample in read.samples] == ["c"] * 4
    assert read.extras == {}


def test_an_id_that_comes_again_in_a_table_is_a_test_case() -> None:
    records: list[dict[str, object]] = [
        {"id": i // 3, "question": f"q{i // 3}", "method": "abc"[i % 3], "answer": f"a{i}"} for i in range(9)
    ]
    read = as_file(records)
    assert (len(read.samples), read.problems) == (9, ())
    assert [sample.test_case for sample in read.samples] == [str(i // 3) for i in range(9)]
    assert len({sample.id for sample in read.samples}) == 9


def test_counts_times_and_settings_are_no_metrics_of_a_run() -> None:
    counts = {"retrieved_chunks": 8, "retrieval_context_count": 10, "Total_Latency_Sec": 3.5, "top_k": 5, "page": 2}
    read = as_file([{**record, **counts, "rag_used": True} for record in of_four(faithfulness=0.5, retrieval_hit=True)])
    assert metrics(read) == ["faithfulness", "retrieval_hit"]
    assert "retrieval_hit" not in [name for name, use in read.extras.items() if use == "dimension"]


def test_objects_of_scores_keep_their_metrics_apart() -> None:
    theirs = {"ours": {"faithfulness": 0.1, "recall": None}, "ragas": {"faithfulness": 0.7, "answer_relevancy": 0.4}}
    for further in ({}, {"retrieved_context": ["c"]}):  # as a table, and as continuous-eval
        found = metrics(as_file(of_four(**theirs, **further)))
        assert sorted(found) == ["answer_relevancy", "ours.faithfulness", "ragas.faithfulness"]


def test_blanks_and_lists_are_no_levels() -> None:
    read = as_file(of_four(notes="", pages="[1, 2]", error="time-out", faithfulness_reason="fine"))
    assert set(read.extras.values()) == {"metadata"}


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("30_parentheses", [1, 1, 1, 1]),
        ("32_second_amount", [0.5, 0.5, 0.5]),
        ("33_german_thousands", [0, 0.5, 1]),
        ("34_half_percent", [0, 1, 1]),
        ("35_grouped_identifiers", [1, 1, 1]),
        ("36_timestamps", [1, 1]),
        ("37_latex_thousands", [1, 1]),
    ],
)
def test_numbers_as_answers_write_them(name: str, right: list[float]) -> None:
    metric = find_metric("factual_numbers")
    samples = preview(f"{name}.jsonl").samples
    parts = [{part: placed_sentences(sample, part, sentences) for part in PARTS} for sample in samples]
    assert [metric(SampleView(*each)).score.value for each in zip(samples, parts, strict=True)] == right


def test_thirty_annotators_are_compared_in_seconds() -> None:
    labels = read_labels(CASES / "47_thirty_annotators.csv").labels
    read = ratings(labels, criterion=CORRECTNESS)
    start = process_time()
    found = agreement(read, criterion=CORRECTNESS, rng=np.random.default_rng(1), replicates=200)
    assert (len(read.annotators), found.n) == (30, 20)
    assert process_time() - start < 20


def test_a_console_that_lacks_letters_shows_the_rest() -> None:
    command = [sys.executable, "-P", "-m", "hcat.dashboard.cli", "agreement", str(CASES / "49_console_encoding.csv")]
    given = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": str(Path.cwd())}
    shown = subprocess.run([*command, "--criterion", "correctness"], env=given, capture_output=True, check=True).stdout
    assert b"bob" in shown
