"""The weights of a fitted map: the effect of one standard deviation of each metric."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hcat.core.calibration.maps.combined import CombinedMap
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.types import Direction


@dataclass(frozen=True, slots=True)
class MetricWeight:
    """The weight of a metric: `log_odds` is the effect of a score one standard deviation (`scale`) above the labels'
    mean.

    The odds of a pass are multiplied by `odds_ratio`. `held` is true if the labels alone would have turned the metric
    against its `direction`, so that it has no effect. `unscored` is the effect of a missing score; None if that is not
    known."""

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
