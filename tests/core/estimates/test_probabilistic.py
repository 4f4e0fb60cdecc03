from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.trials.wording import trials_note
from hcat.core.errors import HcatError
from hcat.core.estimates.probabilistic import probabilistic_scores

NAN = math.nan


def test_the_algebra_of_the_source() -> None:
    # Three questions, four trials: 4/4, 2/4, 1/4 good. S_u = 7/12. With H = 1, 0.5, 1:
    # S_c = 1 − |1 − 1| = 1, 1 − 0 = 1, 1 − 0.75 = 0.25; mean 0.75. S_t = (7/12 + 0.75) / 2 = 2/3.
    outcomes = [1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0]
    cases = [c for c in "abc" for _ in range(4)]
    made = probabilistic_scores(outcomes, cases, expected={"a": 1, "b": 0.5, "c": 1})
    assert made.unconditional.value == pytest.approx(7 / 12)
    assert [case.agreement for case in made.cases] == pytest.approx([1, 1, 0.25])
    assert made.conditional.value == pytest.approx(0.75)
    assert made.total.value == pytest.approx(2 / 3)
    # (n S_u + Σ S_c) / 2n is the same.
    assert made.total.value == pytest.approx((3 * 7 / 12 + 2.25) / 6)
    assert (made.trials, made.unscored, made.equal_trials) == (12, 0, True)
    # Four trials at H = ½: E|B − 2| = .75, so that S_c is 1 − .1875; where H is 1 it is 1.
    assert made.attainable == pytest.approx(1 - 0.1875 / 3)
    assert trials_note(made).startswith("S_c depends on the number of trials")
    assert made.unconditional.n == 3


def test_unequal_trials_are_said() -> None:
    # a: 1 of 1, b: 0 of 3. S_u is the mean over trials, 1/4, not the mean over test cases, 1/2.
    made = probabilistic_scores([1, 0, 0, 0, NAN], ["a", "b", "b", "b", "b"])
    assert made.unconditional.value == 0.25
    assert (made.equal_trials, made.unscored) == (False, 1)
    assert trials_note(made) == "Test cases have 1 to 3 trials: S_u is the mean over trials."


def test_without_expectations_there_is_only_the_unconditional_score() -> None:
    made = probabilistic_scores([1, 0, 1, 1], list("aabb"))
    assert made.unconditional.value == 0.75
    assert (made.conditional.n, math.isnan(made.conditional.value), math.isnan(made.total.value)) == (0, True, True)


def test_the_cluster_error_by_hand() -> None:
    # One trial each: the effective n is that of plain samples, 30, before the t of 29 degrees: Wilson, a little wider.
    outcomes = np.arange(30) < 18
    once = probabilistic_scores(outcomes, [str(i) for i in range(30)])
    copies = probabilistic_scores(np.repeat(outcomes, 7), [str(i) for i in range(30) for _ in range(7)])
    assert once.unconditional.low == pytest.approx(copies.unconditional.low)
    assert once.unconditional.high == pytest.approx(copies.unconditional.high)


def test_trials_that_all_agree_keep_a_width() -> None:
    made = probabilistic_scores([1] * 20, [c for c in "abcd" for _ in range(5)], expected=dict.fromkeys("abcd", 1.0))
    for estimate in (made.unconditional, made.conditional, made.total):
        # Wilson at 4 of 4 test cases: 4 / (4 + 1.96²) = 0.51.
        assert (estimate.low, estimate.high) == (pytest.approx(0.5101, abs=1e-4), 1.0)


def test_one_test_case_or_none_has_no_bounds() -> None:
    one = probabilistic_scores([1, 0, 1], ["a", "a", "a"], expected={"a": 1})
    assert one.unconditional.value == pytest.approx(2 / 3)
    assert math.isnan(one.unconditional.low) and math.isnan(one.total.low)
    none = probabilistic_scores([], [])
    assert math.isnan(none.unconditional.value)


@pytest.mark.parametrize(
    ("outcomes", "cases", "expected"), [([0.5], ["a"], {}), ([1], ["a", "b"], {}), ([1], ["a"], {"a": 1.2})]
)
def test_what_does_not_fit_is_refused(outcomes: list[float], cases: list[str], expected: dict[str, float]) -> None:
    with pytest.raises(HcatError):
        probabilistic_scores(outcomes, cases, expected=expected)


