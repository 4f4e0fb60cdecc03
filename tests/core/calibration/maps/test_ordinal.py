from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.checks.proportional_odds import check_proportional_odds
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity, prediction_sets
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.calibration.maps.ordinal import OrdinalMap, fit_ordinal
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.capabilities.calibration.wording.proportional_odds import untested_reason
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError


def drawn(seed: int, n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.digitize(X @ [1.5, -0.7] + rng.logistic(size=n), [-1.5, 0, 1.5])


def test_a_useless_metric_gives_the_shares_of_the_levels() -> None:
    # Levels 0, 1, 2 with 2, 5, 3 of 10 labels, a constant score: cuts at the logits of 0.2 and 0.7.
    fitted = fit_ordinal(np.ones(10), [0] * 2 + [1] * 5 + [2] * 3, n_levels=3)
    assert fitted.cuts == pytest.approx((math.log(0.2 / 0.8), math.log(0.7 / 0.3)))
    assert fitted.level_probabilities([1.0])[0] == pytest.approx([0.2, 0.5, 0.3])
    assert fitted.probability([1.0])[0] == pytest.approx(0.8)


def test_weights_are_shares_of_the_population() -> None:
    # One label of level 0 that stands for four, four of level 1 that stand for one each: a half each.
    fitted = fit_ordinal(np.ones(5), [0, 1, 1, 1, 1], n_levels=2, weights=[4, 1, 1, 1, 1])
    assert fitted.probability([1.0])[0] == pytest.approx(0.5)


def test_two_levels_are_the_logistic_map() -> None:
    X, levels = drawn(1)
    ordinal = fit_ordinal(X, levels >= 2, n_levels=2)
    assert ordinal.probability(X) == pytest.approx(fit_logistic(X, levels >= 2).probability(X), abs=1e-7)


def test_the_passing_level_sums_the_levels_from_it_on() -> None:
    X, levels = drawn(2)
    fitted = fit_ordinal(X, levels, n_levels=4, passing=2)
    assert fitted.probability(X) == pytest.approx(fitted.level_probabilities(X)[:, 2:].sum(axis=1))


def test_unscored_stays_unscored() -> None:
    fitted = fit_ordinal(*drawn(3), n_levels=4)
    assert math.isnan(fitted.probability([[math.nan, 0]])[0])
    assert np.isnan(fitted.level_probabilities([[math.nan, 0]])).all()


def test_separated_levels_stay_finite() -> None:
    fitted = fit_ordinal(np.arange(30.0), np.repeat([0, 1, 2], 10), n_levels=3)
    assert np.isfinite(fitted.cuts).all()
    assert fitted.level_probabilities([0.0, 14.5, 29.0]).argmax(axis=1).tolist() == [0, 1, 2]


def test_what_it_cannot_fit_is_refused() -> None:
    with pytest.raises(NotEnoughLabelsError, match="merge"):
        fit_ordinal([1, 2, 3], [0, 2, 2], n_levels=3)
    with pytest.raises(HcatError):
        fit_ordinal([1, 2], [0, 3], n_levels=3)
    with pytest.raises(HcatError, match="passing"):
        fit_ordinal([1, 2], [0, 1], n_levels=2, passing=2)


def test_parameters_there_and_back() -> None:
    fitted = fit_ordinal(*drawn(4), n_levels=4, passing=3, metrics=["a", "b"])
    assert map_from_parameters(OrdinalMap, ["a", "b"], PARAMETERS.write_object(fitted)) == fitted
    for change in ({"cuts": [1, 0, 2]}, {"slopes": [1]}, {"passing": 9}, {"means": "x"}):
        with pytest.raises(FileFormatError):
            map_from_parameters(OrdinalMap, ["a", "b"], {**PARAMETERS.write_object(fitted), **change})
    with pytest.raises(FileFormatError):
        map_from_parameters(OrdinalMap, ["a", "b"], {})


@given(st.integers(0, 10**6))
def test_probabilities_sum_to_one_and_rise_with_the_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    score, levels = rng.normal(size=40), rng.integers(0, 4, 40)
    levels[:4] = range(4)
    fitted = fit_ordinal(score, levels, n_levels=4)
    p = fitted.level_probabilities(np.linspace(-4, 4, 30))
    assert p.min() >= 0
    assert p.sum(axis=1) == pytest.approx(np.ones(30))
    steps = np.diff(fitted.probability(np.linspace(-4, 4, 30)))
    assert (steps >= 0).all() or (steps <= 0).all()


def test_sets_by_hand() -> None:
    # Peak at level 2; on the way to level 0 stands 0.05: it may not be had without level 1.
    p = [[0.15, 0.05, 0.6, 0.2]]
    assert path_nonconformity(p)[0] == pytest.approx([0.95, 0.95, 0.4, 0.8])


@given(st.integers(0, 10**6), st.floats(0, 1))
def test_sets_are_contiguous_and_no_smaller_than_those_with_gaps_closed(seed: int, q_hat: float) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(5), 30)
    sets = path_nonconformity(p) <= q_hat
    edges = np.abs(np.diff(np.pad(sets, ((0, 0), (1, 1))).astype(int), axis=1)).sum(axis=1)
    assert (edges <= 2).all()
    assert (~sets | (1 - p <= q_hat + 1e-12)).all()
    assert path_nonconformity(p).max() <= 1


def test_two_levels_have_the_binary_sets() -> None:
    p, y = np.random.default_rng(5).random(50), np.random.default_rng(6).random(50) < 0.5
    both = np.column_stack([1 - p, p])
    table = path_nonconformity(both)
    assert table[np.arange(50), y.astype(np.intp)] == pytest.approx(nonconformity(p, y))
    q_hat = conformal_quantile(nonconformity(p, y), alpha=0.13).q_hat + 1e-9
    assert np.array_equal(table <= q_hat, prediction_sets(p, q_hat))


def test_the_assumption_is_rejected_where_it_is_false() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=1500)
    low = rng.random(1500) < 1 / (1 + np.exp(-(2.5 * x + 1)))
    levels = np.where(low, 1 + (rng.random(1500) < 0.4), 0)  # above the first cut the score says nothing
    made = check_proportional_odds(x, levels, n_levels=3)
    assert (made.degrees, made.n) == (1, 1500)
    assert made.p < 1e-6
    assert made.slopes[0][0] > 2 * made.slopes[1][0]


def test_where_the_assumption_cannot_be_tested() -> None:
    X, levels = drawn(8)
    assert "one cut" in untested_reason(check_proportional_odds(X, levels >= 2, n_levels=2))
    assert "fewer than 5" in untested_reason(check_proportional_odds(X[:12], levels[:12], n_levels=4))
    assert "vary" in untested_reason(check_proportional_odds(np.ones(300), levels, n_levels=4))
    separated = check_proportional_odds(np.arange(30.0), np.repeat([0, 1, 2], 10), n_levels=3)
    assert "separates" in untested_reason(separated) and math.isnan(separated.p)
