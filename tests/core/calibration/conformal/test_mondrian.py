from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.conformal.mondrian import Conditional, class_thresholds, conditional_sets, group_thresholds
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity, prediction_sets
from hcat.core.errors import HcatError

NAMES = ("fail", "pass")


def binary_table(p: np.ndarray) -> np.ndarray:
    return np.column_stack([p, 1 - np.asarray(p)])


def test_class_thresholds_by_hand() -> None:
    p, y = np.array([0.1, 0.2, 0.3, 0.4, 0.95, 0.85, 0.75, 0.65]), [0] * 4 + [1] * 4
    made = class_thresholds(nonconformity(p, y), y, names=NAMES, alpha=0.2)
    # ⌈5 · 0.8⌉ = 4: the largest of p among fails, and of 1 − p among passes.
    assert [t.q_hat for t in made.thresholds.values()] == [0.4, pytest.approx(0.35)]
    sets = conditional_sets(binary_table(np.array([0.39, 0.41, 0.64, 0.66])), made)
    assert sets.tolist() == [[True, False], [False, False], [False, False], [False, True]]
    assert made.enough and not made.short


def test_a_class_with_too_few_labels_is_in_every_set_and_named() -> None:
    p, y = np.array([0.1, 0.2, 0.3, 0.4, 0.9]), [0, 0, 0, 0, 1]
    made = class_thresholds(nonconformity(p, y), y, names=NAMES, alpha=0.2)
    assert made.thresholds["fail"].enough
    # α = 0.2 takes 4 labels; “pass” has one.
    assert made.short == {"pass": 3} and not made.enough
    assert conditional_sets(binary_table(np.array([0.0, 0.999])), made)[:, 1].all()


def test_group_thresholds_by_hand() -> None:
    made = group_thresholds([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], list("aaaabbb"), by="topic", alpha=0.2)
    # Group a: ⌈5 · 0.8⌉ = 4, its largest. Group b: ⌈4 · 0.8⌉ = 4 of 3.
    assert made.thresholds["a"].q_hat == 0.4
    assert made.short == {"b": 1} and made.enough
    groups = ["a", "b", "new", None]
    sets = conditional_sets(binary_table(np.full(4, 0.3)), made, groups=groups)
    assert sets.tolist() == [[True, False], [True, True], [True, True], [True, True]]
    reasons = [made.whole_set_reason(group) for group in groups]
    assert reasons[0] is None
    assert reasons[1] == "topic = b has 3 labels; α = 0.2 takes 4"
    assert reasons[2] == "topic = new has no label that sets a threshold"
    assert reasons[3] == "the sample has no topic"


def test_labels_without_a_group_set_no_threshold() -> None:
    made = group_thresholds([0.9, 0.1, 0.2, 0.3, 0.4], [None, "a", "a", "a", "a"], by="topic", alpha=0.2)
    assert {name: t.n for name, t in made.thresholds.items()} == {"a": 4}
    assert not group_thresholds([0.9], [None], by="topic", alpha=0.2).enough


@given(st.integers(0, 10_000), st.sampled_from([0.01, 0.05, 0.1, 0.3, 0.5]))
def test_each_cell_is_split_conformal_on_its_own(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    p, groups = rng.random(60), rng.choice(["a", "b", "c"], 60, p=[0.7, 0.25, 0.05]).tolist()
    y = rng.random(60) < p
    s = nonconformity(p, y)
    by_class = class_thresholds(s, y, names=NAMES, alpha=alpha)
    by_group = group_thresholds(s, groups, by="area", alpha=alpha)
    assert by_class.thresholds["pass"] == conformal_quantile(s[y], alpha=alpha)
    sets = conditional_sets(binary_table(p), by_group, groups=groups)
    for name in set(groups):
        rows = np.array([group == name for group in groups])
        alone = conformal_quantile(s[rows], alpha=alpha)
        assert np.array_equal(sets[rows], prediction_sets(p[rows], alone.q_hat))


@given(st.integers(0, 10_000), st.sampled_from([0.05, 0.2, 0.5]))
def test_contiguous_sets_of_classes_hold_what_thresholds_hold_and_no_gap(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(5), 80)
    levels = rng.integers(0, 5, 80)
    table = path_nonconformity(p)
    made = class_thresholds(table[np.arange(80), levels], levels, names="abcde", alpha=alpha)
    plain, filled = conditional_sets(table, made), conditional_sets(table, made, contiguous=True)
    assert (filled | ~plain).all()
    # One run of neighbours changes at most twice along the padded row.
    assert (np.abs(np.diff(np.pad(filled.astype(int), ((0, 0), (1, 1))), axis=1)).sum(axis=1) <= 2).all()
    assert np.array_equal(plain.any(axis=1), filled.any(axis=1))


def test_gaps_are_filled_by_hand() -> None:
    q = {"low": 0.9, "middle": 0.2, "high": 0.9}
    made = class_thresholds([], [], names=tuple(q), alpha=0.1)
    made = Conditional("class", {n: type(t)(q[n], 30, 0.1, True, 9) for n, t in made.thresholds.items()}, made.unseen)
    table = np.array([[0.5, 0.5, 0.5], [0.95, 0.1, 0.95], [0.95, 0.5, 0.95]])
    assert conditional_sets(table, made, contiguous=True).tolist() == [[True] * 3, [False, True, False], [False] * 3]


def test_weights_of_a_group_that_are_equal_widen_nothing() -> None:
    """Drawn by the dimension itself, labels of a group weigh the same: its threshold is the unweighted one."""
    s, groups = np.linspace(0.1, 0.9, 18), ["a"] * 9 + ["b"] * 9
    weights = np.repeat([1.0, 7.0], 9)
    weighted = group_thresholds(s, groups, by="topic", alpha=0.2, weights=weights, heaviest={"a": 1.0, "b": 7.0})
    assert weighted == group_thresholds(s, groups, by="topic", alpha=0.2)


def test_an_unscored_sample_has_no_set() -> None:
    made = group_thresholds([0.1], ["a"], by="topic", alpha=0.1)
    assert conditional_sets([[np.nan, np.nan]], made, groups=["a"], contiguous=True).tolist() == [[False, False]]


def test_mistakes_are_named() -> None:
    with pytest.raises(HcatError, match="class or group"):
        group_thresholds([0.1, 0.2], ["a"], by="topic", alpha=0.1)
    with pytest.raises(HcatError, match="can't be called"):
        group_thresholds([0.1], ["a"], by="class", alpha=0.1)
    with pytest.raises(HcatError, match="between 0 and 1"):
        class_thresholds([0.1], [2], names=NAMES, alpha=0.1)
    made = group_thresholds([0.1], ["a"], by="topic", alpha=0.1)
    with pytest.raises(HcatError, match="needs its topic"):
        conditional_sets([[0.1, 0.9]], made)
    with pytest.raises(HcatError, match="column each class"):
        conditional_sets([0.1], made, groups=["a"])
    with pytest.raises(HcatError, match="2 classes, not 3"):
        conditional_sets([[0.1, 0.5, 0.6]], class_thresholds([], [], names=NAMES, alpha=0.1))
