from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.conformal import conformal_quantile, nonconformity, prediction_sets
from core.calibration.mondrian import (
    class_prediction_sets,
    class_thresholds,
    group_prediction_sets,
    group_thresholds,
)
from core.errors import HcatError


def test_class_thresholds_by_hand() -> None:
    # Fails have p = 0.1 … 0.4, passes 1 − p = 0.05, 0.15, 0.25, 0.35; α = 0.2: rank ⌈5 · 0.8⌉ = 4 of each.
    made = class_thresholds([0.1, 0.2, 0.3, 0.4, 0.95, 0.85, 0.75, 0.65], [0] * 4 + [1] * 4, alpha=0.2)
    assert (made.failed.q_hat, made.passed.q_hat) == (0.4, pytest.approx(0.35))
    assert made.enough
    sets = class_prediction_sets([0.39, 0.41, 0.64, 0.66], made)
    assert sets.tolist() == [[True, False], [False, False], [False, False], [False, True]]


def test_a_class_with_too_few_labels_is_in_every_set() -> None:
    made = class_thresholds([0.1, 0.2, 0.3, 0.4, 0.9], [0, 0, 0, 0, 1], alpha=0.2)
    assert (made.failed.enough, made.passed.enough, made.enough) == (True, False, False)
    assert class_prediction_sets([0.0, 0.999], made)[:, 1].all()


def test_groups_are_each_on_their_own() -> None:
    # Group a: rank ⌈5 · 0.8⌉ = 4 of 4; group b has 3 labels, one short of the 4 that α = 0.2 needs.
    made = group_thresholds([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], list("aaaabbb"), alpha=0.2)
    assert made.of("a").q_hat == 0.4
    assert (made.of("b").q_hat, made.short) == (1.0, {"b": 1})
    assert (made.of("never seen").q_hat, made.of("never seen").n) == (1.0, 0)
    sets = group_prediction_sets([0.3, 0.3, 0.3], ["a", "b", "new"], made)
    assert sets.tolist() == [[True, False], [True, True], [True, True]]


@given(st.integers(0, 10**6), st.floats(0.05, 0.5))
def test_against_each_part_computed_alone(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    p, y, groups = rng.random(80), rng.random(80) < 0.5, rng.choice(["a", "b", "c"], 80)
    by_class, by_group = class_thresholds(p, y, alpha=alpha), group_thresholds(nonconformity(p, y), groups, alpha=alpha)
    assert by_class.passed == conformal_quantile(1 - p[y], alpha=alpha)
    assert by_class.failed == conformal_quantile(p[~y], alpha=alpha)
    sets = group_prediction_sets(p, groups, by_group)
    for group in "abc":
        rows = groups == group
        alone = conformal_quantile(nonconformity(p[rows], y[rows]), alpha=alpha)
        assert np.array_equal(sets[rows], prediction_sets(p[rows], alone.q_hat))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(HcatError, match="group"):
        group_thresholds([0.1, 0.2], ["a"], alpha=0.1)
    made = group_thresholds([0.1], ["a"], alpha=0.1)
    with pytest.raises(HcatError, match="group"):
        group_prediction_sets([0.1, 0.2], ["a"], made)
    with pytest.raises(HcatError, match="unscored"):
        class_prediction_sets([np.nan], class_thresholds([0.5], [1], alpha=0.1))
