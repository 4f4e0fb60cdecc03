from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.agreement.alpha import krippendorff_alpha
from hcat.core.capabilities.agreement.kappa import cohen_kappa
from hcat.core.capabilities.agreement.pairwise import in_order_of_content, mean_kappa, raw_agreement
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import agreement, agreement_by_level, pair_agreements
from hcat.core.errors import HcatError
from hcat.core.types import Criterion

N = math.nan
BINARY = Criterion("correctness")
ORDINAL = Criterion("helpfulness", ("poor", "fair", "good"), passing=1)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def some_levels(seed: int, *, items: int = 60, annotators: int = 3, n_levels: int = 3, missing: float = 0.2) -> Ratings:
    chance = np.random.default_rng(seed)
    own = chance.integers(0, n_levels, (items, 1))
    noise = chance.integers(0, n_levels, (items, annotators))
    levels = np.where(chance.random((items, annotators)) < 0.4, noise, own).astype(float)
    levels[chance.random(levels.shape) < missing] = N
    names = tuple(f"a{k}" for k in range(annotators))
    return Ratings(tuple(f"s{k}" for k in range(items)), names, levels)


def test_raw_agreement_by_hand() -> None:
    # Pairs equal: item 1: 3 of 3; item 2: 1 of 3; item 3: 0 of 1; item 4 has one label. Mean (1 + 1/3 + 0) / 3 = 4/9.
    made = raw_agreement([[1, 1, 1], [0, 0, 1], [1, N, 0], [1, N, N]], rng=rng())
    assert made.value == pytest.approx(4 / 9)
    assert made.n == 3 and math.isnan(made.low)  # too few items for an interval


def test_raw_agreement_that_is_complete_keeps_a_bound() -> None:
    made = raw_agreement(np.ones((20, 2)), rng=rng())
    # Clopper and Pearson of 20 of 20: 0.025^(1/20) = 0.8316.
    assert (made.value, made.high, made.n) == (1.0, 1.0, 20)
    assert made.low == pytest.approx(0.8316, abs=1e-4)


def test_mean_kappa_of_two_is_cohens() -> None:
    levels = some_levels(3, annotators=2, missing=0.1).levels
    one = mean_kappa(levels, rng=rng(), weighting="linear", n_levels=3)
    other = cohen_kappa(levels[:, 0], levels[:, 1], rng=rng(), weighting="linear", n_levels=3)
    assert one.value == pytest.approx(other.value)
    assert one.n == other.n
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.06)  # drawn from other kinds of items


def test_mean_kappa_passes_over_pairs_with_too_little_in_common() -> None:
    levels = some_levels(5, items=40, missing=0).levels
    levels[5:, 2] = N  # the third annotator shares 5 samples with the others
    made = mean_kappa(levels, rng=rng(), n_levels=3)
    assert made.value == pytest.approx(cohen_kappa(levels[:, 0], levels[:, 1], rng=rng(), n_levels=3).value)
    assert made.n == 40
    assert math.isnan(mean_kappa(levels[:5], rng=rng()).value)


def test_complete_agreement_of_three_keeps_a_bound() -> None:
    levels = np.repeat([[0.0], [1.0]], 10, axis=0) * np.ones(3)
    made = mean_kappa(levels, rng=rng())
    # 20 items, chance ½: 1 − (1 − 0.025^(1/20)) / ½ = 1 − 0.1684 / 0.5 = 0.663.
    assert (made.value, made.high, made.n) == (1.0, 1.0, 20)
    assert made.low == pytest.approx(0.6632, abs=1e-3)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(HcatError, match="table"):
        mean_kappa([0, 1, 1], rng=rng())


@given(st.integers(0, 10**6))
def test_the_order_of_annotators_and_samples_is_nothing(seed: int) -> None:
    table = some_levels(seed)
    chance = np.random.default_rng(seed)
    shuffled = table.levels[chance.permutation(60)][:, chance.permutation(3)]
    for measure in (raw_agreement, mean_kappa):
        one, other = (measure(x, rng=rng(), replicates=20) for x in (table.levels, shuffled))
        assert one.value == pytest.approx(other.value, nan_ok=True)
        assert one.n == other.n


