from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.checks.diagnostics import diagnose, error_rates
from hcat.core.calibration.checks.reliability import calibration_error, equal_mass_bins, reliability
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.statistics.proportions import weighted_proportion


def test_type_1_and_type_2() -> None:
    # People fail the first three; the machine (p ≥ 0.5) passes one of them: 1/3.
    # People pass the last two; the machine fails one of them: 1/2.
    type_1, type_2 = error_rates([0.1, 0.2, 0.5, 0.9, 0.4], [0, 0, 0, 1, 1], threshold=0.5)
    assert (type_1.value, type_1.n) == (1 / 3, 3)
    assert (type_2.value, type_2.n) == (1 / 2, 2)
    assert type_1 == proportion_interval(1, 3)


def test_errors_against_an_empty_side_are_unknown() -> None:
    type_1, type_2 = error_rates([0.9, 0.8], [1, 1], threshold=0.5)
    assert math.isnan(type_1.value) and type_1.n == 0
    assert type_2.value == 0.0


def test_weighted_errors() -> None:
    # Fails: p 0.9 with weight 1, p 0.1 with weight 3: a quarter of the population's fails gets through.
    type_1, _ = error_rates([0.9, 0.1, 0.9], [0, 0, 1], threshold=0.5, weights=[1, 3, 1])
    assert type_1.value == 0.25
    assert "effective n = 1.6" in type_1.method  # (1 + 3)² / (1 + 9)


def test_calibration_error_of_one_bin() -> None:
    # Fewer than 20 values make one bin: |0.6 − 0.5| = 0.1.
    assert calibration_error([0.6] * 10, [1, 0] * 5) == pytest.approx(0.1)


def test_calibration_error_of_two_bins() -> None:
    # Low bin says 0.2, observed 0.3; high bin says 0.9, observed 0.7: (0.1 + 0.2) / 2 = 0.15.
    p = [0.2] * 10 + [0.9] * 10
    y = [1] * 3 + [0] * 7 + [1] * 7 + [0] * 3
    assert calibration_error(p, y) == pytest.approx(0.15)
    # With weights 3 and 1: (3 · 0.1 + 1 · 0.2) / 4 = 0.125.
    assert calibration_error(p, y, weights=[3.0] * 10 + [1.0] * 10) == pytest.approx(0.125)


def test_reliability_bins_carry_n_and_interval() -> None:
    p = np.arange(1, 101) / 101
    bins = reliability(p, p > 0.5)
    assert [part.n for part in bins] == [10] * 10
    assert bins[0].observed == proportion_interval(0, 10)
    assert bins[-1].observed == proportion_interval(10, 10)
    assert bins[3].probability == pytest.approx(p[30:40].mean())


@given(st.lists(st.floats(0, 1), max_size=150))
def test_bins_keep_order_and_never_split_ties(values: list[float]) -> None:
    bins = equal_mass_bins(values)
    assert len(bins) == len(values)
    assert sorted(set(bins.tolist())) == list(range(int(bins.max(initial=-1)) + 1))
    order = np.argsort(values, kind="stable")
    assert (np.diff(bins[order]) >= 0).all()
    by_value: dict[float, set[int]] = {}
    for value, number in zip(values, bins.tolist(), strict=True):
        by_value.setdefault(value, set()).add(number)
    assert all(len(numbers) == 1 for numbers in by_value.values())


def test_nothing_to_bin() -> None:
    assert reliability([], []) == ()
    assert math.isnan(calibration_error([], []))


def test_share_with_equal_weights_of_all_hits() -> None:
    # Clopper–Pearson for 10 of 10: low = 0.025^(1/10).
    assert weighted_proportion([1] * 10, method="clopper-pearson").low == pytest.approx(0.025**0.1)
    weighted = weighted_proportion([1] * 10, weights=[2.0] * 10)
    assert weighted.low == pytest.approx(0.025**0.1)
    assert (weighted.high, weighted.n) == (1.0, 10)
    assert weighted_proportion([0] * 10, weights=[2.0] * 10).low == 0.0


def test_all_diagnostics_together() -> None:
    p, y = np.array([0.05, 0.15, 0.55, 0.95, 0.85]), np.array([0, 0, 1, 1, 0])
    d = diagnose(p, y, q_hat=0.3)
    # Sets at q̂ = 0.3: {0}, {0}, empty, {1}, {1}: covered are the first, second and fourth.
    assert d.coverage.value == 3 / 5
    assert d.coverage.method == "clopper-pearson"
    assert d.set_sizes == {0: 1, 1: 4, 2: 0}
    assert d.undecided.value == 1 / 5
    assert (d.n, d.passes) == (5, 2)
    # Brier: (0.0025 + 0.0225 + 0.2025 + 0.0025 + 0.7225) / 5.
    assert d.brier.value == pytest.approx(0.1905)
    # Pairs: 0.55 beats 0.05, 0.15; 0.95 beats all three: 5 of 6.
    assert d.auc.value == pytest.approx(5 / 6)


def test_weighted_coverage_says_so() -> None:
    d = diagnose([0.1, 0.9, 0.8], [0, 1, 0], q_hat=0.3, weights=[1, 1, 2])
    assert d.coverage.value == 0.5
    assert "effective n = 2.7" in d.coverage.method  # 4² / (1 + 1 + 4)


def test_errors_of_sets_that_decide_and_coverage_by_class_by_hand() -> None:
    p, y = np.array([0.05, 0.15, 0.55, 0.95, 0.85]), np.array([0, 0, 1, 1, 0])
    d = diagnose(p, y, q_hat=0.3, groups={"topic": ["a", "a", "b", None, "b"]})
    # Sets {0}, {0}, empty, {1}, {1}: four decide, the last one wrongly; it is one of three decided fails.
    assert d.decided is not None
    assert (d.decided.error.value, d.decided.error.n) == (1 / 4, 4)
    assert (d.decided.type_1.value, d.decided.type_1.n) == (1 / 3, 3)
    assert (d.decided.type_2.value, d.decided.type_2.n) == (0.0, 1)
    assert d.cells["class"]["fail"].coverage == proportion_interval(2, 3, method="clopper-pearson")
    assert d.cells["class"]["pass"].undecided == proportion_interval(1, 2)
    assert {name: cell.coverage.value for name, cell in d.cells["topic"].items()} == {"a": 1.0, "b": 0.0}
    assert d.cells["topic"]["b"].coverage.n == 2
