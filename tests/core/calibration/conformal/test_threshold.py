from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.conformal.threshold import (
    Region,
    conformal_quantile,
    nonconformity,
    prediction_sets,
    probability_regions,
    score_regions,
)
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.errors import HcatError

unit = st.floats(0.0, 1.0)
alphas = st.floats(0.01, 0.99)


def test_known_value() -> None:
    # n = 9, α = 0.2: rank ⌈10 · 0.8⌉ = 8, the eighth smallest of 0.1 … 0.9 is 0.8.
    threshold = conformal_quantile(np.arange(1, 10) / 10, alpha=0.2)
    assert (threshold.q_hat, threshold.n, threshold.enough, threshold.needed) == (0.8, 9, True, 4)


@pytest.mark.parametrize("alpha", [0.1, 1 - 0.9, 0.1 + 1e-17])
def test_the_rank_is_exact_where_floats_are_not(alpha: float) -> None:
    # (9 + 1)(1 − 0.1) = 9 exactly, so the largest of nine scores is q̂ and nine labels are enough.
    threshold = conformal_quantile(np.arange(1, 10) / 10, alpha=alpha)
    assert (threshold.q_hat, threshold.enough, threshold.needed) == (0.9, True, 9)


def test_exactness_over_many_sizes() -> None:
    for percent in range(1, 100):
        for n in range(1, 120):
            rank = -((-(n + 1) * (100 - percent)) // 100)  # integer ceiling
            threshold = conformal_quantile(np.arange(1, n + 1) / 1000, alpha=percent / 100)
            assert threshold.q_hat == (rank / 1000 if rank <= n else 1.0), (percent, n)


@pytest.mark.parametrize(("alpha", "needed"), [(0.1, 9), (0.05, 19), (0.2, 4), (0.3, 3), (0.01, 99), (0.5, 1)])
def test_needed_is_the_smallest_n_that_suffices(alpha: float, needed: int) -> None:
    # ⌈1/α⌉ − 1; for α = 0.3: ⌈3.33⌉ − 1 = 3.
    assert conformal_quantile([], alpha=alpha).needed == needed
    assert conformal_quantile(np.full(needed, 0.4), alpha=alpha).enough
    if needed > 1:
        too_few = conformal_quantile(np.full(needed - 1, 0.4), alpha=alpha)
        assert (too_few.enough, too_few.q_hat) == (False, 1.0)


def test_too_few_labels_give_sets_with_both_classes() -> None:
    threshold = conformal_quantile([0.2, 0.3], alpha=0.1)
    assert prediction_sets([0.001, 0.5, 0.999], threshold.q_hat).all()


def test_nonconformity_is_distance_from_the_label() -> None:
    assert nonconformity([0.9, 0.9], [1, 0]) == pytest.approx([0.1, 0.9])


def test_the_sample_that_set_the_threshold_is_covered() -> None:
    rng = np.random.default_rng(0)
    p, y = rng.random(500), rng.random(500) < 0.5
    scores = nonconformity(p, y)
    for q_hat in scores:
        sets = prediction_sets(p, float(q_hat))
        covered = np.where(y, sets[:, 1], sets[:, 0])
        assert np.array_equal(covered, scores <= q_hat)


def test_all_four_sets() -> None:
    assert prediction_sets([0.1, 0.5, 0.9], 0.3).tolist() == [[True, False], [False, False], [False, True]]
    assert prediction_sets([0.1, 0.5, 0.9], 0.7).tolist() == [[True, False], [True, True], [False, True]]


@given(st.lists(unit, min_size=1, max_size=60), alphas, alphas)
def test_q_hat_falls_as_alpha_rises(scores: list[float], first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert conformal_quantile(scores, alpha=low).q_hat >= conformal_quantile(scores, alpha=high).q_hat


@given(st.lists(unit, min_size=1, max_size=60), st.lists(unit, min_size=1, max_size=20), alphas, alphas)
def test_sets_are_nested_in_alpha(scores: list[float], p: list[float], first: float, second: float) -> None:
    low, high = sorted((first, second))
    wide = prediction_sets(p, conformal_quantile(scores, alpha=low).q_hat)
    narrow = prediction_sets(p, conformal_quantile(scores, alpha=high).q_hat)
    assert (wide | ~narrow).all()


@given(st.lists(unit, min_size=1, max_size=60), alphas, st.floats(0.01, 100))
def test_equal_weights_give_exactly_the_unweighted_threshold(scores: list[float], alpha: float, weight: float) -> None:
    assert conformal_quantile(scores, alpha=alpha, weights=[weight] * len(scores)) == conformal_quantile(
        scores, alpha=alpha
    )


@given(st.lists(st.tuples(unit, st.integers(1, 9)), min_size=1, max_size=40), st.integers(1, 99))
def test_weighted_quantile_by_exact_arithmetic(rows: list[tuple[float, int]], percent: int) -> None:
    # The smallest score whose weight up to it is at least (1 − α)(Σw + largest w), in fractions.
    target = Fraction(100 - percent, 100) * (sum(w for _, w in rows) + max(w for _, w in rows))
    reached = [s for s, _ in rows if sum(w for other, w in rows if other <= s) >= target]
    threshold = conformal_quantile([s for s, _ in rows], alpha=percent / 100, weights=[w for _, w in rows])
    assert threshold.q_hat == min(reached, default=1.0)
    assert threshold.enough == bool(reached)


@given(st.lists(st.tuples(unit, st.integers(1, 9)), min_size=1, max_size=40), alphas, st.integers(1, 30))
def test_a_heavier_new_sample_never_lowers_the_threshold(
    rows: list[tuple[float, int]], alpha: float, heavier: int
) -> None:
    scores, weights = [s for s, _ in rows], [w for _, w in rows]
    own = conformal_quantile(scores, alpha=alpha, weights=weights)
    assert conformal_quantile(scores, alpha=alpha, weights=weights, new_weight=heavier).q_hat >= own.q_hat


def test_weighted_needed_grows_with_the_largest_weight() -> None:
    # Mean weight 2, largest 3: (1/0.1 − 1) · 3 / 2 = 13.5, so 14.
    threshold = conformal_quantile([0.1, 0.2], alpha=0.1, weights=[1, 3])
    assert (threshold.enough, threshold.needed) == (False, 14)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan])
