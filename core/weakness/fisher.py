"""Slices of values that are but two, such as pass and fail, compared with the rest: Fisher's exact test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Codes, Floats
from core.weakness.comparison import Moments, wilson


def fisher_p(hits: Codes, n: Floats, total: int, all_hits: int) -> Floats:
    """Two-sided p of each slice (k,) with its hits and n among `total` values, by doubling the smaller tail."""
    drawn, hits = n.astype(np.int64), hits.astype(np.int64)
    lower = hits * total <= drawn * all_hits
    chance = _tail(lower, hits, drawn, total, all_hits)
    # Both tails hold the hits themselves, so only where one is above a half can the other be the smaller.
    large = chance > 0.5
    chance[large] = np.minimum(chance[large], _tail(~lower[large], hits[large], drawn[large], total, all_hits))
    return np.minimum(1.0, 2 * chance)


def newcombe_bounds(of: Moments, rest: Moments, *, level: float) -> tuple[Floats, Floats]:
    """The interval of the difference of two shares, from Wilson's interval of each. Newcombe 1998, method 10."""
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2)) ** 2
    (low, high), (rest_low, rest_high) = wilson(of, z2), wilson(rest, z2)
    difference = of.mean - rest.mean
    below = np.hypot(of.mean - low, rest_high - rest.mean)
    above = np.hypot(high - of.mean, rest.mean - rest_low)
    return difference - below, difference + above


def _tail(lower: Bools, hits: NDArray[np.int64], drawn: NDArray[np.int64], total: int, all_hits: int) -> Floats:
    """The chance of as few hits or fewer where `lower`, else of as many or more."""
    from scipy.stats import hypergeom

    chance = np.empty(len(hits))
    chance[lower] = hypergeom.cdf(hits[lower], total, all_hits, drawn[lower])
    chance[~lower] = hypergeom.sf(hits[~lower] - 1, total, all_hits, drawn[~lower])
    return chance
