"""Mean calibrated probabilities of slices, with the calibration's own error carried through: coverage by simulation."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
from scipy import stats

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.refits import refitted_probabilities
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.table import find_weaknesses
from hcat.core.types import Criterion, Label
from tests.draws import fewer

DRAWS = max(fewer(40), int(os.environ.get("HCAT_DRAWS", "0")))
N, LABELLED = 600, 250
CRITERION = Criterion("correctness")


def table_of(scores: np.ndarray, draw: int) -> ScoreTable:
    ids = pd.Index([f"d{draw}-s{k}" for k in range(len(scores))], name="sample_id", dtype="str")
    provenance = Provenance(version="0", run_hash="h", metrics=("m",), models={}, seed=7, parameters={})
    return ScoreTable(pd.DataFrame({"m": scores}, index=ids), provenance)


def test_intervals_of_mean_probabilities_cover() -> None:
    """Of the true pass rate of each slice, 95 % lie inside; as if the calibration were known, clearly fewer do."""
    rng = np.random.default_rng(21)
    carried = known = total = 0
    slope, intercept = 2.0, 0.4
    truth = {}
    for level, shift in zip("abc", (-0.4, 0.0, 0.4), strict=True):
        grid = stats.norm.ppf((np.arange(5000) + 0.5) / 5000) + shift
        truth[level] = float((1 / (1 + np.exp(-(slope * grid + intercept)))).mean())
    for draw in range(DRAWS):
        level = rng.choice(3, N)
        scores = rng.normal(size=N) + np.array([-0.4, 0.0, 0.4])[level]
        passed = rng.random(N) < 1 / (1 + np.exp(-(slope * scores + intercept)))
        table = table_of(scores, draw)
        chosen = rng.choice(N, LABELLED, replace=False)
        labels = [Label(table.sample_ids[k], "correctness", int(passed[k]), "eva") for k in chosen]
        fitted = calibrate(labels, table, criterion=CRITERION, metrics=["m"], directions={"m": "higher"})
        values = pd.Series(fitted.probability(table), index=table.frame.index)
        refits = refitted_probabilities(fitted, labels, table, criterion=CRITERION, refits=60, seed=draw)
        dimensions = pd.DataFrame({"d": pd.Categorical.from_codes(level, list("abc"))}, index=table.frame.index)
        make = {"metric": "p", "direction": "higher", "within": (0.0, 1.0)}
        for rows, counts in (
            (find_weaknesses(dimensions, values, refits=refits, **make).frame, True),
            (find_weaknesses(dimensions, values, **make).frame, False),
        ):
            true = rows["level_1"].map(truth)
            inside = int(((rows["low"] <= true) & (true <= rows["high"])).sum())
            carried, known = (carried + inside, known) if counts else (carried, known + inside)
        total += 3
    # The slices of one draw share a calibration: their hits are not independent, so bounds are those of the draws.
    low, _ = stats.binom.interval(0.999, DRAWS, 0.95)
    assert carried / total >= low / DRAWS
    assert known / total < carried / total - 0.05


def test_refits_are_centred_on_the_calibration_and_repeat_by_seed() -> None:
    rng = np.random.default_rng(22)
    scores = rng.normal(size=400)
    table = table_of(scores, 0)
    labels = [
        Label(sample_id, "correctness", int(rng.random() < 1 / (1 + np.exp(-2 * score))), "eva")
        for sample_id, score in zip(table.sample_ids, scores, strict=True)
    ]
    fitted = calibrate(labels, table, criterion=CRITERION, metrics=["m"])
    made = (refitted_probabilities(fitted, labels, table, criterion=CRITERION, refits=200, seed=s) for s in (1, 1, 2))
    draws = [of_seed.values() for of_seed in made]
    assert (draws[0] == draws[1]).all()
    assert (draws[0] != draws[2]).any()
    assert np.abs(draws[0].mean(axis=0) - fitted.probability(table)).max() < 0.03
    assert (draws[0].std(axis=0, ddof=1) > 0.005).mean() > 0.9
