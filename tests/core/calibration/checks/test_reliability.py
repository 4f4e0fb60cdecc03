from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.calibration.checks.brier import brier_parts
from hcat.core.calibration.checks.reliability import calibration_error, corrected_calibration_error
from hcat.core.statistics.intervals import mean_interval


def generator() -> np.random.Generator:
    return np.random.default_rng(1)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 300), st.booleans())
def test_the_parts_of_the_brier_score_add_up(seed: int, n: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    p, y = rng.random(n), rng.integers(0, 2, n)
    w = rng.uniform(0.5, 4, n) if weighted else None
    parts = brier_parts(p, y, weights=w, generator=rng, replicates=10)
    assert parts.total == pytest.approx(mean_interval((p - y) ** 2, weights=w).value, abs=1e-12)
    for part in (parts.reliability, parts.resolution, parts.uncertainty, parts.within_variance):
        assert part.low <= part.value <= part.high and part.n == n
    assert min(parts.uncertainty.low, parts.within_variance.low) >= -1e-12


def test_the_parts_by_hand() -> None:
    # Two bins of ten: p = 0.2 with 3 passes, p = 0.9 with 7. Overall 1/2. Noise 0.21/9 in each bin, 0.25/19 in all.
    p, y = [0.2] * 10 + [0.9] * 10, [1] * 3 + [0] * 7 + [1] * 7 + [0] * 3
    parts = brier_parts(p, y, generator=generator())
    assert parts.reliability.value == pytest.approx((0.1**2 + 0.2**2) / 2 - 0.21 / 9)
    assert parts.resolution.value == pytest.approx(0.2**2 - 0.21 / 9 + 0.25 / 19)
    assert parts.uncertainty.value == pytest.approx(0.25 + 0.25 / 19)
    assert parts.within_variance.value == pytest.approx(0, abs=1e-12)
    assert parts.within_covariance.value == pytest.approx(0, abs=1e-12)
    # Brier: 3 · 0.64 + 7 · 0.04 + 7 · 0.01 + 3 · 0.81 = 4.7 of 20.
    assert parts.total == pytest.approx(4.7 / 20)


def test_within_parts_by_hand() -> None:
    # One bin: p = 0.4 fails, p = 0.6 passes. Variance 0.01, doubled covariance 2 · (0.3 − 0.25) = 0.1.
    parts = brier_parts([0.4, 0.6], [0, 1], generator=generator())
    assert parts.within_variance.value == pytest.approx(0.01)
    assert parts.within_covariance.value == pytest.approx(0.1)
    assert parts.total == pytest.approx(0.16)  # = 0.25 + 0.01 − 0.1


def test_corrected_error_of_one_bin_by_hand() -> None:
    # x = |0.6 − 0.5| = 0.1, σ = √(0.24/10) = 0.1549, z = 0.6455; 2Φ(z) − 1 = 0.4814, φ(z) = 0.3239:
    # 0.1 · 0.4814 − 2 · 0.1549 · 0.3239 = −0.0522.
    found = corrected_calibration_error([0.6] * 10, [1, 0] * 5, generator=generator())
    assert found.value == pytest.approx(-0.0522, abs=1e-4)
    assert found.low <= found.value <= found.high and found.n == 10


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 200))
def test_the_correction_only_lowers(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    y = rng.random(n) < p**2
    found = corrected_calibration_error(p, y, generator=rng, replicates=20)
    assert found.low <= found.value <= found.high <= 1
    assert found.value <= calibration_error(p, y) + 1e-12


def test_a_gross_error_is_hardly_corrected() -> None:
    p = np.linspace(0.001, 0.05, 400)
    found = corrected_calibration_error(p, np.ones(400), generator=generator())
    assert found.value == pytest.approx(calibration_error(p, np.ones(400)), abs=1e-6)


def test_certain_probabilities_have_no_noise() -> None:
    assert corrected_calibration_error([0.0, 1.0] * 10, [0, 1] * 10, generator=generator()).value == 0
    assert math.isnan(corrected_calibration_error([], [], generator=generator()).value)
    assert math.isnan(brier_parts([], [], generator=generator()).reliability.value)


def test_the_same_generator_gives_the_same_interval() -> None:
    p, y = np.linspace(0.1, 0.9, 50), np.arange(50) % 2
    assert corrected_calibration_error(p, y, generator=generator()) == corrected_calibration_error(
        p, y, generator=generator()
    )


def test_the_order_of_rows_moves_no_bootstrap_end() -> None:
    rng = np.random.default_rng(11)
    p = rng.random(120)
    y = rng.random(120) < p
    order = rng.permutation(120)
    one, other = (
        corrected_calibration_error(p[rows], y[rows], generator=np.random.default_rng(7))
        for rows in (np.arange(120), order)
    )
    assert one == other
