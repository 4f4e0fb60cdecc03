from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.calibration.maps.logistic import LogisticMap, fit_logistic
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError


def test_known_value() -> None:
    # z = 1 + 2 · (0.7 − 0.5) / 0.1 = 5, σ(5) = 1 / (1 + e⁻⁵) = 0.993307…
    fitted = LogisticMap(("m",), intercept=1.0, slopes=(2.0,), means=(0.5,), scales=(0.1,))
    assert fitted.probability([[0.7]])[0] == pytest.approx(1 / (1 + math.exp(-5)), abs=1e-15)


def test_score_at_inverts_the_map() -> None:
    fitted = LogisticMap(("m",), intercept=-0.3, slopes=(1.7,), means=(0.5,), scales=(0.2,))
    for probability in (0.1, 0.5, 0.93):
        score = fitted.score_at(probability)
        assert score is not None
        assert fitted.probability([score])[0] == pytest.approx(probability, abs=1e-12)


def test_separable_labels_stay_finite() -> None:
    fitted = fit_logistic([[0.1], [0.2], [0.8], [0.9]], [0, 0, 1, 1])
    assert all(math.isfinite(v) for v in (fitted.intercept, *fitted.slopes))
    assert np.all(np.diff(fitted.probability([[0.1], [0.2], [0.8], [0.9]])) > 0)


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_only_is_refused(label: int) -> None:
    with pytest.raises(NotEnoughLabelsError) as caught:
        fit_logistic([[0.1], [0.2]], [label, label])
    assert caught.value.needed == 1


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e9])
def test_constant_column_has_slope_zero_and_changes_nothing(constant: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.random(60)
    y = rng.random(60) < x
    alone = fit_logistic(x, y)
    beside = fit_logistic(np.column_stack([x, np.full(60, constant)]), y)
    assert beside.slopes[1] == 0.0
    assert beside.slopes[0] == pytest.approx(alone.slopes[0], abs=1e-9)


def test_all_columns_constant_gives_the_share_of_passes() -> None:
    fitted = fit_logistic(np.full((10, 1), 0.3), [1] * 7 + [0] * 3)
    assert fitted.probability([[0.3], [99.0]]) == pytest.approx([0.7, 0.7], abs=1e-9)
    assert fitted.score_at(0.5) is None


def test_probabilities_are_strictly_inside_0_and_1() -> None:
    fitted = LogisticMap(("m",), 0.0, (1.0,), (0.0,), (1.0,))
    p = fitted.probability([-1e6, -800.0, 800.0, 1e6])
    assert np.all(p > 0) and np.all(p < 1)


def test_unscored_rows_have_no_probability() -> None:
    fitted = LogisticMap(("a", "b"), 0.0, (1.0, 1.0), (0.0, 0.0), (1.0, 1.0))
    assert np.isnan(fitted.probability([[0.1, np.nan]])[0])


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    X = np.random.default_rng(1).random((101, 5))
    fitted = fit_logistic(X, np.arange(101) % 2)
    together = fitted.probability(X)
    assert all(fitted.probability(X[i : i + 1])[0] == together[i] for i in range(101))


def test_weights_act_as_repetition_up_to_their_scale() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.random(40), np.arange(40) % 2
    repeats = rng.integers(1, 4, 40)
    # Weights have mean 1 inside, so the penalty of the repeated data is scaled to match.
    weighted = fit_logistic(x, y, weights=repeats, penalty=1.0)
    repeated = fit_logistic(np.repeat(x, repeats), np.repeat(y, repeats), penalty=float(repeats.mean()))
    assert weighted.intercept == pytest.approx(repeated.intercept, abs=1e-8)
    assert weighted.slopes == pytest.approx(repeated.slopes, abs=1e-8)


def test_equal_weights_change_nothing() -> None:
    x, y = np.linspace(0, 1, 30), np.arange(30) % 3 == 0
    assert fit_logistic(x, y, weights=np.full(30, 7.0)) == fit_logistic(x, y)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.booleans()), min_size=2, max_size=40).filter(
        lambda rows: len({label for _, label in rows}) == 2
    )
)
def test_any_scores_give_a_finite_map_that_is_monotone(rows: list[tuple[float, bool]]) -> None:
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    fitted = fit_logistic(x, y)
    p = fitted.probability(np.sort(x))
    assert np.isfinite(p).all() and p.min() > 0 and p.max() < 1
    steps = np.diff(p) * np.sign(fitted.slopes[0])
    assert (steps >= -1e-15).all()


def test_parameters_round_trip_through_json() -> None:
    fitted = fit_logistic(np.random.default_rng(3).random((50, 2)), np.arange(50) % 2, metrics=("a", "b"))
    again = map_from_parameters(LogisticMap, ("a", "b"), json.loads(json.dumps(PARAMETERS.write_object(fitted))))
    assert again == fitted


@pytest.mark.parametrize(
    "change", [{"slopes": "steep"}, {"slopes": [1.0, 2.0]}, {"intercept": None}, {"means": [True]}, {"scales": None}]
)
def test_broken_parameters_are_refused(change: dict[str, object]) -> None:
    parameters = PARAMETERS.write_object(LogisticMap(("m",), 0.0, (1.0,), (0.0,), (1.0,))) | change
    with pytest.raises(FileFormatError):
        map_from_parameters(LogisticMap, ("m",), parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"X": [[np.nan], [1.0]], "y": [0, 1]},
        {"X": [[1.0]], "y": [0, 1]},
        {"X": [[0.0], [1.0]], "y": [0, 1], "penalty": 0.0},
        {"X": [[0.0], [1.0]], "y": [0, 1], "weights": [1.0, 0.0]},
    ],
)
def test_unusable_input_is_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(HcatError):
        fit_logistic(**arguments)  # type: ignore[arg-type]


def test_a_map_is_applied_to_as_many_scores_as_it_was_fitted_on() -> None:
    fitted = LogisticMap(("a", "b"), 0.0, (1.0, 1.0), (0.0, 0.0), (1.0, 1.0))
    with pytest.raises(HcatError, match="takes 2 scores"):
        fitted.probability([[1.0]])
    with pytest.raises(HcatError, match="single metric"):
        fitted.score_at(0.5)
