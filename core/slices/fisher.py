"""Slices of values that are but two, such as pass and fail, compared with the rest: Fisher's exact test."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.comparison import Moments, wilson
from hcat.core.statistics.hypergeometric import hypergeometric_tails


def fisher_p(hits: Codes, n: Floats, total: int, all_hits: int) -> Floats:
    """Two-sided p of Fisher's exact test of each slice (k,) with its hits and n among `total` values, by doubling the
    smaller tail. Equal slices are computed once, and terms that are too small to count are left out."""
    pairs, place = np.unique(np.stack([hits, n.astype(np.intp)]), axis=1, return_inverse=True)
    tails = [
        hypergeometric_tails(of_slice, total=total, marked=all_hits, drawn=drawn, narrow=True)
        for of_slice, drawn in pairs.T.tolist()
    ]
    return np.minimum(1.0, 2 * np.array([min(both) for both in tails], dtype=np.float64))[place.reshape(-1)]


def newcombe_bounds(of: Moments, rest: Moments, *, level: float) -> tuple[Floats, Floats]:
    """The interval of the difference of two shares, from Wilson's interval of each. Newcombe 1998, method 10."""
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2)) ** 2
    (low, high), (rest_low, rest_high) = wilson(of, z2), wilson(rest, z2)
    difference = of.mean - rest.mean
    below = np.hypot(of.mean - low, rest_high - rest.mean)
    above = np.hypot(high - of.mean, rest.mean - rest_low)
    return difference - below, difference + above
