"""Contiguous sets of ordered levels, and the test of proportional odds, by simulation with fixed seeds."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from hcat.core.calibration.checks.proportional_odds import check_proportional_odds
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.conformal.threshold import conformal_quantile
from hcat.core.calibration.maps.ordinal import fit_ordinal

DRAWS = int(os.environ.get("HCAT_DRAWS", "300"))
"""1000 in `make simulate`."""


def labelled(rng: np.random.Generator, n: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Five levels whose odds are not proportional: the map can't be right, and coverage must hold all the same."""
    x = rng.normal(size=n)
    noise = rng.logistic(size=n) * np.where(x > 0, 2.0, 0.4)
    return x, np.digitize(2 * x + noise, [-2.0, -0.7, 0.7, 2.0])


@pytest.mark.parametrize("alpha", [0.2, 0.1])
def test_contiguous_sets_cover(alpha: float) -> None:
    rng = np.random.default_rng(int(100 * alpha))
    fitted = fit_ordinal(*labelled(rng, 300), n_levels=5)
    hits, n = 0, 57
    for _ in range(DRAWS):
        x, level = labelled(rng, n + 1)
        p = fitted.level_probabilities(x)
        own = path_nonconformity(p)[np.arange(n + 1), level]
        q_hat = conformal_quantile(own[:n], alpha=alpha).q_hat
        hits += int(own[n] <= q_hat)
    expected = np.ceil(round((n + 1) * (1 - alpha), 9)) / (n + 1)
    low, high = stats.binom.interval(0.999, DRAWS, expected)
    assert low / DRAWS <= hits / DRAWS <= high / DRAWS


@pytest.mark.parametrize("weighted", [False, True])
def test_the_test_of_proportional_odds_keeps_its_level(weighted: bool) -> None:
    rng = np.random.default_rng(53 + weighted)
    rejected = 0
    for _ in range(DRAWS):
        X = rng.normal(size=(250, 2))
        y = np.digitize(X @ [1.2, -0.6] + rng.logistic(size=250), [-1.3, 0.0, 1.3])
        weights = np.where(rng.random(250) < 0.5, 1.0, 3.0) if weighted else None
        rejected += int(check_proportional_odds(X, y, n_levels=4, weights=weights).p < 0.05)
    # A Wald test of 250 labels errs by about a point on either side.
    low, high = stats.binom.interval(0.999, DRAWS, 0.05)
    assert low / DRAWS - 0.01 <= rejected / DRAWS <= high / DRAWS + 0.01


def test_the_test_of_proportional_odds_keeps_its_level_by_test_case() -> None:
    rng, rejected, naive = np.random.default_rng(59), 0, 0
    cases = np.repeat(np.arange(60), 5)
    for _ in range(DRAWS):
        # Trials of a test case have its metrics, and four times of five its own error too.
        X, same = rng.normal(size=(60, 2))[cases], rng.random(300) < 0.8
        error = np.where(same, rng.logistic(size=60)[cases], rng.logistic(size=300))
        y = np.digitize(X @ [1.2, -0.6] + error, [-1.3, 0.0, 1.3])
        rejected += int(check_proportional_odds(X, y, n_levels=4, groups=cases).p < 0.05)
        naive += int(check_proportional_odds(X, y, n_levels=4).p < 0.05)
    assert rejected / DRAWS <= stats.binom.ppf(0.9995, DRAWS, 0.05) / DRAWS + 0.01
    assert naive / DRAWS > 0.3
