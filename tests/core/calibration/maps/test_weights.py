from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.calibration.maps.combined import CombinedMap, fit_combined
from hcat.core.calibration.maps.methods import METHODS, FitData
from hcat.core.calibration.maps.weights import metric_weights
from hcat.core.capabilities.calibration.wording.calibration import map_description


def data(n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 2))
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(np.intp)


def test_weights_of_a_known_map() -> None:
    fitted = CombinedMap(
        metrics=("answer_f1", "answer_length", "groundedness"),
        intercept=0.3,
        slopes=(0.5, -2.0, 0.0),
        means=(0.6, 40.0, 0.7),
        scales=(0.1, 12.0, 0.2),
        unscored=(None, -0.4, None),
        directions=("higher", "none", "higher"),
        penalty=3.0,
        losses=(0.5, 0.45, 0.41, 0.4),
    )
    first, second, third = metric_weights(fitted)
    assert [first.metric, second.metric, third.metric] == ["answer_length", "answer_f1", "groundedness"]
    assert first.odds_ratio == pytest.approx(math.exp(-2)) and first.unscored == -0.4 and not first.held
    assert second.odds_ratio == pytest.approx(1.6487, abs=1e-4) and second.scale == 0.1
    assert third.held and third.odds_ratio == 1
    assert "penalty of 3" in map_description(fitted) and "0.400" in map_description(fitted)


def test_one_standard_deviation_adds_the_weight_to_the_log_odds() -> None:
    X, y = data()
    fitted = fit_combined(X, y, metrics=("a", "b"), directions=("higher", "higher"))
    at = np.array([fitted.means, (fitted.means[0] + fitted.scales[0], fitted.means[1])])
    z = np.log(fitted.probability(at)) - np.log1p(-fitted.probability(at))
    weight = next(weight for weight in metric_weights(fitted) if weight.metric == "a")
    assert z[1] - z[0] == pytest.approx(weight.log_odds)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_has_its_words(method: object) -> None:
    X, y = data()
    known = next(one for one in METHODS if one is method)
    table = X[:, :1] if known.single else X
    metrics = tuple("ab"[: table.shape[1]])
    directions = ("higher",) * len(metrics)
    fitted = known.fit_data(FitData(X=table, levels=y, metrics=metrics, directions=directions))  # type: ignore[arg-type]
    linear = known.name in ("logistic", "platt", "combined", "ordinal")
    assert (len(metric_weights(fitted)) == len(metrics)) is linear
    assert map_description(fitted).endswith(".")
