from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.multiplicity import benjamini_hochberg, holm


def test_known_values() -> None:
    # Sorted: 0.01·4/1 = 0.04, 0.02·4/2 = 0.04, 0.03·4/3 = 0.04, 0.5·4/4 = 0.5.
    assert benjamini_hochberg([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.04, 0.04, 0.5, 0.04])
    # 0.04·2/1 = 0.08 is larger than 0.05·2/2 = 0.05: the smaller counts for both.
    assert benjamini_hochberg([0.04, 0.05]) == pytest.approx([0.05, 0.05])


def test_untested_slices_are_not_counted() -> None:
    q = benjamini_hochberg([0.01, math.nan, 0.02])
    assert math.isnan(q[1])
    assert q[[0, 2]] == pytest.approx([0.02, 0.02])


def test_nothing_tested() -> None:
    assert benjamini_hochberg([]).shape == (0,)
    assert np.isnan(benjamini_hochberg([math.nan])).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_q_is_at_least_p_and_keeps_its_order(p: list[float]) -> None:
    q = benjamini_hochberg(p)
    assert (q >= np.array(p) - 1e-15).all() and (q <= 1).all()
    assert (np.diff(q[np.argsort(p, kind="stable")]) >= 0).all()


def test_holm_steps_down_from_the_smallest_p() -> None:
    """0.01·4 = 0.04; 0.02·3 = 0.06; 0.03·2 = 0.06; 0.04·1 → not below the one before, 0.06."""
    adjusted = holm([0.02, np.nan, 0.01, 0.04, 0.03])
    assert np.isnan(adjusted[1])
    assert adjusted[[2, 0, 4, 3]] == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.9, 0.8]).max() == 1.0
