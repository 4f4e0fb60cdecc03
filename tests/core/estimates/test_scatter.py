from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import HcatError
from core.estimates.scatter import answer_scatter, variance_split


def test_scatter_by_hand() -> None:
    # a: x x y z → shares 1/2, 1/4, 1/4, entropy 0.5 · 1 + 2 · 0.25 · 2 = 1.5 bits of at most log2 4 = 2.
    made = answer_scatter(list("xxyz") + list("pp") + ["q"], list("aaaa") + list("bb") + ["c"])
    a, b, c = made.cases
    assert (a.trials, a.kinds, a.largest, a.entropy, a.evenness) == (4, 3, 0.5, 1.5, 0.75)
    assert (b.kinds, b.largest, b.entropy, b.evenness) == (1, 1.0, 0.0, 0.0)
    assert (c.trials, math.isnan(c.evenness)) == (1, True)
    # A single trial can't scatter: means are over a and b.
    assert (made.entropy.value, made.entropy.n) == (0.75, 2)


def test_ten_answers_of_ten_percent() -> None:
    # PROB 1: ten different answers in 100 trials, each 10 %: log2 10 = 3.32 bits.
    made = answer_scatter([str(i % 10) for i in range(100)], ["q"] * 100)
    assert made.cases[0].entropy == pytest.approx(math.log2(10))
    assert made.cases[0].largest == pytest.approx(0.1)


def test_variance_by_hand() -> None:
    # a: 1, 3; b: 5, 7. Means 2 and 6, grand 4. Within (1+1+1+1)/2 = 2; between square 2·(4 + 4)/1 = 16;
    # between (16 − 2)/2 = 7; share 7/9.
    made = variance_split([1, 3, 5, 7], list("aabb"))
    assert (made.within, made.between, made.share.value) == (2, 7, pytest.approx(7 / 9))
    assert (made.trials, made.share.n, made.truncated) == (4, 2, False)


def test_unequal_trials_by_hand() -> None:
    # m = 1, 3: m₀ = (4 − 10/4)/1 = 1.5. a: 0; b: 1, 2, 3, mean 2, grand mean 1.5.
    # Within 2/2 = 1; between square 1 · 2.25 + 3 · 0.25 = 3; between (3 − 1)/1.5 = 4/3.
    made = variance_split([0, 1, 2, 3], list("abbb"))
    assert (made.within, made.between) == (1, pytest.approx(4 / 3))


def test_trials_that_differ_more_than_cases_are_said() -> None:
    made = variance_split([0, 1, 0, 1], list("aabb"))
    assert (made.between, made.truncated, made.share.value) == (0, True, 0)


def test_too_little_for_a_split() -> None:
    for made in (variance_split([1, 0], ["a", "b"]), variance_split([1, 0], ["a", "a"]), variance_split([], [])):
        assert math.isnan(made.between) and math.isnan(made.share.value)
    constant = variance_split([1, 1, 1, 1], list("aabb"))
    assert (constant.between, constant.within, math.isnan(constant.share.value)) == (0, 0, True)
    alike = variance_split([1, 1, 0, 0], list("aabb"))
    assert (alike.share.value, math.isnan(alike.share.low)) == (1, True)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(HcatError):
        answer_scatter(["x"], ["a", "b"])
    with pytest.raises(HcatError):
        variance_split([np.inf, 1], ["a", "b"])


def test_against_statsmodels_for_equal_trials() -> None:
    """REML equals ANOVA where trials are equal and the estimate is positive."""
    import statsmodels.api as sm

    rng = np.random.default_rng(4)
    cases = np.repeat(np.arange(40), 6)
    y = rng.normal(size=40)[cases] * 1.5 + rng.normal(size=240)
    fitted = sm.MixedLM(y, np.ones(240), groups=cases).fit(reml=True)
    made = variance_split(y, cases.astype(str).tolist())
    assert made.between == pytest.approx(float(np.squeeze(fitted.cov_re)), rel=1e-3)
    assert made.within == pytest.approx(float(fitted.scale), rel=1e-3)


def test_intervals_of_scatter_stay_in_their_ranges() -> None:
    """Three test cases whose two trials agree, and one whose do not: t alone would reach from −0.55 to 1.05 bits."""
    made = answer_scatter(list("11121111"), list("aabbccdd"))
    assert (made.entropy.value, made.entropy.low, made.entropy.high) == (0.25, 0.0, 1.0)
    assert (made.largest.value, made.largest.high) == (0.875, 1.0)
    assert (made.evenness.low, made.evenness.high) == (0.0, 1.0)
    # All alike is no certainty: Wilson of 4 of 4 begins at 4 / (4 + 1.96²) = 0.5101.
    assert answer_scatter(list("11111111"), list("aabbccdd")).largest.low == pytest.approx(0.5101, abs=1e-4)
