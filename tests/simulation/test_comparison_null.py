"""How often a comparison of methods claims something where there is nothing."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
from scipy.stats import binom

from hcat.core.calibration.checks.comparison import Comparison, compare_methods
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

CRITERION = Criterion("correctness")
METRICS = ("a", "b", "c", "d")
SPLITS = ("fit", "conformal", "check")
DRAWS = max(40, int(os.environ.get("HCAT_DRAWS", "0")))
MOST = int(binom.ppf(0.999, DRAWS, 0.05))
"""Draws with a false claim, where one in twenty has one."""


def compared(rng: np.random.Generator, *, n: int, signal: float) -> Comparison:
    """Four metrics that each see as much of one hidden quality; nothing of it without a signal."""
    quality = rng.normal(size=n)
    X = signal * quality[:, None] + rng.normal(size=(n, len(METRICS)))
    passed = quality + 0.3 * rng.normal(size=n) > -0.4
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    table = ScoreTable(pd.DataFrame(X, columns=list(METRICS), index=index), Provenance("0", "abc", METRICS))
    labels = [Label(f"s{i}", "correctness", int(level)) for i, level in enumerate(passed)]
    return compare_methods(
        labels, table, criterion=CRITERION, metrics=METRICS, methods=["logistic", "isotonic"], splits=SPLITS
    )


def test_chance_is_seldom_said_to_beat_a_constant() -> None:
    rng = np.random.default_rng(11)
    claims = [any(one.beats_base_rate for one in compared(rng, n=60, signal=0.0).candidates) for _ in range(DRAWS)]
    print(f"chance said to beat a constant: {np.mean(claims):.3f} of {DRAWS}")
    assert sum(claims) <= MOST


def test_metrics_that_are_equally_good_seldom_seem_to_differ() -> None:
    rng = np.random.default_rng(12)
    claims = []
    for _ in range(DRAWS):
        alone = [one for one in compared(rng, n=90, signal=1.0).candidates if one.method == "logistic"]
        single = [one for one in alone if len(one.metrics) == 1]
        claims.append(any(one.log_loss_difference.low > 0 for one in single) and len(alone[0].metrics) == 1)
    print(f"equally good metrics said to differ: {np.mean(claims):.3f} of {DRAWS}")
    assert sum(claims) <= MOST


def test_a_metric_that_people_follow_is_shown_to_beat_a_constant() -> None:
    rng = np.random.default_rng(13)
    claims = [any(one.beats_base_rate for one in compared(rng, n=120, signal=2.0).candidates) for _ in range(40)]
    assert np.mean(claims) >= 0.9
