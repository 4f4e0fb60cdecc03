from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from hcat.core.statistics.beta_binomial import share_interval
from hcat.core.statistics.one_way import one_way_split


def fallen_short(share: float, passes: np.ndarray, trials: np.ndarray) -> float:
    """Twice the fall from the best log-likelihood, by SciPy's own beta-binomial, over the mean alone."""

    def loss(parameters: np.ndarray, rho: float | None) -> float:
        mean = 1 / (1 + np.exp(-parameters[0]))
        correlation = rho if rho is not None else 1 / (1 + np.exp(-parameters[1]))
        size = (1 - correlation) / correlation
        return -2 * float(stats.betabinom.logpmf(passes, trials, mean * size, (1 - mean) * size).sum())

    best = min(minimize(loss, [0.5, start], args=(None,), method="Nelder-Mead").fun for start in (-2.0, 0.0, 2.0))
    at = min(minimize(loss, [start], args=(share,), method="Nelder-Mead").fun for start in (-1.0, 0.5, 2.0))
    return float(at - best)


@pytest.mark.parametrize("seed", range(4))
def test_at_both_bounds_the_likelihood_has_fallen_by_t_squared(seed: int) -> None:
    rng = np.random.default_rng(seed)
    trials = rng.integers(2, 9, size=15)
    passes = rng.binomial(trials, rng.beta(2.0, 1.0, size=15))
    low, high = share_interval(passes, trials)
    allowed = stats.t.ppf(0.975, 14) ** 2
    assert 0 < high < 1
    assert fallen_short(high, passes, trials) == pytest.approx(allowed, abs=0.01)
    if low > 0:
        assert fallen_short(low, passes, trials) == pytest.approx(allowed, abs=0.01)
    else:
        assert fallen_short(1e-6, passes, trials) <= allowed


def test_trials_that_agree_leave_the_upper_end_open_and_equal_cases_the_lower() -> None:
    low, high = share_interval([5] * 8 + [0] * 4, [5] * 12)
    assert 0.5 < low < high == 1
    low, high = share_interval([2, 3] * 6, [5] * 12)
    assert (low, high < 0.3) == (0, True)


def test_one_kind_of_outcome_tells_nothing() -> None:
    assert share_interval([4, 4, 4], [4, 4, 4]) == (0, 1)
    assert share_interval([0, 0], [3, 2]) == (0, 1)


def test_pass_and_fail_change_places_without_a_difference() -> None:
    passes = np.array([0, 1, 3, 3, 2, 3, 3, 0])
    assert share_interval(passes, np.full(8, 3)) == pytest.approx(share_interval(3 - passes, np.full(8, 3)), abs=1e-3)


def test_the_split_of_passes_has_this_interval() -> None:
    outcomes = [1, 1, 1, 1, 0, 1, 0, 0, 0]
    share = one_way_split(outcomes, list("aaabbbccc")).share
    assert (share.low, share.high) == pytest.approx(share_interval([3, 2, 0], [3, 3, 3]))
    assert share.method == "ANOVA, beta-binomial likelihood interval"
    assert "Searle" in one_way_split([0.5, *outcomes[1:]], list("aaabbbccc")).share.method
