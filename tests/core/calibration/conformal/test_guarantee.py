from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from hcat.core.calibration.conformal.guarantee import coverage_range
from hcat.core.calibration.conformal.mondrian import class_thresholds, group_thresholds
from hcat.core.calibration.conformal.threshold import conformal_quantile
from hcat.core.capabilities.calibration.wording.guarantee import guarantee


def threshold(n: int, alpha: float = 0.1):  # type: ignore[no-untyped-def]
    return conformal_quantile(np.arange(1, n + 1) / (n + 1), alpha=alpha)


def test_coverage_of_one_threshold_follows_its_beta_distribution() -> None:
    # n = 99, α = 0.1: k = 90, Beta(90, 10).
    low, high = coverage_range(threshold(99))
    assert (low, high) == pytest.approx(stats.beta.interval(0.95, 90, 10))
    assert all(math.isnan(bound) for bound in coverage_range(threshold(8)))


def test_the_beta_distribution_is_that_of_simulated_thresholds() -> None:
    """With uniform nonconformity the coverage of a threshold q̂ is q̂ itself."""
    rng = np.random.default_rng(3)
    q = [conformal_quantile(row, alpha=0.2).q_hat for row in rng.random((2000, 37))]
    # k = ⌈38 · 0.8⌉ = 31.
    assert stats.kstest(q, stats.beta(31, 7).cdf).pvalue > 0.001
    low, high = coverage_range(threshold(37, 0.2))
    assert abs(np.mean((np.array(q) >= low) & (np.array(q) <= high)) - 0.95) < 0.02


def test_the_marginal_promise_in_words() -> None:
    text = guarantee(threshold(99))
    # 1 − α + 1/(n + 1) = 0.9 + 0.01.
    for wanted in ("at least 0.9,", "at most 0.91.", "between 83.4% and 95.0%", "exchangeable", "single sample"):
        assert wanted in text


def test_too_few_labels_promise_nothing() -> None:
    assert "takes at least 9" in guarantee(threshold(5))


def test_unequal_draws_keep_the_lower_bound_alone() -> None:
    text = guarantee(threshold(99), weighted=True)
    assert "at least 0.9" in text and "no upper bound" in text
    assert "at most" not in text and "Beta" not in text


def test_cells_that_are_too_small_are_named() -> None:
    by_class = class_thresholds(np.linspace(0, 1, 30), [0] * 25 + [1] * 5, names=("fail", "pass"), alpha=0.1)
    text = guarantee(threshold(30), conditional=by_class)
    assert "within each class" in text and "1 of 2" in text
    assert "pass (5 labels, 4 more needed)" in text
    groups = [f"g{k}" for k in range(6)] + ["big"] * 24
    by_group = group_thresholds(np.linspace(0, 1, 30), groups, by="topic", alpha=0.1)
    text = guarantee(threshold(30), conditional=by_group)
    assert "g0 (1 label, 8 more needed)" in text and "and 2 more" in text and "without any such label" in text
