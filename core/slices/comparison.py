"""Moments of the slices of one set of values and of the rest of it, all slices of a dimension at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.exact_sums import ExactMoments

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Moments:
    """n, mean and sum of squares about the mean of each of k slices; NaN mean where n = 0."""

    n: Floats
    mean: Floats
    squares: Floats

    @classmethod
    def exact(cls, sums: ExactMoments) -> Moments:
        """From exact sums."""
        return cls(sums.n.astype(np.float64), sums.means(), sums.squares_about_means())

    @property
    def variance(self) -> Floats:
        """Variance of single values in each slice; NaN where n < 2."""
        return np.where(self.n > 1, self.squares / np.maximum(self.n - 1, 1), np.nan)

    @property
    def within_variance(self) -> float:
        """Pooled over the slices, which are disjoint; NaN where every slice holds one value."""
        degrees = self.n.sum() - np.sum(self.n > 0)
        return float(self.squares.sum() / degrees) if degrees > 0 else float("nan")


def moments(values: Floats, codes: Codes, *, slices: int) -> Moments:
    """Moments of the values (N,) in each slice; `codes` (N,) name the slice of each value, from 0. Two passes, for
    accuracy."""
    n = np.bincount(codes, minlength=slices).astype(np.float64)
    grand = _centre(values)
    offset = np.bincount(codes, weights=values - grand, minlength=slices) / np.maximum(n, 1)
    squares = np.bincount(codes, weights=(values - grand - offset[codes]) ** 2, minlength=slices).astype(np.float64)
    return Moments(n, np.where(n > 0, grand + offset, np.nan), squares)


def bounds_of_means(
    of: Moments, overall: float, *, of_two: bool, level: float, made_with: Floats | None = None
) -> tuple[Floats, Floats]:
    """The interval of each slice's mean: Wilson's for values that are 0 or 1 (`of_two`), else Student's t, NaN where
    n < 2. A slice without spread borrows `overall`, the variance of all values; `made_with` (k,) are the variances of
    means that come from how the values were made."""
    from scipy.special import ndtri, stdtrit

    further = np.zeros(len(of.n)) if made_with is None else made_with
    if of_two and not further.any():
        return wilson(of, float(ndtri(0.5 + level / 2)) ** 2)
    variance = np.where(of.variance <= _NO_SPREAD * overall, overall, of.variance)
    degrees = np.maximum(of.n - 1, 1)
    half = stdtrit(degrees, 0.5 + level / 2) * np.sqrt(variance / np.maximum(of.n, 1) + further)
    return of.mean - half, of.mean + half


def _centre(values: Floats) -> float:
    """The mean; of equal values exactly their value, so that rounding never looks like spread."""
    if len(values) == 0:
        return 0.0
    return float(values[0]) if values.min() == values.max() else float(values.mean())


def rest_of(values: Floats, of: Moments) -> Moments:
    """Everything but the slice, from totals: no second pass over the values for each slice."""
    grand = _centre(values)
    return rest_of_total(float(len(values)), grand, float(np.sum((values - grand) ** 2)), of)


def rest_of_total(total: float, grand: float, all_squares: float, of: Moments) -> Moments:
    """The same, by the number of all values, their mean, and their sum of squares about it."""
    offset = np.where(of.n > 0, of.mean - grand, 0.0)
    n = total - of.n
    mean = grand - of.n * offset / np.maximum(n, 1)
    squares = all_squares - of.squares - of.n * offset**2 - n * (mean - grand) ** 2
    return Moments(n, np.where(n > 0, mean, np.nan), np.where(squares <= _NO_SPREAD * all_squares, 0.0, squares))


def differences_from_rest(of: Moments, rest: Moments) -> Floats:
    """The slice's mean less the rest's; NaN where either is empty."""
    return np.where((of.n > 0) & (rest.n > 0), of.mean - rest.mean, np.nan)


def hedges_g(difference: Floats, of: Moments, rest: Moments, enough: Bools) -> Floats:
    """The difference in standard deviations within slice and rest, for small n (Hedges 1981); NaN where not `enough`,
    or where nothing spreads."""
    degrees = np.maximum(of.n + rest.n - 2, 1)
    pooled = np.sqrt((of.squares + rest.squares) / degrees)
    correction = 1 - 3 / (4 * degrees - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(pooled > 0, correction * difference / pooled, np.where(difference == 0, 0.0, np.nan))
    return np.where(enough, effect, np.nan)


def wilson(of: Moments, z2: float) -> tuple[Floats, Floats]:
    n = np.where(of.n > 0, of.n, np.nan)
    centre = (of.mean + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (of.mean * (1 - of.mean) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)
