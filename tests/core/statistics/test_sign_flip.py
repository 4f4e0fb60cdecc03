"""Paired differences tested by changing their signs: against known values and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from hcat.core.statistics.sign_flip import sign_flip_p


def one(*differences: float) -> float:
    return float(sign_flip_p(np.array(differences, dtype=np.float64)[:, None])[0])


def test_all_signs_are_gone_through_for_few_differences() -> None:
    # 1, 2, 3 and all signs alike: 2 of 8 sums are as far from 0 as 6.
    assert one(1, 2, 3) == pytest.approx(2 / 8)
    assert one(1, 2, -3) == 1.0  # the sum is 0
    assert one(0, 0, 0, 2.0) == 1.0  # either sign is as extreme
    assert one(0.0, 0.0) == 1.0
    assert np.isnan(one(np.nan, np.nan))


def test_of_passes_and_fails_it_is_mcnemars_exact_test() -> None:
    # 9 pairs got worse and 1 better: 2 · (1 + 10) / 1024.
    assert one(*[-1] * 9, 1, *[0] * 30) == pytest.approx(22 / 1024)
    many = one(*[-1] * 30, *[1] * 12, *[0] * 5)
    assert many == pytest.approx(stats.binomtest(12, 42).pvalue, abs=0.004)


def test_of_many_differences_it_is_scipys_permutation_test() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0.3, 1, 40)
    other = stats.permutation_test(
        (values,), np.sum, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert one(*values) == pytest.approx(other.pvalue, abs=0.012)
    assert one(*values) == one(*rng.permutation(values))  # whatever the order of clusters


def test_p_is_bounded_where_no_draw_comes_near() -> None:
    assert one(*[-1.0] * 60) == pytest.approx(2 * np.exp(-30))  # Hoeffding's bound of 2 · 2⁻⁶⁰
    assert sign_flip_p(np.array([[1.0, -1.0]] * 20)).tolist() == pytest.approx([2 * np.exp(-10)] * 2, rel=1)
