"""The same numbers mean the same, whether hcat computed them or a file brought them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.calibration import calibrate as of_run
from hcat.core.capabilities.estimates.estimate import estimate_pass_rate
from hcat.core.capabilities.weaknesses.weaknesses import find_weaknesses
from hcat.core.metrics.registry import find_metric
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_file import ScoreColumn, ScoreFile, file_score_table, run_beside
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Criterion, Label, Sample, Score

N = 300
CRITERION = Criterion("correctness")


@pytest.fixture(scope="module")
def runs() -> tuple[Opened, Opened]:
    """A run scored by hcat with answer F1, and the same with the numbers in a file."""
    rng = np.random.default_rng(11)
    quality = rng.normal(size=N)
    numbers = np.clip(0.5 + 0.2 * quality + rng.normal(0, 0.1, N), -1, 1).round(3)
    passed = quality + rng.normal(0, 0.5, N) > -0.5
    samples = [Sample(f"s{k}", f"q{k}?", f"a {k}", dimensions={"topic": "abcd"[k % 4]}) for k in range(N)]
    labels = [Label(f"s{k}", "correctness", int(passed[k])) for k in range(0, N, 2)]
    scores = [Score(None, "no reference") if k % 29 == 0 else Score(float(numbers[k])) for k in range(N)]
    low, high = find_metric("answer_f1").range
    column = ScoreColumn("answer_f1", {f"s{k}": scores[k] for k in range(N)}, "higher", low, high)
    theirs = file_score_table(
        ScoreFile("f.csv", "ab" * 32, tuple(column.scores), (column,)),
        run=run_beside(ColumnsOfSamples(samples), content_hash(samples)),
    )
    ours = score_table(
        list(theirs.sample_ids),
        {"answer_f1": scores},
        type(theirs.provenance)("1", theirs.provenance.run_hash, ("answer_f1",)),
        answer_states=theirs.answer_states,
        clusters=theirs.clusters,
    )
    return tuple(_opened(samples, table, labels) for table in (ours, theirs))


def _opened(samples: list[Sample], table: ScoreTable, labels: list[Label]) -> Opened:
    return run_from_files(RunColumns("run", FileColumns(lambda: samples, lambda: table)), labels)


@pytest.mark.parametrize("method", ["logistic", "isotonic", "combined"])
def test_calibration_and_verdict_are_the_same(runs: tuple[Opened, Opened], method: str) -> None:
    made = [
        of_run.calibrate(run, CRITERION, metrics=[metric], method=method)
        for run, metric in zip(runs, ("answer_f1", "file:answer_f1"), strict=True)
    ]
    probabilities = [fitted.probability(run.columns.scores) for fitted, run in zip(made, runs, strict=True)]
    np.testing.assert_array_equal(*probabilities)
    assert made[0].threshold == made[1].threshold
    assert made[0].fit_for_use == made[1].fit_for_use
    assert made[1].inputs["file of file:answer_f1"] == "ab" * 32


@pytest.mark.parametrize("method", ["logistic", "combined"])
def test_the_estimated_pass_rate_is_the_same(runs: tuple[Opened, Opened], method: str) -> None:
    ours, theirs = (
        estimate_pass_rate(run, CRITERION, metrics=[metric], method=method)
        for run, metric in zip(runs, ("answer_f1", "file:answer_f1"), strict=True)
    )
    assert ours.ppi == theirs.ppi


def test_weak_slices_are_the_same(runs: tuple[Opened, Opened]) -> None:
    ours, theirs = (
        find_weaknesses(run, metric, by=["topic"], pairs=False).frame.drop(columns="metric")
        for run, metric in zip(runs, ("answer_f1", "file:answer_f1"), strict=True)
    )
    pd.testing.assert_frame_equal(ours, theirs)