def test_alpha_outside_its_range_is_refused(alpha: float) -> None:
    with pytest.raises(HcatError, match="alpha"):
        conformal_quantile([0.1], alpha=alpha)


def test_unscored_samples_are_refused() -> None:
    with pytest.raises(HcatError):
        conformal_quantile([0.1, math.nan], alpha=0.1)
    with pytest.raises(HcatError):
        prediction_sets([math.nan], 0.5)
    with pytest.raises(HcatError):
        conformal_quantile([0.1, 0.2], alpha=0.1, weights=[1.0, 0.0])


def test_regions_of_probability() -> None:
    assert probability_regions(0.75) == (
        Region("fail", 0.0, 0.25), Region("both", 0.25, 0.75), Region("pass", 0.75, 1.0),
    )  # fmt: skip
    assert probability_regions(0.25) == (
        Region("fail", 0.0, 0.25), Region("empty", 0.25, 0.75), Region("pass", 0.75, 1.0),
    )  # fmt: skip
    assert probability_regions(1.0) == (Region("both", 0.0, 1.0),)
    assert probability_regions(0.5) == (Region("fail", 0.0, 0.5), Region("pass", 0.5, 1.0))


@given(unit, st.floats(0.001, 0.999))
def test_regions_agree_with_the_sets(q_hat: float, p: float) -> None:
    regions = probability_regions(q_hat)
    assert regions[0].low == 0.0 and regions[-1].high == 1.0
    assert all(left.high == right.low for left, right in itertools.pairwise(regions))
    inside = [region for region in regions if region.low + 1e-9 < p < region.high - 1e-9]
    names = {(True, False): "fail", (False, True): "pass", (True, True): "both", (False, False): "empty"}
    in_0, in_1 = prediction_sets([p], q_hat)[0]
    assert all(region.set_name == names[bool(in_0), bool(in_1)] for region in inside)


@pytest.mark.parametrize("slope", [2.0, -2.0])
@pytest.mark.parametrize("q_hat", [0.2, 0.8, 1.0])
def test_regions_of_score_agree_with_the_sets(slope: float, q_hat: float) -> None:
    single = LogisticMap(("m",), 0.4, (slope,), (0.5,), (0.1,))
    regions = score_regions(single, q_hat)
    assert regions[0].low == -math.inf and regions[-1].high == math.inf
    names = {(True, False): "fail", (False, True): "pass", (True, True): "both", (False, False): "empty"}
    for score in np.linspace(-0.3, 1.3, 97):
        in_0, in_1 = prediction_sets(single.probability([score]), q_hat)[0]
        found = [region.set_name for region in regions if region.low <= score < region.high]
        assert found == [names[bool(in_0), bool(in_1)]]


def test_a_flat_map_has_one_region() -> None:
    flat = LogisticMap(("m",), 2.0, (0.0,), (0.5,), (1.0,))  # σ(2) = 0.88
    assert score_regions(flat, 0.3) == (Region("pass", -math.inf, math.inf),)
