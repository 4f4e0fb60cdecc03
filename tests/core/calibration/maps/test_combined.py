from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.calibration.maps.combined import PENALTIES, CombinedMap, fit_combined
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from hcat.core.statistics.partition import grouped_folds
from hcat.core.types import Direction


def example(n: int = 300, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=n)
    X = np.column_stack([quality + rng.normal(size=n), -quality + rng.normal(size=n), rng.normal(size=n)])
    return X, (quality + 0.7 * rng.logistic(size=n) > 0).astype(float)


def test_two_equal_metrics_share_what_one_would_have() -> None:
    # Of slopes a + b = s the penalty a² + b² is least at a = b = s/2, where it is s²/2: as with half the penalty.
    x = np.array([-1.0, -1, -1, -1, 1, 1, 1, 1])
    y = [0, 0, 0, 1, 0, 1, 1, 1]
    both = fit_combined(np.column_stack([x, x]), y, directions=["higher", "higher"], penalty=2.0)
    one = fit_combined(x[:, None], y, directions=["higher"], penalty=1.0)
    assert both.slopes == pytest.approx((one.slopes[0] / 2,) * 2, abs=1e-8)


def test_a_metric_against_its_direction_counts_for_nothing() -> None:
    X, y = example()
    fitted = fit_combined(X, y, directions=["lower", "lower", "higher"])
    assert fitted.slopes[0] == 0 and fitted.slopes[1] < 0 <= fitted.slopes[2]


def test_contributions_sum_to_the_log_odds() -> None:
    X, y = example()
    X[::6, 0] = np.nan
    fitted = fit_combined(X, y, directions=["higher", "lower", "none"])
    p = fitted.probability(X)
    assert fitted.baseline + fitted.contributions(X).sum(axis=1) == pytest.approx(np.log(p / (1 - p)), abs=1e-9)
    assert set(fitted.contributions(X)[::6, 0]) == {fitted.unscored[0]}


def test_what_being_unscored_says_is_learned() -> None:
    # Samples that the first metric leaves unscored pass in 9 of 10 cases, whatever the others say.
    rng = np.random.default_rng(4)
    X, y = example(2000)
    lost = rng.random(2000) < 0.3
    X[lost, 0], y[lost] = np.nan, rng.random(lost.sum()) < 0.9
    p = fit_combined(X, y, directions=["higher", "none", "none"]).probability(X)
    assert float(p[lost].mean()) == pytest.approx(0.9, abs=0.03)


def test_unscored_where_nothing_was_learned_of_it() -> None:
    X, y = example()
    X[::6, 0] = np.nan
    p = fit_combined(X, y).probability([[np.nan, 0.0, 0.0], [0.0, np.nan, 0.0], [np.nan, np.nan, np.nan]])
    assert not math.isnan(p[0]) and np.isnan(p[1:]).all()


def test_noise_is_shrunk_hardest() -> None:
    X, y = example(60)
    noise = np.random.default_rng(0).normal(size=(60, 12))
    fitted = fit_combined(noise, y)
    assert fitted.penalty >= 100
    assert fit_combined(X, y, directions=["higher", "lower", "none"]).penalty < fitted.penalty


def test_the_penalty_is_that_of_the_smallest_loss() -> None:
    fitted = fit_combined(*example())
    assert len(fitted.losses) == len(PENALTIES)
    assert fitted.penalty == PENALTIES[int(np.argmin(fitted.losses))]


def test_the_penalty_is_chosen_on_other_test_cases() -> None:
    # A metric that names the test case tells nothing about others; in folds that divide cases it seems to.
    rng = np.random.default_rng(2)
    cases = np.repeat(np.arange(25), 12)
    X = np.eye(25)[cases]
    y = (rng.random(25) < 0.5)[cases].astype(float)
    together = fit_combined(X, y, groups=[str(case) for case in cases])
    assert together.penalty > fit_combined(X, y).penalty


def test_too_few_labels_for_folds_take_the_usual_penalty() -> None:
    fitted = fit_combined([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    assert (fitted.penalty, fitted.losses) == (1.0, ())


def test_what_it_cannot_fit_is_refused() -> None:
    with pytest.raises(NotEnoughLabelsError):
        fit_combined([[1.0], [2.0]], [1, 1])
    with pytest.raises(HcatError, match="at least one score"):
        fit_combined([[np.nan], [2.0]], [0, 1])


def test_parameters_there_and_back() -> None:
    X, y = example()
    X[::6, 0] = np.nan
    fitted = fit_combined(X, y, directions=["higher", "lower", "none"])
    assert map_from_parameters(CombinedMap, fitted.metrics, PARAMETERS.write_object(fitted)) == fitted
    for change in ({"slopes": [1.0]}, {"unscored": "none"}, {"directions": ["up", "lower", "none"]}, {"penalty": "1"}):
        with pytest.raises(FileFormatError):
            map_from_parameters(CombinedMap, fitted.metrics, PARAMETERS.write_object(fitted) | change)


@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from(["higher", "lower", "none"]), min_size=3, max_size=3))
@settings(max_examples=30, deadline=None)
def test_never_against_a_direction(seed: int, directions: list[Direction]) -> None:
    X, y = example(40, seed=seed)
    y[:2] = (0, 1)
    fitted = fit_combined(X, y, directions=directions)
    for slope, direction in zip(fitted.slopes, directions, strict=True):
        assert direction == "none" or slope * (1 if direction == "higher" else -1) >= 0


@given(st.lists(st.integers(0, 9), min_size=10, max_size=80), st.integers(2, 5), st.text(max_size=4))
@settings(deadline=None)
def test_folds_never_divide_a_group(groups: list[int], folds: int, salt: str) -> None:
    names = [str(group) for group in groups]
    fold_of = grouped_folds(names, [group % 2 for group in groups], folds=folds, salt=salt)
    assert all(len({int(f) for f, name in zip(fold_of, names, strict=True) if name == one}) == 1 for one in set(names))
    assert set(fold_of.tolist()) <= set(range(folds))


def test_folds_are_even_in_size_and_in_passes() -> None:
    passed = np.arange(100) < 20
    fold_of = grouped_folds([str(i) for i in range(100)], passed, folds=5)
    assert np.bincount(fold_of).tolist() == [20] * 5
    assert np.bincount(fold_of, weights=passed).tolist() == [4.0] * 5
