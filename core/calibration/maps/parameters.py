"""A map's parameters to and from JSON: all that is needed to rebuild it, besides the names of its metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from hcat.core.calibration.maps.boosted_trees import BoostedMap
from hcat.core.calibration.maps.combined import CombinedMap
from hcat.core.calibration.maps.isotonic import IsotonicMap
from hcat.core.calibration.maps.isotonic_steps import IsotonicStepsMap
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.calibration.maps.multinomial import MultinomialMap
from hcat.core.calibration.maps.ordinal import OrdinalMap
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, Layout
from hcat.core.types import JsonValue

MAP_LAYOUTS: Mapping[type, Layout] = {
    LogisticMap: ("intercept", "slopes", "means", "scales", "penalty"),
    IsotonicMap: ("scores", "probabilities"),
    IsotonicStepsMap: ("scores", "probabilities"),
    CombinedMap: (
        *("intercept", "slopes", "means", "scales", "unscored", "directions", "penalty"),
        Also("penalties", "penalties"),
        "losses",
    ),
    OrdinalMap: ("cuts", "slopes", "means", "scales", "passing", "penalty"),
    MultinomialMap: ("intercepts", "slopes", "means", "scales", "passing", "penalty"),
    BoostedMap: (
        *("start", "trees", "directions", "unscored_seen"),
        Also("rounds", "rounds"),
        Also("depth", "depth"),
        Also("learning_rate", "learning_rate"),
        Also("penalty", "penalty"),
    ),
}

PARAMETERS = Codec(MAP_LAYOUTS)

M = TypeVar("M")


def map_from_parameters(kind: type[M], metrics: Sequence[str], parameters: JsonValue) -> M:
    """The inverse of `PARAMETERS.write_object`. FileFormatError if anything is missing or does not fit."""
    return PARAMETERS.read(kind, parameters, at="parameters", preset={"metrics": tuple(metrics)})
