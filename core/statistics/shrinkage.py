"""Small slices have extreme means by chance. Empirical Bayes pulls each towards the others by how little it knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats

_LEAST_LEVELS = 6


@dataclass(frozen=True, slots=True)
class Shrunken:
    """Estimates (k,) on the scale of the means with their intervals, the centre that they are pulled to, and τ², how
    much the true means of levels differ beyond chance. τ² = 0 puts every level at the centre."""

    values: Floats
    low: Floats
    high: Floats
    centre: float
    between_variance: float


def shrink(means: ArrayLike, variances: ArrayLike, *, level: float = 0.95) -> Shrunken:
    """Posterior means of the normal–normal model: y_i ~ N(θ_i, s²_i), θ_i ~ N(μ, τ²).

    `means` (k,) are those of k levels, `variances` (k,) their squared standard errors. τ² is DerSimonian and Laird's
    (1986) moment estimate, not below 0; μ is the precision-weighted mean; θ_i = μ + τ²/(τ² + s²_i) · (y_i − μ).
    Levels with a NaN stay NaN. Fewer than two levels, or no variance at all, leave the means as they are.
    Intervals hold on average over the levels and account for τ² and μ being estimates: Morris 1983, section 4. Of fewer
    than six levels τ² is too uncertain to gain from: there they are as wide as without shrinking.
    """
    y, s2 = np.asarray(means, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    known = np.isfinite(y) & np.isfinite(s2)
    if known.sum() < 2 or not (s2[known] > 0).all():
        centre = float(y[known].mean()) if known.any() else float("nan")
        half = _width(level) * np.sqrt(s2)
        return Shrunken(y.copy(), y - half, y + half, centre, float("nan"))
    tau2 = _der_simonian_laird(y[known], s2[known])
    precision = 1 / (tau2 + s2[known])
    centre = float(np.sum(precision * y[known]) / precision.sum())
    values = np.full(y.shape, np.nan)
    values[known] = centre + tau2 * precision * (y[known] - centre)
    half = np.full(y.shape, np.nan)
    half[known] = _width(level) * np.sqrt(_morris(y[known], s2[known], centre=centre, tau2=tau2))
    return Shrunken(values, values - half, values + half, centre, tau2)


def _morris(y: Floats, s2: Floats, *, centre: float, tau2: float) -> Floats:
    """Variances of the estimates with those of μ and τ²."""
    k = len(y)
    if k < _LEAST_LEVELS:
        return s2
    total = tau2 + s2
    precision = 1 / total
    towards = (k - 3) / (k - 1) * s2 / total
    of_centre = precision / precision.sum()
    of_tau = 2 / (k - 3) * towards**2 * total.mean() / total * (y - centre) ** 2
    return np.asarray(s2 * (1 - (1 - of_centre) * towards) + of_tau, dtype=np.float64)


def _width(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + level / 2))


def _der_simonian_laird(y: Floats, s2: Floats) -> float:
    w = 1 / s2
    centre = np.sum(w * y) / w.sum()
    excess = np.sum(w * (y - centre) ** 2) - (len(y) - 1)
    return max(0.0, float(excess / (w.sum() - np.sum(w**2) / w.sum())))
