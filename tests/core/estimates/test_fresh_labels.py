"""Fresh labels of a finding: known values, clusters, rounds and what is still missing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from core.estimates.fresh_labels import CONFIRMED, MORE_LABELS, NOT_CONFIRMED, FreshLabels, compare_fresh


def fresh(
    passes: int, n: int, rest_passes: int, rest_n: int, *, of_round: int = 1, needs: int = 0, size: int = 1
) -> FreshLabels:
    """Labels in clusters of `size`, each of one side."""
    passed = [k < passes for k in range(n)] + [k < rest_passes for k in range(rest_n)]
    inside = np.arange(n + rest_n) < n
    clusters = np.array([f"c{k // size}" for k in range(n + rest_n)])
    return FreshLabels(np.array(passed), inside, clusters, of_round, needs)


def test_known_values() -> None:
    # Newcombe 1998, table II, example (a): 56/70 and 48/80, method 10: 0.0524 to 0.3339, here the other way round.
    compared = compare_fresh(fresh(48, 80, 56, 70))
    assert compared.difference.value == pytest.approx(-0.2)
    assert (compared.difference.low, compared.difference.high) == pytest.approx((-0.3339, -0.0524), abs=5e-5)
    assert compared.p == pytest.approx(fisher_exact([[48, 32], [56, 14]], alternative="less").pvalue)
    assert compared.p < compared.level == 0.025
    assert compared.verdict == CONFIRMED


def test_no_difference_and_the_wrong_direction_are_not_confirmed() -> None:
    assert compare_fresh(fresh(24, 30, 25, 30)).verdict == NOT_CONFIRMED
    better = compare_fresh(fresh(30, 30, 10, 30))
    assert better.p == pytest.approx(1.0) and better.verdict == NOT_CONFIRMED


def test_nothing_is_decided_before_every_label_is_there() -> None:
    assert compare_fresh(fresh(0, 30, 29, 29, needs=1)).verdict == MORE_LABELS


def test_each_further_round_is_tested_at_half_the_level() -> None:
    assert [fresh(1, 2, 1, 2, of_round=k).level for k in (1, 2, 3)] == [0.025, 0.0125, 0.00625]


def test_a_side_without_labels_has_no_difference() -> None:
    compared = compare_fresh(fresh(2, 4, 0, 0, needs=5))
    assert np.isnan(compared.difference.value) and compared.inside.value == 0.5


def test_clusters_count_once() -> None:
    """Forty samples in ten clusters of four that agree: far less sure than forty samples of their own."""
    alone, clustered = compare_fresh(fresh(10, 20, 18, 20)), compare_fresh(fresh(10, 20, 18, 20, size=4))
    assert clustered.difference.value == pytest.approx(alone.difference.value)
    assert clustered.difference.high - clustered.difference.low > alone.difference.high - alone.difference.low
    assert clustered.p > alone.p
    # All fail here and pass there: five clusters on either side, 1 of C(10, 5) = 252.
    assert compare_fresh(fresh(0, 20, 20, 20, size=4)).p == pytest.approx(1 / 252)
