"""Decomposition of the Brier score: how true the probability is, how well it separates, how hard the samples are."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.checks.reliability import REPLICATES, BinSums, bin_sums
from hcat.core.statistics.clusters import case_codes
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class BrierParts:
    """Brier = reliability − resolution + uncertainty + within_variance − within_covariance, exactly.

    Reliability: squared difference of stated and observed share over bins; 0 is best, and by chance it can be negative.
    Resolution: variance of the bins' observed shares about the overall share; more is better. Uncertainty: the score of
    a constant at the overall share. The within parts are what bins hide: the variance of probabilities in a bin, and
    their covariance with labels."""

    reliability: Estimate
    resolution: Estimate
    uncertainty: Estimate
    within_variance: Estimate
    within_covariance: Estimate

    @property
    def total(self) -> float:
        """The Brier score, as the sum of the parts."""
        lost = self.reliability.value + self.uncertainty.value + self.within_variance.value
        return lost - self.resolution.value - self.within_covariance.value


def brier_parts(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    generator: np.random.Generator,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    replicates: int = REPLICATES,
    level: float = 0.95,
) -> BrierParts:
    """The parts over bins of equal mass, corrected for the noise of observed shares; NaN for n = 0.

    Few labels a bin inflate both reliability and resolution. `clusters` (n,) name the independent units: if one has
    several samples, replicates draw whole clusters, and the noise is that of labels that agree. Intervals are normal
    with the standard error of bootstrap replicates. Source: Murphy 1973; Stephenson, Coelho & Jolliffe 2008, equation
    9, for the parts within bins; Ferro & Fricker 2012, A bias-corrected decomposition of the Brier score, for the
    noise."""
    from scipy.special import ndtri

    n = len(np.asarray(probability))
    method = f"standard error by bootstrap{'' if case_codes(clusters) is None else ' of clusters'} of {replicates}"
    if n == 0:
        return BrierParts(*(Estimate(math.nan, math.nan, math.nan, 0, level, method) for _ in fields(BrierParts)))
    values = _parts(bin_sums(probability, passed, weights=weights, clusters=clusters))
    again = _parts(
        bin_sums(probability, passed, weights=weights, clusters=clusters, generator=generator, replicates=replicates)
    )
    z = float(ndtri(0.5 + level / 2))
    estimates = []
    for value, replicated in zip(map(float, values), again, strict=True):
        half = z * float(replicated.std(ddof=1))
        estimates.append(Estimate(value, max(value - half, min(value, 0.0)), value + half, n, level, method))
    return BrierParts(*estimates)


def _parts(sums: BinSums) -> tuple[Floats, ...]:
    """Reliability, resolution, uncertainty, within variance and covariance (doubled), each (…,)."""
    total = sums.weight.sum(axis=-1)
    overall = sums.y.sum(axis=-1) / total

    def mean(column: Floats) -> Floats:
        return np.divide(column, sums.weight, out=np.zeros_like(column), where=sums.weight > 0)

    def pooled(column: Floats) -> Floats:
        return np.asarray((sums.weight * column).sum(axis=-1) / total, dtype=np.float64)

    p, y = mean(sums.p), mean(sums.y)
    uncertainty = np.asarray(overall * (1 - overall), dtype=np.float64)
    within = pooled(_noise(y * (1 - y), sums.weight, sums.squares))
    between = _noise(uncertainty, total, sums.squares.sum(axis=-1))
    return (
        pooled((p - y) ** 2) - within,
        pooled((y - np.asarray(overall)[..., None]) ** 2) - within + between,
        uncertainty + between,
        pooled(mean(sums.pp) - p**2),
        pooled(2 * (mean(sums.py) - p * y)),
    )


def _noise(spread: Floats, weight: Floats, squares: Floats) -> Floats:
    """The variance of a share from the `spread` of labels, at their effective number weight² / squares."""
    n = np.divide(weight**2, squares, out=np.ones_like(weight), where=squares > 0)
    return np.asarray(spread / np.maximum(n - 1, 1), dtype=np.float64)
