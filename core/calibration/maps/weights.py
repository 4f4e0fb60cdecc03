"""A fitted map in words and weights: what one standard deviation of each metric is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from core.calibration.maps.boosted_trees import BoostedMap
from core.calibration.maps.combined import CombinedMap
from core.calibration.maps.isotonic import IsotonicMap
from core.calibration.maps.methods import ProbabilityMap
from core.types import Direction


@dataclass(frozen=True, slots=True)
class MetricWeight:
    """What a metric counts for: `log_odds` is added where its score is one standard deviation (`scale`) above the mean
    of the labels, and the odds of a pass are multiplied by `odds_ratio`.

    `held` is true where the labels alone would have turned the metric against its `direction`, so that it counts
    nothing. `unscored` is what is added where it has no score; None where that is not known.
    """

    metric: str
    log_odds: float
    mean: float
    scale: float
    direction: Direction | None = None
    held: bool = False
    unscored: float | None = None

    @property
    def odds_ratio(self) -> float:
        return math.exp(self.log_odds)


@runtime_checkable
class LinearMap(Protocol):
    """A map whose log-odds are a sum of standardised scores times slopes."""

    @property
    def slopes(self) -> tuple[float, ...]: ...
    @property
    def means(self) -> tuple[float, ...]: ...
    @property
    def scales(self) -> tuple[float, ...]: ...


def metric_weights(fitted: ProbabilityMap) -> tuple[MetricWeight, ...]:
    """The weights of a linear map, the heaviest first; empty for a map that is not linear in its scores."""
    if not isinstance(fitted, LinearMap) or not all(isinstance(slope, float) for slope in fitted.slopes):
        return ()
    combined = fitted if isinstance(fitted, CombinedMap) else None
    found = []
    for place, (name, slope) in enumerate(zip(fitted.metrics, fitted.slopes, strict=True)):
        direction = None if combined is None else combined.directions[place]
        found.append(
            MetricWeight(
                metric=name,
                log_odds=slope,
                mean=fitted.means[place],
                scale=fitted.scales[place],
                direction=direction,
                held=direction not in (None, "none") and slope == 0,
                unscored=None if combined is None else combined.unscored[place],
            )
        )
    return tuple(sorted(found, key=lambda weight: -abs(weight.log_odds)))


def describe(fitted: ProbabilityMap) -> str:
    """How the map comes from scores to a probability, and how it was kept from fitting noise, in plain sentences."""
    if isinstance(fitted, CombinedMap):
        return (
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. A "
            "metric may count only in the direction in which it is better: where the labels would have it the other "
            f"way round, its weight is 0. {_penalty(fitted)}"
        )
    if isinstance(fitted, IsotonicMap):
        way = "falls" if fitted.probabilities[0] > fitted.probabilities[-1] else "rises"
        return (
            f"The probability {way} with the score in steps that the labels alone choose; no formula stands behind it."
        )
    if isinstance(fitted, BoostedMap):
        return (
            "Small trees of the scores are added up, each metric only in the direction in which it is better. What a "
            "metric adds depends on the others; the Samples page shows it for each sample."
        )
    if metric_weights(fitted):
        return (
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. "
            "Directions are free, and a small penalty keeps weights finite."
        )
    return "Each level has weights of its own for every metric; their sums are turned into probabilities of the levels."


def _penalty(fitted: CombinedMap) -> str:
    if not fitted.losses:
        return f"A penalty of {fitted.penalty:g} shrinks the weights; there were too few labels to choose it by folds."
    return (
        f"A penalty of {fitted.penalty:g} shrinks the weights; of {len(fitted.losses)} it had the smallest log-loss on "
        f"labels of other folds, {min(fitted.losses):.3f}."
    )
