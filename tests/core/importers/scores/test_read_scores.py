"""Scores of other tools: which columns are scores, what is known of them, and what becomes of each cell."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest

from hcat.core.errors import FileFormatError
from hcat.core.importers import read_run
from hcat.core.importers.recognition import FORMATS
from hcat.core.importers.scores.known_metrics import KNOWN_METRICS, TECHNICAL
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.scoring.score_file import ScoreFile, file_score_table
from hcat.core.types import Direction

FIXTURES = Path(__file__).parents[1] / "fixtures"
ROW = {"user_input": "Q?", "response": "A.", "retrieved_contexts": ["c"]}


def read(text: str | bytes, name: str = "theirs.csv") -> ScoreFile:
    return read_scores(text.encode() if isinstance(text, str) else text, filename=name)


def values(file: ScoreFile, column: str) -> list[float | str | None]:
    """Each sample's score, or the reason why it has none."""
    scores = next(one for one in file.columns if one.name == column).scores
    return [scores[name].value if scores[name].value is not None else scores[name].reason for name in file.sample_ids]


@pytest.mark.parametrize(
    ("file", "column", "metric", "direction", "expected"),
    [
        ("deepeval_test_run.json", "Faithfulness", "Faithfulness", "higher", [1.0, 0.9, 0.2]),
        ("langfuse.csv", "faithfulness", "langfuse:faithfulness", None, ["empty in the file", 1.0, 1.0]),
        ("langfuse.json", "faithfulness", "langfuse:faithfulness", None, ["empty in the file", 1.0, 1.0]),
        ("langsmith.csv", "feedback.correctness", "correctness", None, [1.0, 0.5, "empty in the file"]),
        ("langsmith.json", "feedback.correctness", "correctness", None, [1.0, 0.5, "empty in the file"]),
        ("promptfoo.json", "score", "score", "higher", [1.0, 1.0, 0.0]),
        ("promptfoo.jsonl", "success", "success", "higher", [1.0, 1.0, 0.0]),
        ("ragchecker.json", "faithfulness", "ragchecker:faithfulness", "higher", [1.0] + ["empty in the file"] * 2),
        ("trulens.csv", "Groundedness", "Groundedness", "higher", [1.0, 1.0, "empty in the file"]),
        ("trulens.json", "Groundedness", "Groundedness", "higher", [1.0, 1.0, "empty in the file"]),
    ],
)
def test_the_scores_of_an_export(
    file: str, column: str, metric: str, direction: Direction | None, expected: list[float | str]
) -> None:
    scores = read_scores(FIXTURES / file, filename=file)
    assert values(scores, column) == expected
    assert scores.names[column] == metric
    assert next(one for one in scores.columns if one.name == column).direction == direction
    assert scores.sha256 == hashlib.sha256((FIXTURES / file).read_bytes()).hexdigest()
    assert scores.sample_ids == tuple(s.id for s in read_run(FIXTURES / file, filename=file).samples)


def test_ragas_scores_of_documented_names() -> None:
    rows = [
        {**ROW, "user_input": f"Q{k}?", "faithfulness": k / 2, "noise_sensitivity(mode=relevant)": 0.5} for k in (1, 2)
    ]
    file = read(json.dumps([{**row, "answer_relevancy": None, "mine": 3} for row in rows]), "ragas.json")
    known = {column.name: (column.direction, column.low, column.high) for column in file.columns}
    assert known == {
        "faithfulness": ("higher", 0.0, 1.0),
        "noise_sensitivity(mode=relevant)": ("lower", 0.0, 1.0),
        "mine": (None, None, None),
    }
    assert file.names["faithfulness"] == "ragas:faithfulness"  # hcat has a metric of this name
    assert file.left_out["answer_relevancy"] == "all its cells are empty"


def test_phoenix_scores_within_objects_and_in_columns() -> None:
    row = {"context.span_id": "a", "input": "q", "output": "a", "reference": "r"}
    cells = {"relevance_score": {"name": "relevance", "score": 1.0, "direction": "maximize"}, "Hallucination": 0.0}
    file = read(json.dumps([{**row, **cells}]), "phoenix.json")
    assert (values(file, "relevance"), values(file, "Hallucination")) == ([1.0], [0.0])
    assert [column.direction for column in file.columns if column.name == "Hallucination"] == ["lower"]


def test_continuous_eval_results_beside_a_data_point() -> None:
    row = {"question": "q", "retrieved_context": ["c"], "answer": "a", "uid": "u", "rouge_l_f1": 0.5}
    file = read(json.dumps([{**row, "correctness": {"token_overlap_f1": 0.25}}]), "ce.json")
    assert (values(file, "rouge_l_f1"), values(file, "token_overlap_f1")) == ([0.5], [0.25])


