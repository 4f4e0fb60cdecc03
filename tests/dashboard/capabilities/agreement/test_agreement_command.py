from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.agreement.drift import drift
from hcat.core.capabilities.agreement.leniency import leniencies
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import pair_agreements
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.agreement.chart import confusion_table, drift_blocks, leniency_rows, pair_matrix
from hcat.dashboard.cli import app

BINARY = Criterion("correctness")


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    lines = ["sample_id,criterion,label,annotator,at"]
    for k in range(40):
        for name, level in (("ann", k % 4 > 0), ("bob", k % 4 > 1), ("cy", k % 5 > 0)):
            lines.append(f"s{k},correctness,{'pass' if level else 'fail'},{name},2025-03-01T10:{k:02d}:00Z")
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["agreement", *map(str, arguments)])
    return result.exit_code, result.output


def test_the_document(labels: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    run.write_text(
        "\n".join(
            json.dumps(
                {"id": f"s{k}", "query": f"q{k}", "answer": "a", "dimensions": {"kind": "few" if k < 5 else "many"}}
            )
            for k in range(40)
        ),
        encoding="utf-8",
    )
    code, text = invoke(labels, "--criterion", "correctness", "--run-file", run, "--by", "kind", "--json")
    assert code == 0
    found = json.loads(text)
    assert (found["agreement"]["n"], found["agreement"]["annotators"]) == (40, 3)
    # Ann and Bob agree unless k mod 4 is 1: 30 of 40. Chance: .75 · .5 + .25 · .5 = ½, so that κ = ½.
    pair = next(pair for pair in found["pairs"] if (pair["first"], pair["second"]) == ("ann", "bob"))
    assert pair["coefficients"]["raw agreement"]["value"] == 0.75
    assert pair["coefficients"]["Cohen's κ"]["value"] == pytest.approx(0.5)
    assert pair["table"] == [[10, 0], [10, 20]]
    assert {level["level"]: level["status"] for level in found["levels"]} == {
        "few": "insufficient evidence",
        "many": "estimated",
    }
    assert {one["annotator"]: one["verdict"] for one in found["leniency"]}["bob"] == "strict"
    assert [one["annotator"] for one in found["drift"]] == ["ann", "bob", "cy"]
    assert invoke(labels, "--criterion", "correctness", "--run-file", run, "--by", "kind", "--json")[1] == text


def test_a_run_file_tells_test_cases(labels: Path, tmp_path: Path) -> None:
    found = []
    for name, each in (("once.jsonl", 1), ("trials.jsonl", 4)):
        run = tmp_path / name
        lines = [{"id": f"s{k}", "query": "q", "answer": "a", "test_case": f"q{k // each}"} for k in range(40)]
        run.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        code, text = invoke(labels, "--criterion", "correctness", "--run-file", run, "--json")
        assert code == 0
        found.append(json.loads(text))
    without = json.loads(invoke(labels, "--criterion", "correctness", "--json")[1])
    once, trials = found
    parts = ("agreement", "pairs", "leniency", "drift")
    assert [once[part] for part in parts] == [without[part] for part in parts]
    assert trials["agreement"]["n"] == 40
    assert all(trials[part] != without[part] for part in parts)


def test_the_tables_and_the_mistakes(labels: Path) -> None:
    code, text = invoke(labels, "--criterion", "correctness")
    assert code == 0
    assert "Agreement on correctness" in text and "Of 3 people, over the 40 samples" in text and "ann, bob" in text
    assert CliRunner().invoke(app, ["agreement", str(labels), "--criterion", "tone"]).exit_code != 0
    assert CliRunner().invoke(app, ["agreement", str(labels), "--criterion", "correctness", "--by", "x"]).exit_code != 0


def test_charts_say_what_they_hold() -> None:
    rng = np.random.default_rng(1)
    levels = np.array([[k % 4 > 0, k % 4 > 1, np.nan if k > 4 else 1] for k in range(40)], dtype=float)
    table = Ratings(tuple(map(str, range(40))), ("ann", "<b>bob</b>", "cy"), levels)
    pairs = pair_agreements(table, criterion=BINARY, rng=rng)
    matrix = pair_matrix(table.annotators, pairs, "Cohen's κ", dark=False)
    assert matrix.data[0].z[0][1] == pytest.approx(0.5)
    assert matrix.data[0].z[0][2] is None and "n = 5" in matrix.data[0].text[0][2]
    assert list(matrix.data[0].customdata[1][0]) == ["ann", "<b>bob</b>"]
    assert "&lt;b&gt;bob" in matrix.layout.xaxis.ticktext[1]
    counts = confusion_table(pairs[0], BINARY.levels, dark=True)
    assert [list(row) for row in counts.data[0].text] == [["10", "0"], ["10", "20"]]
    rows = leniency_rows(leniencies(table, criterion=BINARY), dark=False)
    assert sum(len(trace.x) for trace in rows.data) == 2  # cy shares too few samples
    found = drift([1.0] * 30 + [0.0] * 30, rng=rng)
    blocks = drift_blocks(found, "Pass rate", share=True, dark=False)
    assert list(blocks.data[0].y) == [1, 1, 1, 0, 0, 0]
