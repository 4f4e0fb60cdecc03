from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.errors import HcatError
from hcat.core.statistics.one_way import one_way_split


def test_variance_by_hand() -> None:
    # a: 1, 3; b: 5, 7. Means 2 and 6, grand 4. Within (1+1+1+1)/2 = 2; between square 2·(4 + 4)/1 = 16;
    # between (16 − 2)/2 = 7; share 7/9.
    made = one_way_split([1, 3, 5, 7], list("aabb"))
    assert (made.within, made.between, made.share.value) == (2, 7, pytest.approx(7 / 9))
    assert made.share.n == 2


def test_unequal_trials_by_hand() -> None:
    # m = 1, 3: m₀ = (4 − 10/4)/1 = 1.5. a: 0; b: 1, 2, 3, mean 2, grand mean 1.5.
    # Within 2/2 = 1; between square 1 · 2.25 + 3 · 0.25 = 3; between (3 − 1)/1.5 = 4/3.
    made = one_way_split([0, 1, 2, 3], list("abbb"))
    assert (made.within, made.between) == (1, pytest.approx(4 / 3))


def test_trials_that_differ_more_than_cases_are_said() -> None:
    made = one_way_split([0, 1, 0, 1], list("aabb"))
    assert (made.between, made.share.value) == (-0.25, 0)


def test_too_little_for_a_split() -> None:
    for made in (one_way_split([1, 0], ["a", "b"]), one_way_split([1, 0], ["a", "a"]), one_way_split([], [])):
        assert math.isnan(made.between) and math.isnan(made.share.value)
    constant = one_way_split([1, 1, 1, 1], list("aabb"))
    assert (constant.between, constant.within, math.isnan(constant.share.value)) == (0, 0, True)
    alike = one_way_split([1, 1, 0, 0], list("aabb"))
    assert (alike.share.value, alike.share.high, 0 <= alike.share.low < 1) == (1, 1, True)
    alike = one_way_split([0.5, 0.5, 0.2, 0.2], list("aabb"))
    assert (alike.share.value, math.isnan(alike.share.low)) == (1, True)


def test_against_statsmodels_for_equal_trials() -> None:
    """REML equals ANOVA where trials are equal and the estimate is positive."""
    import statsmodels.api as sm

    rng = np.random.default_rng(4)
    cases = np.repeat(np.arange(40), 6)
    y = rng.normal(size=40)[cases] * 1.5 + rng.normal(size=240)
    fitted = sm.MixedLM(y, np.ones(240), groups=cases).fit(reml=True)
    made = one_way_split(y, cases.astype(str).tolist())
    assert made.between == pytest.approx(float(np.squeeze(fitted.cov_re)), rel=1e-3)
    assert made.within == pytest.approx(float(fitted.scale), rel=1e-3)


def test_infinite_outcomes_are_refused() -> None:
    with pytest.raises(HcatError):
        one_way_split([np.inf, 1], ["a", "b"])