@given(st.integers(0, 10**6))
def test_scores_stay_in_range_and_the_order_of_trials_is_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cases = rng.choice(list("abcdef"), 40)
    outcomes = (rng.random(40) < rng.random()).astype(float)
    expected = {case: float(rng.random()) for case in "abcd"}
    made = probabilistic_scores(outcomes, cases.tolist(), expected=expected)
    order = rng.permutation(40)
    again = probabilistic_scores(outcomes[order], cases[order].tolist(), expected=expected)
    for name in ("unconditional", "conditional", "total"):
        one, other = getattr(made, name), getattr(again, name)
        assert one.value == pytest.approx(other.value)
        assert 0 <= one.low <= one.value + 1e-9 and one.value - 1e-9 <= one.high <= 1


def test_the_total_is_known_no_better_than_the_conditional_score() -> None:
    """S_t was given an interval as if S_c were certain where one test case alone says what people expect."""
    outcomes = [1, 1, 0, 1, 0, 1, 0, 0, 1, 1]
    names = [c for c in "abcde" for _ in range(2)]
    one = probabilistic_scores(outcomes, names, expected={"a": 1.0})
    assert (one.total.n, math.isnan(one.conditional.low), math.isnan(one.total.low)) == (1, True, True)
    # Two with an H: t on 1 degree, whose quantile at 50% is 1. S_c is 1 and 0.5, S_u = 0.6. Every test case moves S_u
    # by (good − 1.2) / 10 = 0.08, −0.02, −0.02, −0.12, 0.08, times √(1/2 · 5/4) = √0.625 for its n of 5 instead of 2,
    # and S_c by (S_c − 0.75) / 2 = 0.125 for a and −0.125 for b.
    two = probabilistic_scores(outcomes, names, expected={"a": 1.0, "b": 1.0}, level=0.5)
    moved = np.array([0.08, -0.02, -0.02, -0.12, 0.08]) * math.sqrt(0.625) + [0.125, -0.125, 0, 0, 0]
    error = math.sqrt(2 * float(moved @ moved)) / 2
    assert (two.total.value, two.total.n) == (pytest.approx((0.6 + 0.75) / 2), 2)
    assert two.total.high == pytest.approx(0.675 + error)


def test_a_conditional_score_without_spread_does_not_make_the_total_certain() -> None:
    """Five of thirty test cases have an expectation, and all met it: S_t has the mean of both scores' bounds."""
    rng = np.random.default_rng(4)
    cases = np.repeat([f"q{k:02}" for k in range(30)], 5)
    y = (rng.random(150) < 0.8).astype(float)
    y[:25] = 1.0
    found = probabilistic_scores(y, cases, expected={f"q{k:02}": 1.0 for k in range(5)})
    assert found.conditional.value == 1.0
    own, other = found.conditional, found.unconditional
    assert found.total.value == pytest.approx((own.value + other.value) / 2)
    assert (found.total.low, found.total.high) == pytest.approx(
        ((own.low + other.low) / 2, (own.high + other.high) / 2)
    )


@pytest.mark.parametrize(("trials", "expected"), [(1, 0.6), (2, 0.74), (3, 0.79), (5, 0.84), (10, 0.89), (30, 0.94)])
def test_the_attainable_agreement_is_that_of_a_system_that_meets_what_is_expected(trials: int, expected: float) -> None:
    """H = θ ~ Beta(2, 2), and outcomes drawn at θ: S_c comes to what is said to be attainable."""
    rng = np.random.default_rng(3)
    theta = rng.beta(2, 2, 4000)
    names = [f"t{case}" for case in np.repeat(np.arange(4000), trials)]
    outcomes = (rng.random((4000, trials)) < theta[:, None]).astype(float).ravel()
    made = probabilistic_scores(outcomes, names, expected={f"t{case}": float(h) for case, h in enumerate(theta)})
    assert made.attainable == pytest.approx(expected, abs=0.01)
    assert made.conditional.value == pytest.approx(made.attainable, abs=0.015)
    assert "equally many" in trials_note(made)
