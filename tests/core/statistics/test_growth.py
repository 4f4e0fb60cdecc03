"""How many observations until a test shows what is seen now: by formula, and tried on draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from hcat.core.statistics.growth import MOST, n_until, normal_quantile


def test_the_number_is_that_of_the_formula() -> None:
    # n · ((z₀.₀₂₅ + z₀.₂) / statistic)² = 100 · ((1.95996 + 0.84162) / 1)² = 784.9
    assert n_until(1.0, 100, lambda _: 0.025) == 785
    assert normal_quantile(0.025) == pytest.approx(1.95996, abs=1e-5)


def test_what_is_shown_takes_no_more_and_what_points_nowhere_no_number_will_do() -> None:
    assert n_until(3.0, 50, lambda _: 0.025, True) == 50
    assert n_until(0.0, 50, lambda _: 0.025) == n_until(-1.0, 50, lambda _: 0.025) == math.inf
    assert n_until(1e-6, 50, lambda _: 0.025) == math.inf and MOST == 1_000_000


def test_four_of_five_tests_succeed_at_that_number() -> None:
    effect, n = 0.2, 50
    needed = int(n_until(effect * math.sqrt(n), n, lambda _: 0.025))
    rng = np.random.default_rng(3)
    means = rng.normal(effect, 1 / math.sqrt(needed), 20_000)
    assert np.mean(means * math.sqrt(needed) > stats.norm.isf(0.025)) == pytest.approx(0.8, abs=0.02)
