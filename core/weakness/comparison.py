"""Slices of one set of values compared with the rest of it, all slices of a dimension at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Codes, Floats

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Moments:
    """n, mean and sum of squares about the mean of each of k slices; NaN mean where n = 0."""

    n: Floats
    mean: Floats
    squares: Floats

    @property
    def variance(self) -> Floats:
        """Of single values; NaN where n < 2."""
        return np.where(self.n > 1, self.squares / np.maximum(self.n - 1, 1), np.nan)

    @property
    def within_variance(self) -> float:
        """Pooled over the slices, which are disjoint; NaN where every slice holds one value."""
        degrees = self.n.sum() - np.sum(self.n > 0)
        return float(self.squares.sum() / degrees) if degrees > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Each of k slices against the rest: difference of means, two-sided p, Hedges' g; NaN where not comparable."""

    difference: Floats
    p: Floats
    effect: Floats


def moments(values: Floats, codes: Codes, *, slices: int) -> Moments:
    """Of the values (N,) in each slice; `codes` (N,) name the slice of each value, from 0. Two passes, for accuracy."""
    n = np.bincount(codes, minlength=slices).astype(np.float64)
    grand = _centre(values)
    offset = np.bincount(codes, weights=values - grand, minlength=slices) / np.maximum(n, 1)
    squares = np.bincount(codes, weights=(values - grand - offset[codes]) ** 2, minlength=slices).astype(np.float64)
    return Moments(n, np.where(n > 0, grand + offset, np.nan), squares)


def against_rest(values: Floats, codes: Codes, of: Moments, *, minimum_n: int) -> Comparison:
    """Compare each slice with all other values. Slices where either side has fewer than `minimum_n` values give NaN.

    p is Welch's t test. Where the values are but two (pass or fail, 0 or 1), it is Fisher's exact test, two-sided by
    doubling the smaller tail. Where one side has no spread at all, Student's t test with the pooled variance: a few
    equal values must not pass for certainty. The effect is Hedges' g (1981), NaN where nothing spreads.
    """
    rest = rest_of(values, of)
    enough = (of.n >= minimum_n) & (rest.n >= minimum_n) & (of.n > 1) & (rest.n > 1)
    difference = np.where((of.n > 0) & (rest.n > 0), of.mean - rest.mean, np.nan)
    levels = np.unique(values) if len(values) else values
    if len(levels) == 2:
        hits = np.bincount(codes[values == levels[1]], minlength=len(of.n))
        p = _fisher(hits, of.n, len(values), int(np.sum(values == levels[1])), enough)
    else:
        p = _welch(difference, of, rest, enough)
    return Comparison(difference, p, hedges_g(difference, of, rest, enough))


def mean_bounds(values: Floats, of: Moments, *, level: float) -> tuple[Floats, Floats]:
    """The interval of each slice's mean: Wilson's for values that are 0 or 1, else Student's t, NaN where n < 2.

    A slice without spread borrows the variance of all values.
    """
    from scipy.special import ndtri, stdtrit

    if len(values) and np.isin(values, (0.0, 1.0)).all():
        return wilson(of, float(ndtri(0.5 + level / 2)) ** 2)
    overall = float(values.var(ddof=1)) if len(values) > 1 else np.nan
    variance = np.where(of.variance <= _NO_SPREAD * overall, overall, of.variance)
    degrees = np.maximum(of.n - 1, 1)
    half = stdtrit(degrees, 0.5 + level / 2) * np.sqrt(variance / np.maximum(of.n, 1))
    return of.mean - half, of.mean + half


def _centre(values: Floats) -> float:
    """The mean; of equal values exactly their value, so that rounding never looks like spread."""
    if len(values) == 0:
        return 0.0
    return float(values[0]) if values.min() == values.max() else float(values.mean())


def rest_of(values: Floats, of: Moments) -> Moments:
    """Everything but the slice, from totals: no second pass over the values for each slice."""
    total, grand = float(len(values)), _centre(values)
    all_squares = float(np.sum((values - grand) ** 2))
    offset = np.where(of.n > 0, of.mean - grand, 0.0)
    n = total - of.n
    mean = grand - of.n * offset / np.maximum(n, 1)
    squares = all_squares - of.squares - of.n * offset**2 - n * (mean - grand) ** 2
    return Moments(n, np.where(n > 0, mean, np.nan), np.where(squares <= _NO_SPREAD * all_squares, 0.0, squares))


def _welch(difference: Floats, of: Moments, rest: Moments, enough: Bools) -> Floats:
    from scipy.special import stdtr

    p = np.full(len(of.n), np.nan)
    n_1, n_2, v_1, v_2 = of.n[enough], rest.n[enough], of.variance[enough], rest.variance[enough]
    pooled = (of.squares[enough] + rest.squares[enough]) / (n_1 + n_2 - 2)
    flat = (v_1 <= _NO_SPREAD * pooled) | (v_2 <= _NO_SPREAD * pooled)
    e_1, e_2 = np.where(flat, pooled, v_1) / n_1, np.where(flat, pooled, v_2) / n_2
    spread = e_1 + e_2
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees = np.where(flat, n_1 + n_2 - 2, spread**2 / (e_1**2 / (n_1 - 1) + e_2**2 / (n_2 - 1)))
        t = np.where(spread > 0, difference[enough] / np.sqrt(spread), 0.0)
    # Without any spread there is no difference either: all values are equal.
    p[enough] = np.where(spread > 0, 2 * stdtr(degrees, -np.abs(t)), 1.0)
    return p


def _fisher(hits: Codes, n: Floats, total: int, all_hits: int, enough: Bools) -> Floats:
    p = np.full(len(n), np.nan)
    if enough.any():
        drawn, found = n[enough].astype(np.int64), hits[enough]
        lower = found * total <= drawn * all_hits
        chance = _tail(lower, found, drawn, total, all_hits)
        # Both tails hold the hits themselves, so only where one is above a half can the other be the smaller.
        large = chance > 0.5
        chance[large] = np.minimum(chance[large], _tail(~lower[large], found[large], drawn[large], total, all_hits))
        p[enough] = np.minimum(1.0, 2 * chance)
    return p


def _tail(lower: Bools, hits: Codes, drawn: NDArray[np.int64], total: int, all_hits: int) -> Floats:
    """The chance of as few hits or fewer where `lower`, else of as many or more."""
    from scipy.stats import hypergeom

    chance = np.empty(len(hits))
    chance[lower] = hypergeom.cdf(hits[lower], total, all_hits, drawn[lower])
    chance[~lower] = hypergeom.sf(hits[~lower] - 1, total, all_hits, drawn[~lower])
    return chance


def hedges_g(difference: Floats, of: Moments, rest: Moments, enough: Bools) -> Floats:
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
