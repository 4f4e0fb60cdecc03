"""Wilson's test of a rate whose values have weights and come in clusters, and the intervals that invert it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.clusters import clustered_variance, count_clusters, rate_effective_n

LEVEL = 0.95
"""The level at which the loss by few clusters is computed."""


@dataclass(frozen=True, slots=True)
class RateScore:
    """A rate in [0, 1] over so many independent clusters, with the `effective_n` of simple random values.

    `error` is the observed standard error, by sums over clusters."""

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
    """The test of a rate of values 0 and 1 (n,) with weights, in clusters.

    The effective n is `rate_effective_n`, and the number of clusters if all values are equal. Source: Wilson 1927;
    Franco et al. 2019, section 2."""
    value = min(float(weights @ hits / weights.sum()), 1.0)  # which rounding may pass
    effective_n = rate_effective_n(hits, weights, clusters, level=LEVEL)
    error = math.sqrt(clustered_variance(weights / weights.sum() * (hits - value), clusters))
    return RateScore(value, count_clusters(clusters), effective_n, error)