def test_a_summary_names_what_the_criterion_allows() -> None:
    binary = agreement(some_levels(7, n_levels=2), criterion=BINARY, rng=rng(), replicates=50)
    assert list(binary.coefficients) == [
        *("raw agreement", "Cohen's κ", "Krippendorff's α", "Gwet's AC1"),
        *("share that passes", "agreement on pass", "agreement on fail"),
    ]
    table = some_levels(7)
    ordinal = agreement(table, criterion=ORDINAL, rng=rng(), replicates=50)
    assert set(ordinal.coefficients) > {"κ, linear weights", "κ, quadratic weights", "α, ordinal"}
    paired = (~np.isnan(table.levels)).sum(axis=1) >= 2
    assert (ordinal.n, ordinal.enough) == (paired.sum(), True)


def test_levels_of_a_dimension_are_measured_on_their_own_samples() -> None:
    table = some_levels(11, missing=0)
    level_of = {sample: ("few" if k < 6 else "many") for k, sample in enumerate(table.samples[:50])}
    few, many = agreement_by_level(table, level_of, criterion=ORDINAL, rng=rng(), replicates=50)
    assert (few.level, few.agreement.n, few.agreement.enough) == ("few", 6, False)
    assert (many.level, many.agreement.n, many.agreement.enough) == ("many", 44, True)
    alone = agreement(table.rows([6 <= k < 50 for k in range(60)]), criterion=ORDINAL, rng=rng(), replicates=50)
    for name, made in many.agreement.coefficients.items():
        assert made.value == pytest.approx(alone.coefficients[name].value)


def test_pairs_count_the_levels_of_both() -> None:
    table = Ratings(("s1", "s2", "s3"), ("ann", "bob", "cy"), np.array([[0, 1, N], [1, 1, N], [1, N, N]]))
    [pair] = pair_agreements(table, criterion=BINARY, rng=rng())
    assert (pair.first, pair.second, pair.agreement.n, pair.agreement.enough) == ("ann", "bob", 2, False)
    assert pair.table == ((0, 1), (0, 1))  # ann failed what bob passed once, and both passed once


def test_the_mean_of_pairs_is_the_mean_of_their_kappas() -> None:
    table = some_levels(13)
    whole = mean_kappa(table.levels, rng=rng(), n_levels=3, replicates=20).value
    pairs = [
        cohen_kappa(table.levels[:, a], table.levels[:, b], rng=rng(), n_levels=3, replicates=20).value
        for a, b in combinations(range(3), 2)
    ]
    assert whole == pytest.approx(sum(pairs) / 3)


def test_complete_agreement_of_a_small_pair_lowers_the_bound() -> None:
    levels = np.full((110, 3), N)
    levels[:, 0] = levels[:, 1] = levels[:, 2] = np.arange(110) % 2
    levels[100:, 1] = levels[:100, 2] = N
    made = mean_kappa(levels, rng=rng())
    # All that disagrees may be of the 10 samples of A and C: 1 − (1 − 0.025^(1/110)) · 110 / (2 · 10 · ½) = 0.637.
    assert (made.value, made.n) == (1.0, 110)
    assert made.low == pytest.approx(1 - 11 * (1 - 0.025 ** (1 / 110)))
    alone = cohen_kappa(levels[100:, 0], levels[100:, 2], rng=rng())
    assert mean_kappa(levels[:, [0, 2]], rng=rng()).low == pytest.approx(alone.low)


def test_trials_of_a_test_case_that_agree_count_once() -> None:
    once = np.repeat([[0.0], [1.0]], 10, axis=0) * np.ones(2)
    levels, cases = np.repeat(once, 5, axis=0), np.repeat(np.arange(20), 5)
    for measure in (raw_agreement, mean_kappa, krippendorff_alpha):
        made, single = measure(levels, rng=rng(), test_cases=cases), measure(once, rng=rng())
        assert made.low == pytest.approx(single.low, abs=0.02), measure
        assert (made.n, single.n) == (100, 20) and "cluster" in made.method
    made = cohen_kappa(levels[:, 0], levels[:, 1], rng=rng(), test_cases=cases)
    assert made.low == pytest.approx(cohen_kappa(once[:, 0], once[:, 1], rng=rng()).low)


