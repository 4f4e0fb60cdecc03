"""How often the interval of one sample's probability holds the truth: refits of the map to reweighted labels."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.refits import probability_bounds, refitted_probabilities
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

CRITERION = Criterion("correctness")
N, LABELS, DRAWS = 160, 120, 120


def test_the_interval_of_a_probability_holds_it_about_as_often_as_it_says() -> None:
    rng, inside = np.random.default_rng(5), []
    for draw in range(DRAWS):
        x = rng.normal(size=N)
        truth = 1 / (1 + np.exp(-(0.4 + 1.2 * x)))
        index = pd.Index([f"d{draw}s{k}" for k in range(N)], name="sample_id", dtype="str")
        table = ScoreTable(pd.DataFrame({"m": x}, index=index), Provenance("0", "abc", ("m",)))
        labels = [Label(str(index[k]), "correctness", int(rng.random() < truth[k]), "ann") for k in range(LABELS)]
        fitted = calibrate(labels, table, criterion=CRITERION, metrics=["m"], replicates=0, repeats=0)
        refits = refitted_probabilities(fitted, labels, table, criterion=CRITERION, refits=100, seed=draw)
        low, high = probability_bounds(refits.values(), fitted.probability(table))
        inside.append(np.mean((low <= truth) & (truth <= high)))
    # Forty labels fit each map, and the penalty shrinks: a little below 95%.
    assert 0.85 <= np.mean(inside) <= 0.98


def test_bounds_never_leave_out_the_probability_that_is_handed_out() -> None:
    low, high = probability_bounds(np.array([[0.2, 0.5], [0.3, 0.6]]), np.array([0.1, 0.7]))
    assert low[0] == 0.1 and high[1] == 0.7