def test_promptfoo_and_langfuse_scores_by_name() -> None:
    document = json.loads((FIXTURES / "promptfoo.json").read_text())
    for result in document["results"]["results"]:
        result["namedScores"] = {"tone": 0.75}
    assert values(read(json.dumps(document), "p.json"), "tone") == [0.75] * 3
    traces = json.loads((FIXTURES / "langfuse.json").read_text())
    for trace in traces:
        trace["scores"] = [{"name": "tone", "value": 4, "dataType": "NUMERIC"}]
    assert values(read(json.dumps(traces), "l.json"), "tone") == [4.0] * 3


def test_costs_and_times_of_a_tool_are_no_scores() -> None:
    scores = read_scores(FIXTURES / "trulens.csv", filename="trulens.csv")
    assert {column.name for column in scores.columns} == {"Context Relevance", "Groundedness"}
    assert "no score" in scores.left_out["latency"]


def test_any_table_of_ids_and_numbers() -> None:
    file = read("sample_id,their_judge,ok,said\na,4,true,fine\nb,2.5,false,\n7,-1,TRUE,good\n")
    assert file.sample_ids == ("a", "b", "7")
    assert (values(file, "their_judge"), values(file, "ok")) == ([4.0, 2.5, -1.0], [1.0, 0.0, 1.0])
    assert file.left_out == {"said": "its cells are not numbers"}
    assert file.framework == ""


def test_parquet_of_ids_and_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"sample_id": [1, 2], "judge": [0.5, float("inf")], "ok": [True, False]})
    frame.to_parquet(tmp_path / "theirs.parquet")
    file = read_scores(tmp_path / "theirs.parquet", filename="theirs.parquet")
    assert file.sample_ids == ("1", "2")
    assert (values(file, "judge"), values(file, "ok")) == ([0.5, "infinite in the file"], [1.0, 0.0])


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        ("", "empty in the file"),
        ("NaN", "empty in the file"),
        ("n/a", "empty in the file"),
        ("inf", "infinite in the file"),
        ("-Infinity", "infinite in the file"),
        ("four", "not a number in the file"),
        ("[4]", 4.0),
        ("1e3", 1000.0),
        (" 4 ", 4.0),
    ],
)
def test_each_cell_is_a_number_or_a_reason(cell: str, score: float | str) -> None:
    assert values(read(f"sample_id,j\na,1\nb,2\nc,{cell}\n"), "j")[2] == score


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sample_id,j\na,1\n,2\n", "row 2: sample_id must be a text that is not empty"),
        ("sample_id,j\na,1\nb,2\na,3\n", 'rows 1 and 3 both score "a"'),
        ("name,j\na,1\n", "no column is called sample_id"),
        ("sample_id,j\na,fine\n", r"no column holds scores \(j: its cells are not numbers\)"),
        ("sample_id,j\na,\nb,\n", r"j: all its cells are empty"),
        ("sample_id;j\na;4,5\nb;5\n", r"j: written with a decimal comma: use a point"),
        ("sample_id,j\na,1,2\n", "row 1: expected 2 cells"),
        ("sample_id,trial,group\na,1,2\n", "no column holds scores"),
        ("", "empty"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(text)


def test_trials_of_one_id_are_told_apart_as_an_import_does() -> None:
    assert read("sample_id,trial,j\na,0,1\na,1,2\nb,0,3\n").sample_ids == ("a#0", "a#1", "b")


@pytest.mark.parametrize("column", ["cluster", "test_case", "group"])
def test_which_samples_belong_together_is_read(column: str) -> None:
    file = read(f"sample_id,{column},j\na,1,1\nb,1,2\nc,,3\n")
    table = file_score_table(file)
    assert table.cluster_of == {"a": "1", "b": "1", "c": "c"}
    assert table.provenance.cluster_sources == ("test case",)
    assert table.metrics == ("j",)


def test_names_are_kept_apart_from_those_of_hcat_and_fit_a_list() -> None:
    file = read('sample_id,groundedness,pass_probability,"a, b=c",x__reason\ns,1,1,1,1\n')
    assert list(file.names.values()) == ["file:groundedness", "file:pass_probability", "a b c"]
    assert list(read("sample_id,**a**,[a],*\ns,1,1,1\n").names.values()) == ["a", "a (2)", "scores"]


def test_known_metrics_are_of_formats_that_are_read() -> None:
    names = {each.name for each in FORMATS}
    assert set(KNOWN_METRICS) | set(TECHNICAL) <= names
    for metrics in KNOWN_METRICS.values():
        assert all(name == name.lower() and (k.low is None or k.low < (k.high or 0)) for name, k in metrics.items())
