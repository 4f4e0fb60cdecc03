from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.shrinkage import shrink


def test_known_value() -> None:
    # y = 0, 1, 2 with s² = 0.5 each: w = 2, mean 1, Q = 2·(1 + 0 + 1) = 4, df = 2, c = 6 − 12/6 = 4:
    # τ² = (4 − 2)/4 = 0.5.
    # Factor 0.5/(0.5 + 0.5) = 0.5: 1 ± 0.5.
    result = shrink([0.0, 1.0, 2.0], [0.5, 0.5, 0.5])
    assert (result.between_variance, result.centre) == (pytest.approx(0.5), pytest.approx(1.0))
    assert result.values == pytest.approx([0.5, 1.0, 1.5])


def test_chance_differences_shrink_to_one_value() -> None:
    result = shrink([0.50, 0.51, 0.49], [1.0, 1.0, 1.0])
    assert result.between_variance == 0.0
    assert result.values == pytest.approx([0.5, 0.5, 0.5])


def test_small_slices_shrink_more() -> None:
    result = shrink([0.0, 0.0, 10.0, 10.0], [0.1, 5.0, 0.1, 5.0])
    moved = np.abs(result.values - [0.0, 0.0, 10.0, 10.0])
    assert moved[1] > moved[0] and moved[3] > moved[2]


def test_degenerate_input_is_left_alone() -> None:
    assert shrink([0.4], [0.1]).values.tolist() == [0.4]
    assert shrink([0.4, 0.6], [0.0, 0.0]).values.tolist() == [0.4, 0.6]
    assert shrink([], []).values.shape == (0,)
    unknown = shrink([0.4, math.nan, 0.6], [0.1, 0.1, 0.1]).values
    assert math.isnan(unknown[1]) and unknown[0] == pytest.approx(0.5)


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0.01, 5)), min_size=2, max_size=12))
def test_estimates_lie_between_the_mean_and_the_centre(rows: list[tuple[float, float]]) -> None:
    means = np.array([row[0] for row in rows])
    result = shrink(means, [row[1] for row in rows])
    low, high = np.minimum(means, result.centre), np.maximum(means, result.centre)
    assert ((result.values >= low - 1e-9) & (result.values <= high + 1e-9)).all()
