"""Exports that current versions of tools wrote of made-up questions: the version is in the file's name.

DeepEval 4.3.1 (`EvaluationDataset.save_as`), ragas 0.4.3 (`to_csv`, `to_jsonl`, and `to_pandas` of a result), TruLens
2.16.0 (`get_records_and_feedback` in its mode of OpenTelemetry), MLflow 3.17.2 (`eval_results_table.json` of
`mlflow.models.evaluate`) and Inspect 0.3.285 (fixtures/inspect.json, a log as JSON without its events).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hcat.core.importers import read_run
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.types import Sample

EXPORTS = Path(__file__).parent / "exports"
FIXTURES = EXPORTS.parent / "fixtures"
LISTED = "Fees are listed yearly."


def shown(sample: Sample) -> tuple[str, str | None, list[str], str | None]:
    return sample.query, sample.answer, [passage.text for passage in sample.contexts], sample.reference


@pytest.mark.parametrize(
    ("name", "format_name", "has_contexts"),
    [
        ("deepeval_4_3_1.csv", "deepeval", True),
        ("deepeval_4_3_1.json", "deepeval", True),
        ("deepeval_4_3_1.jsonl", "deepeval", True),
        ("ragas_0_4_3.csv", "ragas", True),
        ("ragas_0_4_3.jsonl", "ragas", True),
        ("ragas_0_4_3_result.csv", "ragas", True),
        ("mlflow_3_17_2.json", "table", False),
    ],
)
def test_an_export_is_read_whole(name: str, format_name: str, has_contexts: bool) -> None:
    found = read_run(EXPORTS / name, filename=name)
    assert (found.format.name, found.problems) == (format_name, ())
    assert [shown(sample) for sample in found.samples] == [
        (
            f"What is fee {n}?",
            f"Fee {n} is {n} EUR.",
            [f"Fee {n} is {n} EUR.", LISTED] if has_contexts else [],
            f"{n} EUR",
        )
        for n in range(3)
    ]
    assert not any(each.like for each in found.account.columns)
    assert {name for sample in found.samples for name in sample.dimensions} == set()


def test_ids_of_ragas() -> None:
    sample = read_run(EXPORTS / "ragas_0_4_3.csv", filename="x").samples[1]
    assert ([passage.id for passage in sample.contexts], sample.relevant_ids) == (["p1", "p9"], {"p1": 1})


def test_records_of_trulens() -> None:
    found = read_run(EXPORTS / "trulens_2_16_0.csv", filename="x")
    assert (found.format.name, found.problems) == ("trulens", ())
    assert [shown(sample) for sample in found.samples] == [
        (f"What is fee {n}?", "It costs 5 EUR.", [f"What is fee {n} costs 5 EUR."], None) for n in range(3)
    ]
    assert {name for sample in found.samples for name in sample.dimensions} <= {
        "app_name",
        "app_version",
        "type",
        "cost_currency",
    }


def test_logs_of_inspect() -> None:
    found = read_run(FIXTURES / "inspect.json", filename="x")
    assert (found.format.name, found.problems) == ("inspect", ())
    assert [shown(sample) for sample in found.samples] == [
        (f"What is fee {n}?", f"Fee {n} is {n} EUR.", [f"Fee {n} is {n} EUR."], f"{n} EUR") for n in range(3)
    ]
    assert [(sample.id, sample.trial, sample.test_case) for sample in found.samples] == [
        (f"s{n}", 0, f"s{n}") for n in range(3)
    ]


@pytest.mark.parametrize(
    ("name", "column", "values"),
    [
        ("ragas_0_4_3_result.csv", "faithfulness", [0.5, 1.0, None]),
        ("mlflow_3_17_2.json", "has_reference/score", [1.0, 1.0, 1.0]),
        ("trulens_2_16_0.csv", "Relevance", [0.75, 0.75, 0.75]),
        ("../fixtures/inspect.json", "includes", [1.0, 1.0, 1.0]),
    ],
)
def test_scores_of_an_export(name: str, column: str, values: list[float | None]) -> None:
    columns = {each.name: each for each in read_scores(EXPORTS / name, filename=name).columns}
    assert set(columns) == {column}
    assert [score.value for score in columns[column].scores.values()] == values
