from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.agreement.alpha import Measurement, krippendorff_alpha
from hcat.core.errors import HcatError

N = math.nan
# Krippendorff 2011, section C: four observers, twelve units, with missing values.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize(("measurement", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_values(measurement: Measurement, published: float) -> None:
    estimate = krippendorff_alpha(PUBLISHED, rng=rng(), measurement=measurement)
    assert estimate.value == pytest.approx(published, abs=0.0006)
    # Unit 12 has a single label.
    assert estimate.n == 11
    assert estimate.low < estimate.value < estimate.high


def test_a_value_by_hand() -> None:
    # Items (0,0), (0,1), (1,1): coincidences o00 = 2, o01 = o10 = 1, o11 = 2; margins 3, 3; n = 6.
    # α = 1 − (n − 1) · 2 · o01 / (2 · 3 · 3) = 1 − 5 · 2 / 18 = 4/9.
    assert krippendorff_alpha([[0, 0], [0, 1], [1, 1]], rng=rng()).value == pytest.approx(4 / 9)


def test_complete_agreement_keeps_a_lower_bound() -> None:
    levels = np.repeat(np.array([[0.0], [1.0]]), 10, axis=0) * np.ones(3)
    estimate = krippendorff_alpha(levels, rng=rng())
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    # Expected disagreement 2 · 30 · 30 / (60 · 59) = 0.5085; 1 − 0.1684 / 0.5085 = 0.669.
    assert estimate.low == pytest.approx(0.6688, abs=1e-3)


@pytest.mark.parametrize("levels", [np.ones((10, 3)), np.full((10, 3), N), np.eye(4) + np.where(np.eye(4) == 1, 0, N)])
def test_undefined_where_nothing_can_differ(levels: np.ndarray) -> None:
    estimate = krippendorff_alpha(levels, rng=rng())
    assert math.isnan(estimate.value) and math.isnan(estimate.low)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(HcatError):
        krippendorff_alpha([1, 2, 3], rng=rng())
    with pytest.raises(HcatError):
        krippendorff_alpha([[1, math.inf]], rng=rng())
    with pytest.raises(HcatError, match="interval"):
        krippendorff_alpha([[1, 2]], rng=rng(), measurement="ratio")  # type: ignore[arg-type]


@given(st.integers(0, 10**6), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_the_order_of_items_and_annotators_is_nothing(seed: int, measurement: Measurement) -> None:
    random = np.random.default_rng(seed)
    levels = random.integers(0, 4, (12, 3)).astype(float)
    levels[random.random(levels.shape) < 0.2] = N
    one = krippendorff_alpha(levels, rng=rng(), measurement=measurement, replicates=20)
    shuffled = levels[random.permutation(12)][:, random.permutation(3)]
    other = krippendorff_alpha(shuffled, rng=rng(), measurement=measurement, replicates=20)
    assert one.value == pytest.approx(other.value, nan_ok=True)
    # A shift of all levels is nothing either.
    moved = krippendorff_alpha(levels + 7, rng=rng(), measurement=measurement, replicates=20)
    assert moved.value == pytest.approx(one.value, nan_ok=True)
