"""Fresh labels of a finding: known values, clusters, rounds and what is still missing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import boschloo_exact
from statsmodels.stats.proportion import confint_proportions_2indep

from hcat.core.capabilities.estimates.wording.fresh_labels import fresh_sentence
from hcat.core.estimates.fresh_labels import (
    CONFIRMED,
    MORE_LABELS,
    NOT_CONFIRMED,
    FreshJudgement,
    FreshLabels,
    compare_fresh,
    labels_until_confirmed,
)
from hcat.core.statistics.growth import normal_quantile


def fresh(
    passes: int, n: int, rest_passes: int, rest_n: int, *, of_round: int = 1, needs: int = 0, size: int = 1
) -> FreshLabels:
    """Labels in clusters of `size`, each of one side."""
    passed = [k < passes for k in range(n)] + [k < rest_passes for k in range(rest_n)]
    inside = np.arange(n + rest_n) < n
    clusters = np.array([f"c{k // size}" for k in range(n + rest_n)])
    return FreshLabels(np.array(passed), inside, clusters, of_round, needs)


def test_known_values() -> None:
    # Newcombe 1998, table II, example (a): 56/70 and 48/80, here the other way round.
    compared = compare_fresh(fresh(48, 80, 56, 70))
    assert compared.difference.value == pytest.approx(-0.2)
    # At 92%, the level of a one-sided test at 4%, it is narrower.
    expected = confint_proportions_2indep(48, 80, 56, 70, method="newcomb", compare="diff", alpha=0.08)
    assert (compared.difference.low, compared.difference.high) == pytest.approx(expected)
    assert compared.p == pytest.approx(boschloo_exact([[48, 56], [32, 14]], alternative="less", n=256).pvalue)
    assert compared.p < compared.level == 0.04
    assert compared.verdict == CONFIRMED


def test_no_difference_and_the_wrong_direction_are_not_confirmed() -> None:
    assert compare_fresh(fresh(24, 30, 25, 30)).verdict == NOT_CONFIRMED
    better = compare_fresh(fresh(30, 30, 10, 30))
    assert better.p == pytest.approx(1.0) and better.verdict == NOT_CONFIRMED


def test_nothing_is_decided_before_every_label_is_there() -> None:
    assert compare_fresh(fresh(0, 30, 29, 29, needs=1)).verdict == MORE_LABELS


def test_the_first_round_has_most_of_the_level_and_each_further_one_half_of_what_is_left() -> None:
    assert [fresh(1, 2, 1, 2, of_round=k).level for k in (1, 2, 3)] == pytest.approx([0.04, 0.005, 0.0025])


def test_a_side_without_labels_has_no_difference() -> None:
    compared = compare_fresh(fresh(2, 4, 0, 0, needs=5))
    assert np.isnan(compared.difference.value) and compared.inside.value == 0.5


def test_clusters_count_once() -> None:
    """Forty samples in ten clusters of four that agree: far less sure than forty samples of their own."""
    alone, clustered = compare_fresh(fresh(10, 20, 18, 20)), compare_fresh(fresh(10, 20, 18, 20, size=4))
    assert clustered.difference.value == pytest.approx(alone.difference.value)
    assert clustered.difference.high - clustered.difference.low > alone.difference.high - alone.difference.low
    assert clustered.p > alone.p
    # All fail here and pass there: five clusters on either side, 1 of C(10, 5) = 252 ways to deal them out.
    assert compare_fresh(fresh(0, 20, 20, 20, size=4)).p == pytest.approx(1 / 252, abs=0.004)


def test_names_of_clusters_and_the_order_of_labels_decide_nothing() -> None:
    rng = np.random.default_rng(1)
    labels = fresh(10, 21, 17, 20, size=3)
    shuffled = rng.permutation(len(labels.passed))
    names = np.unique(labels.clusters)
    renamed = rng.permutation(names)[np.searchsorted(names, labels.clusters)]
    again = FreshLabels(labels.passed[shuffled], labels.inside[shuffled], renamed[shuffled])
    assert compare_fresh(again).p == compare_fresh(labels).p


def test_the_interval_says_what_the_test_says() -> None:
    for passes in range(31):
        compared = compare_fresh(fresh(passes, 30, 27, 30))
        assert (compared.difference.high <= 0) == (compared.verdict == CONFIRMED)


def test_labels_until_a_finding_is_confirmed() -> None:
    """A second round is tested at level 0.01 / 2: at p = α it takes n · ((2.576 + 0.842) / z(p))² labels in all."""
    open_still = FreshJudgement("c", compare_fresh(fresh(20, 30, 24, 30)), 1, 60)
    needed = labels_until_confirmed(open_still)
    z = float(normal_quantile(open_still.comparison.p))
    assert needed == pytest.approx(60 * ((2.5758 + 0.8416) / z) ** 2, abs=1.5)
    assert f"About {needed:,} fresh labels would confirm it" in fresh_sentence(open_still)
    confirmed = FreshJudgement("c", compare_fresh(fresh(48, 80, 56, 70)), 1, 150)
    better = FreshJudgement("c", compare_fresh(fresh(30, 30, 10, 30)), 1, 60)
    assert labels_until_confirmed(confirmed) is labels_until_confirmed(better) is None
