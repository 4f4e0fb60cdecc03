"""Wilson's test of a rate whose values carry weights and come in clusters, and intervals from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.clusters import clustered_variance, count_clusters, rate_effective_n

LEVEL = 0.95
"""At which the loss by few clusters is computed."""


@dataclass(frozen=True, slots=True)
class RateScore:
    """A rate in [0, 1] over so many independent clusters, worth `effective_n` simple random values. `error` is the
    standard error by sums over clusters, of the spread that was seen."""

    value: float
    clusters: int
    effective_n: float
    error: float
    ends: tuple[float, float] = (0.0, 1.0)

    def error_at(self, mean: float) -> float:
        """The standard error if `mean` were true."""
        return math.sqrt(mean * (1 - mean) / self.effective_n)

    def reaches(self, score: float) -> float:
        """The rate at which the value has this standard normal score: below the value for one above 0."""
        n, square = self.effective_n, score**2
        centre = (self.value + square / (2 * n)) / (1 + square / n)
        half = math.sqrt(self.value * (1 - self.value) / n + square / (4 * n * n)) / (1 + square / n)
        return min(max(centre - score * half, 0.0), 1.0)


def rate_score(hits: Floats, clusters: Codes, weights: Floats) -> RateScore:
    """Of 0 and 1 (n,) with weights, in clusters: `rate_effective_n`, with as few values as there are clusters where
    all are alike. Source: Wilson 1927; Franco et al. 2019, section 2."""
    value = min(float(weights @ hits / weights.sum()), 1.0)  # which rounding may pass
    effective_n = rate_effective_n(hits, weights, clusters, level=LEVEL)
    error = math.sqrt(clustered_variance(weights / weights.sum() * (hits - value), clusters))
    return RateScore(value, count_clusters(clusters), effective_n, error)
