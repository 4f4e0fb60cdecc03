"""Wilson's test of a rate whose values carry weights and come in clusters, and intervals from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.arrays import Codes, Floats
from core.statistics.clusters import effective_cases, few_cases
from core.statistics.effective_n import kish_n
from core.statistics.mean_score import by_cluster

LEVEL = 0.95
"""At which the loss by few clusters is computed."""


@dataclass(frozen=True, slots=True)
class RateScore:
    """A rate in [0, 1] over so many independent clusters, worth `effective_n` simple random values."""

    value: float
    clusters: int
    effective_n: float
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def error(self) -> float:
        """The standard error of the spread that was seen."""
        return self.error_at(self.value)

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
    portion = weights / weights.sum()
    sums, _ = by_cluster(portion * (hits - value), clusters)
    g = len(sums)
    variance = g / (g - 1) * float(sums @ sums)
    if variance <= 1e-15:
        return RateScore(value, g, effective_cases(weights, clusters))
    n = min(value * (1 - value) / variance, kish_n(weights)) * few_cases(clusters, level=LEVEL)
    return RateScore(value, g, n)
