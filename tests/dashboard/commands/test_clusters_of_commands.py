"""Commands count in clusters with and without the run file, and say where samples may depend on one another unsaid."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from hcat.core.records.clusters import clusters_of
from hcat.core.records.run_file import content_hash, to_jsonl
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Sample
from hcat.dashboard.cli import app

CASES, TRIALS = 40, 5
TRIALS_OF_CASES = [
    Sample(f"q{k}-{trial}", f"question {k}", "a", test_case=f"q{k}", trial=trial)
    for k in range(CASES)
    for trial in range(TRIALS)
]
ASKED = ["s.parquet", "l.csv", "--criterion", "c", "--metrics", "m", "--json"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of trials, its scores with their clusters, and labels on all of it that agree within a test case."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    good = np.repeat(rng.random(CASES) < 0.6, TRIALS)
    index = pd.Index([sample.id for sample in TRIALS_OF_CASES], name="sample_id", dtype="str")
    clusters = clusters_of(TRIALS_OF_CASES)
    table = ScoreTable(
        pd.DataFrame({"m": good + rng.normal(size=len(good))}, index=index),
        Provenance("0", content_hash(TRIALS_OF_CASES), ("m",), cluster_sources=("test case",)),
        clusters=tuple(clusters.values()),
    )
    table.write(tmp_path / "s.parquet")
    replace(table, clusters=None, provenance=replace(table.provenance, cluster_sources=())).write(
        tmp_path / "old.parquet"
    )
    (tmp_path / "run.jsonl").write_text(to_jsonl(TRIALS_OF_CASES), "utf-8")
    unsaid = [replace(sample, test_case=None, trial=0) for sample in TRIALS_OF_CASES]
    (tmp_path / "unsaid.jsonl").write_text(to_jsonl(unsaid), "utf-8")
    rows = [f"{name},c,{'pass' if one else 'fail'}" for name, one in zip(index, good, strict=True)]
    (tmp_path / "l.csv").write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    return tmp_path


def call(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.usefixtures("folder")
def test_estimate_is_the_same_without_the_run_file() -> None:
    alone, with_run = call("estimate", *ASKED), call("estimate", *ASKED, "--run-file", "run.jsonl")
    first, second = json.loads(alone.stdout), json.loads(with_run.stdout)
    assert first["estimates"] == second["estimates"] and alone.stderr == with_run.stderr == ""
    assert first["labels_only_effective_n"] == pytest.approx(CASES, rel=0.05)  # all trials of a test case agree
    assert first["clusters"] == CASES
    assert "200 samples in 40 clusters." in call("estimate", *ASKED[:-1]).stdout.replace("\n", " ")
    assert first["estimates"]["naive"]["low"] is first["estimates"]["naive"]["high"] is None


@pytest.mark.usefixtures("folder")
def test_calibrate_divides_labels_by_the_clusters_of_the_scores() -> None:
    call("calibrate", *ASKED[:-1], "-o", "a.json")
    call("calibrate", *ASKED[:-1], "-o", "b.json", "--samples", "run.jsonl")
    first, second = (json.loads(Path(name).read_text("utf-8")) for name in ("a.json", "b.json"))
    assert first["settings"]["split_by"] == second["settings"]["split_by"] == "cluster"
    assert first["split_sizes"] == second["split_sizes"] and first["threshold"] == second["threshold"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["estimate", "plan", "calibrate"])
def test_old_scores_of_what_looks_like_trials_are_warned_of(command: str) -> None:
    output = ["-o", "c.json"] if command == "calibrate" else []
    said = call(command, "old.parquet", *ASKED[1:], *output).stderr
    assert "The ids of 200 samples look like those of 40 test cases (“q0-0” and “q0-1”)" in said
    assert "give these samples the same test_case" in said


@pytest.mark.usefixtures("folder")
def test_a_run_file_that_says_otherwise_counts_and_is_told() -> None:
    result = call("estimate", *ASKED, "--run-file", "unsaid.jsonl")
    assert "200 samples ask only 40 questions between them" in result.stderr
    assert "the 200 scored samples into 200 clusters, the score file into 40. The run file counts." in result.stderr
    assert json.loads(result.stdout)["labels_only_effective_n"] == pytest.approx(200, rel=0.05)
