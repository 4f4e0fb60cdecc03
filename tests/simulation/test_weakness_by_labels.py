"""Slices of a calibrated probability whose metric is shifted: error rates and power by simulation with fixed seeds."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.weaknesses.weaknesses import find_calibrated_weaknesses
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample

DRAWS = max(20, int(os.environ.get("HCAT_DRAWS", "100")) // 5)
CRITERION = Criterion("correctness")
N = 750


def columns_of(kinds: np.ndarray, x: np.ndarray) -> RunColumns:
    """One simulated run: a dimension, and a metric."""
    ids = [f"s{k}" for k in range(len(x))]
    samples = [
        Sample(id=name, query="q", answer="a", dimensions={"kind": str(kind)})
        for name, kind in zip(ids, kinds, strict=True)
    ]
    frame = pd.DataFrame({"answer_f1": 1 / (1 + np.exp(-x))}, index=pd.Index(ids, name="sample_id", dtype="str"))
    scores = ScoreTable(frame, Provenance("0", "0" * 64, ("answer_f1",)))
    return RunColumns("run", FileColumns(lambda: samples, lambda: scores))


def verdict(rng: np.random.Generator, *, shift: float, worse: float, labelled: int) -> tuple[str, bool]:
    """Of the slice "table", a fifth of the run, whose metric is lower by `shift` standard deviations and whose rate by
    `worse` on the scale of its logit; and whether its interval holds that rate."""
    table = rng.random(N) < 0.2
    quality = rng.normal(size=N)
    chance = 1 / (1 + np.exp(-(0.8 + 1.5 * quality - worse * table)))
    passed = rng.random(N) < chance
    columns = columns_of(np.where(table, "table", "text"), quality - shift * table)
    at = datetime(2025, 1, 6, tzinfo=UTC)
    labels = [
        Label(f"s{k}", CRITERION.name, int(passed[k]), annotator="ann", at=at, probability=labelled / N)
        for k in rng.choice(N, labelled, replace=False)
    ]
    run = run_from_files(columns, labels)
    fitted = calibrate(labels, columns.scores, criterion=CRITERION, metrics=("answer_f1",))
    rows = find_calibrated_weaknesses(run, fitted, CRITERION, by=["kind"]).frame
    row = rows[rows["level_1"] == "table"].iloc[0]
    grid = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    truth = float((1 / (1 + np.exp(-(0.8 + 1.5 * grid - worse)))).mean())
    return str(row["verdict"]), bool(row["low"] <= truth <= row["high"])


@pytest.mark.parametrize("shift", [pytest.param(0.5, marks=pytest.mark.slow), 1.0])
def test_a_metric_that_is_lower_does_not_make_a_slice_weak(shift: float) -> None:
    """People pass as many in the slice as elsewhere. By the probabilities alone it was weak in .95 and .99 of draws,
    and its interval held the rate in .67 and .35."""
    rng = np.random.default_rng(41)
    drawn = [verdict(rng, shift=shift, worse=0.0, labelled=150) for _ in range(DRAWS)]
    assert np.mean([word == "weak" for word, _ in drawn]) <= stats.binom.ppf(0.999, DRAWS, 0.05) / DRAWS
    assert np.mean([held for _, held in drawn]) >= stats.binom.ppf(0.001, DRAWS, 0.94) / DRAWS


def test_a_slice_with_too_few_labels_is_said_to_have_a_lower_metric() -> None:
    rng = np.random.default_rng(42)
    words = [verdict(rng, shift=1.0, worse=0.0, labelled=40)[0] for _ in range(10)]
    assert words.count("weak") <= 2
    assert "lower score" in words


def test_a_slice_where_people_pass_fewer_is_found() -> None:
    rng = np.random.default_rng(43)
    words = [verdict(rng, shift=0.0, worse=2.5, labelled=200)[0] for _ in range(10)]
    assert words.count("weak") >= 7