def test_copies_of_items_in_test_cases_change_no_interval() -> None:
    table = some_levels(17, missing=0.1)
    copies, cases = np.repeat(table.levels, 4, axis=0), np.repeat(table.samples, 4)
    for measure in (raw_agreement, mean_kappa, krippendorff_alpha):
        single, made = measure(table.levels, rng=rng()), measure(copies, rng=rng(), test_cases=cases)
        assert (made.low, made.high) == pytest.approx((single.low, single.high), abs=0.05), measure
        assert "bootstrap by cluster" in made.method
        assert measure(table.levels, rng=rng(), test_cases=table.samples) == single


def test_a_summary_rests_on_the_test_cases_of_its_table() -> None:
    table = some_levels(19)
    trials = replace(table, test_cases=tuple(f"q{k // 3}" for k in range(60)))
    for part in (trials, trials.rows([k < 50 for k in range(60)])):
        made = agreement(part, criterion=ORDINAL, rng=rng(), replicates=50)
        assert all("bootstrap by cluster" in one.method for one in made.coefficients.values())
    for pair in pair_agreements(trials, criterion=ORDINAL, rng=rng(), replicates=50):
        assert all("bootstrap by cluster" in one.method for one in pair.agreement.coefficients.values())


@pytest.mark.parametrize("annotators", [2, 3])
def test_who_is_named_first_changes_no_interval(annotators: int) -> None:
    """With pseudonyms the order of names is chance; clusters of three items."""
    rng = np.random.default_rng(5)
    levels = rng.integers(0, 3, (60, annotators)).astype(float)
    levels[rng.random(levels.shape) < 0.1] = np.nan
    clusters = [f"c{k // 3}" for k in range(60)]
    of = [
        mean_kappa(levels[:, list(order)], rng=np.random.default_rng(1), n_levels=3, test_cases=clusters)
        for order in permutations(range(annotators))
    ]
    bounds = [(one.value, one.low, one.high) for one in of]
    np.testing.assert_allclose(bounds, [bounds[0]] * len(bounds))


@pytest.mark.parametrize("criterion", [BINARY, ORDINAL])
def test_the_only_pair_has_the_values_and_intervals_of_all_annotators_together(criterion: Criterion) -> None:
    levels = np.minimum(some_levels(21).levels, len(criterion.levels) - 1)
    table = Ratings(tuple(f"s{k}" for k in range(len(levels))), ("zoe", "ann"), levels[:, [1, 0]])
    whole = agreement(table, criterion=criterion, rng=rng())
    [pair] = pair_agreements(table, criterion=criterion, rng=rng())
    for name, estimate in pair.agreement.coefficients.items():
        assert estimate == whole.coefficients[name]


def test_thirty_annotators_who_said_alike_have_more_orders_than_can_be_listed() -> None:
    # 30! orders; the first of as many as are tried leaves columns that are alike as they are.
    table = np.ones((4, 30))
    assert in_order_of_content(table).tolist() == table.tolist()
    mean = mean_kappa(np.tile(np.arange(20)[:, None] % 4 > 0, 30).astype(float), rng=rng(), replicates=20)
    assert (mean.value, mean.n) == (1.0, 20)


def test_the_mean_of_many_pairs_is_that_of_each_pair() -> None:
    table = some_levels(3, items=80, annotators=12, n_levels=2)
    made = mean_kappa(table.levels, rng=rng(), n_levels=2, replicates=20)
    alone = [cohen_kappa(*table.levels[:, list(two)].T, rng=rng()).value for two in combinations(range(12), 2)]
    assert made.value == pytest.approx(np.mean(alone))
