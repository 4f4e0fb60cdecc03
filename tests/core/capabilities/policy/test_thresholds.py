"""Thresholds that keep a promise: p-values by hand, by enumeration, and MAPIE's controller."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hcat.core.capabilities.policy.error_test import BETS, error_bound, error_p_value
from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import GRID, Stakes
from hcat.core.capabilities.policy.thresholds import OtherSamples, certify, trade_off
from hcat.core.errors import HcatError
from tests.core.capabilities.policy.mapie_oracle import assert_same_thresholds_as_mapie

C = "correctness"


def failures(n: int, k: int) -> np.ndarray:
    return np.arange(n) < k


def test_p_values_of_equal_labels_are_binomial() -> None:
    # 0 of 22: 0.9^22 = 0.0985; 1 of 2 at 0.5: P(K ≤ 1) = 3/4.
    assert error_p_value(failures(22, 0), 0.1) == pytest.approx(0.9**22)
    assert error_p_value(failures(2, 1), 0.5) == pytest.approx(0.75)
    assert error_p_value(failures(0, 0), 0.1) == 1.0


def test_the_bound_is_where_the_p_value_is_delta() -> None:
    for weights in (None, np.tile([1.0, 3.0], 20)):
        bound = error_bound(failures(40, 3), 0.9, weights=weights, stakes=Stakes(3.0))
        p = error_p_value(failures(40, 3), bound, weights=weights, stakes=Stakes(3.0))
        assert p == pytest.approx(0.1, abs=1e-6)
    assert error_bound(failures(30, 0), 0.95) == pytest.approx(1 - 0.05 ** (1 / 30))
    assert error_bound(failures(3, 3), 0.9) == error_bound(failures(0, 0), 0.9) == 1.0


@pytest.mark.parametrize("clusters", [None, np.array([0, 0, 1, 1, 2, 2])])
def test_the_capital_of_weighted_labels_is_expected_to_stay_at_1(clusters: np.ndarray | None) -> None:
    # Over all outcomes of six labels that fail with probability ε each, the mean of 1/p is at most 1.
    weights, error = np.array([1.0, 1.0, 2.0, 2.0, 5.0, 4.0]), 0.2
    mean = 0.0
    for outcome in itertools.product([False, True], repeat=6):
        failed = np.array(outcome)
        chance = float(np.prod(np.where(failed, error, 1 - error)))
        lost, mass = (
            (weights * failed, weights)
            if clusters is None
            else (np.bincount(clusters, weights=weights * failed), np.bincount(clusters, weights=weights))
        )
        capital = np.mean([np.prod(1 - bet * (lost - error * mass) / ((1 - error) * mass.max())) for bet in BETS])
        p = error_p_value(failed, error, weights=weights, clusters=clusters, stakes=Stakes(float(mass.max())))
        assert p == pytest.approx(min(1, 1 / capital))
        mean += chance * float(capital)
    assert mean == pytest.approx(1.0)


def test_labels_of_one_cluster_show_less() -> None:
    failed = failures(60, 0)
    alone, by_case = (
        error_p_value(failed, 0.1, clusters=x, stakes=Stakes(3.0)) for x in (None, np.repeat(np.arange(20), 3))
    )
    assert alone < by_case


def test_the_fewest_accepted_labels() -> None:
    assert Promise(0.1, 0.9).least_accepted() == 22
    assert Promise(0.05, 0.95).least_accepted() == 59
    assert Promise(0.5, 0.5).least_accepted() == 1
    assert Promise(0.1, 0.9).at_share(1 / 4).confidence == pytest.approx(0.975)
    # A bet on n labels without a failure: the mean over b of (1 + b/9)^n reaches 10 first at n = 34 (10.016).
    assert Promise(0.1, 0.9).least_accepted(betting=True) == 34


@pytest.mark.parametrize(("error", "confidence"), [(0, 0.9), (0.6, 0.9), (0.1, 1), (0.1, 0.4)])
def test_a_promise_that_nobody_can_mean(error: float, confidence: float) -> None:
    with pytest.raises(HcatError):
        Promise(error, confidence)


def drawn(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return 1 / (1 + np.exp(-(2.2 + 2.2 * x))), rng.random(n) >= 1 / (1 + np.exp(-(2 + 2 * x)))


@pytest.mark.filterwarnings("ignore::UserWarning:mapie")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("error", [0.05, 0.1, 0.2])
def test_the_same_thresholds_as_mapie(seed: int, error: float) -> None:
    probability, failed = drawn(seed, 400)
    labels, others = HeldOutLabels(probability[:200], failed[:200]), OtherSamples(probability[200:])
    assert_same_thresholds_as_mapie(labels, others, Promise(error, 0.9))


def test_no_held_out_label_decides_where_testing_starts() -> None:
    probability, failed = drawn(3, 400)
    others = OtherSamples(probability[200:])
    seen, opposite = (HeldOutLabels(probability[:200], x[:200]) for x in (failed, ~failed))
    assert certify({C: seen}, others, Promise()).tested_from == certify({C: opposite}, others, Promise()).tested_from


def test_too_few_labels_show_nothing_and_the_curve_still_says_what_they_see() -> None:
    probability, failed = drawn(4, 60)
    labels, others = HeldOutLabels(probability[:10], failed[:10]), OtherSamples(probability[10:])
    certificate = certify({C: labels}, others, Promise())
    assert certificate.accept_from is None and not certificate.covers(0.5)
    points = trade_off({C: labels}, OtherSamples(probability), Promise(), certificate)
    assert [point.threshold for point in points] == GRID.tolist()
    last = points[-1]
    assert last.share == 1.0 and last.accepted == 10 and last.bound >= last.failure_rate
    nobody = trade_off(
        {C: HeldOutLabels(probability[:0], failed[:0])}, OtherSamples(probability), Promise(), certificate
    )[0]
    assert np.isnan(nobody.failure_rate) and nobody.bound == 1.0


def test_on_several_criteria_a_threshold_is_shown_where_it_is_on_each() -> None:
    probability, failed = drawn(5, 400)
    _, other = drawn(6, 400)
    others = OtherSamples(probability[200:])
    first = HeldOutLabels(probability[:200], failed[:200])
    # The second criterion has the worse labels of two draws, and so allows for less.
    second = HeldOutLabels(probability[:200], failed[:200] | (other[:200] & (probability[:200] < 0.9)))
    alone = [certify({C: each}, others, Promise()).accept_from for each in (first, second)]
    both = certify({"a": first, "b": second}, others, Promise())
    assert alone[0] is not None and alone[1] is not None and alone[0] < alone[1] == both.accept_from
    assert [test.criterion for test in both.tests] == ["a", "b"]
    assert both.p_value == max(test.p_value for test in both.tests) <= 0.1
    point = trade_off({"a": first, "b": second}, others, Promise(), both)[50]
    assert point.bound == max(trade_off({C: x}, others, Promise(), both)[50].bound for x in (first, second))
    nothing = certify({"a": first, "b": HeldOutLabels(probability[:0], failed[:0])}, others, Promise())
    assert nothing.accept_from is None and nothing.accepted == 0
