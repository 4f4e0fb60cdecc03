"""Success of attacks against known values, at the ends, and with labels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.capabilities.attacks.planning import clean_bound, seeds_for_bound
from hcat.core.capabilities.attacks.success import AttackOutcomes, attack_success, detector_errors
from hcat.core.errors import HcatError
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.statistics.proportions import newcombe_difference


def outcomes(attack: list[float], control: list[float], succeeded: list[float] | None = None) -> AttackOutcomes:
    """One trial a seed, the k-th attack beside the k-th control."""
    n = len(attack) + len(control)
    return AttackOutcomes(
        np.array([*attack, *control], dtype=float),
        np.array([True] * len(attack) + [False] * len(control), dtype=np.bool_),
        np.array([*range(len(attack)), *range(len(control))], dtype=np.intp),
        np.full(n, math.nan) if succeeded is None else np.array(succeeded, dtype=float),
        np.ones(n),
    )


def test_a_clean_run_has_an_exact_bound() -> None:
    """1 − 0.05^(1/30) = 0.0950 one-sided; two-sided 1 − 0.025^(1/30) = 0.1157."""
    assert clean_bound(30) == pytest.approx(0.0950, abs=5e-5)
    assert clean_bound(0) == 1.0
    success = attack_success(outcomes([0.0] * 30, [0.0] * 30))
    assert success.detected.attack.low == 0.0
    assert success.detected.attack.high == pytest.approx(1 - 0.025 ** (1 / 30))
    assert success.detected.excess.value == 0.0
    assert success.detected.excess.low < 0 < success.detected.excess.high
    assert success.p == 1.0


def test_all_successes_have_one_too() -> None:
    success = attack_success(outcomes([1.0] * 30, [0.0] * 30))
    assert success.detected.attack.high == 1.0
    assert success.detected.attack.low == pytest.approx(0.025 ** (1 / 30))
    assert success.detected.excess.low > 0.75
    assert success.p < 0.001


def test_trials_that_agree_are_worth_one_seed() -> None:
    """Five trials of each of 30 seeds without a hit tell no more than one each."""
    once = attack_success(outcomes([0.0] * 30, [0.0] * 30)).detected.attack
    trials = AttackOutcomes(
        np.zeros(300),
        np.repeat([True, False], 150),
        np.tile(np.repeat(np.arange(30), 5), 2),
        np.full(300, math.nan),
        np.ones(300),
    )
    several = attack_success(trials)
    assert several.seeds == 30
    assert several.detected.attack.high == pytest.approx(once.high)


def test_without_correlation_the_excess_is_newcombes() -> None:
    """12 of 40 against 6 of 40, laid out so that the two do not correlate: 6·34 = 40·… by hand 12·6 = 1.8·40."""
    attack = [1.0] * 12 + [0.0] * 28
    control = [1.0, 1.0] + [0.0] * 10 + [1.0] * 4 + [0.0] * 24  # 2 of 12 beside a hit, 4 of 28 beside none
    success = attack_success(outcomes(attack, control))
    exact = [proportion_interval(hits, 40, method="clopper-pearson") for hits in (6, 12)]
    newcombe = newcombe_difference(exact[0], exact[1], n=80)
    assert success.detected.excess.value == pytest.approx(newcombe.value)
    assert success.detected.excess.low == pytest.approx(newcombe.low, abs=0.006)
    assert success.detected.excess.high == pytest.approx(newcombe.high, abs=0.006)


def test_pairs_that_go_together_narrow_the_excess() -> None:
    apart = attack_success(outcomes([1.0] * 10 + [0.0] * 30, [0.0] * 30 + [1.0] * 10)).detected.excess
    together = attack_success(outcomes([1.0] * 10 + [0.0] * 30, [1.0] * 10 + [0.0] * 30)).detected.excess
    assert together.value == apart.value == 0.0
    assert together.high - together.low < 0.3 * (apart.high - apart.low)


def test_labels_correct_a_detector_that_errs() -> None:
    """The detector reports all 40 attacks, labels on all say that half succeeded: 0.5, and no excess without any."""
    half = [1.0, 0.0] * 20
    success = attack_success(outcomes([1.0] * 40, [0.0] * 40, [*half, *[0.0] * 40]))
    assert success.corrected is not None
    assert success.detected.excess.value == 1.0
    assert success.corrected.attack.value == pytest.approx(0.5)
    assert success.corrected.control.value == 0.0
    assert success.corrected.excess.value == pytest.approx(0.5)
    assert success.corrected.excess.low > 0.3
    errors = detector_errors(outcomes([1.0] * 40, [0.0] * 40, [*half, *[0.0] * 40]))
    assert errors.sensitivity.value == 1.0
    assert errors.specificity.value == pytest.approx(40 / 60)


def test_few_labels_correct_nothing() -> None:
    labels = [0.0] * 9 + [math.nan] * 31 + [0.0] * 40
    assert attack_success(outcomes([0.0] * 40, [0.0] * 40, labels)).corrected is None


def test_samples_without_an_answer_are_left_out() -> None:
    success = attack_success(outcomes([1.0, math.nan] * 15, [0.0] * 30))
    assert success.seeds == success.detected.attack.n == 15
    assert success.detected.attack.value == 1.0


def test_few_seeds_are_not_tested() -> None:
    assert math.isnan(attack_success(outcomes([1.0] * 9, [0.0] * 9)).p)
    empty = attack_success(outcomes([], []))
    assert empty.seeds == 0
    assert math.isnan(empty.detected.excess.value)


def test_seeds_for_a_bound() -> None:
    """0.95^n ≤ 0.05 first at n = 59: log 0.05 / log 0.95 = 58.4."""
    assert seeds_for_bound(0.05) == 59
    assert clean_bound(seeds_for_bound(0.05)) <= 0.05 < clean_bound(58)
    with pytest.raises(HcatError, match="between 0 and 1"):
        seeds_for_bound(1.0)
