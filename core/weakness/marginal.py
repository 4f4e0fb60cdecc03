"""Marginal analysis: each level of one dimension against the rest. HCAT 6.2, technique 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.weakness.comparison import Codes, Comparison, Floats, Moments, against_rest, mean_bounds, moments
from core.weakness.shrinkage import shrink


@dataclass(frozen=True, slots=True)
class Grouping:
    """A dimension as numbers: the level of each sample (N,), from 0, and the names of the levels."""

    name: str
    codes: Codes
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SliceStatistics:
    """Everything known of k slices that share no sample; arrays are (k,)."""

    of: Moments
    unscored: NDArray[np.intp]
    low: Floats
    high: Floats
    comparison: Comparison
    shrunken: Floats


def marginal(values: Floats, grouping: Grouping, *, minimum_n: int, level: float) -> SliceStatistics:
    """Each level of the grouping against all other samples. `values` (N,) may hold NaN: those samples are unscored."""
    return slice_statistics(values, grouping.codes, slices=len(grouping.levels), minimum_n=minimum_n, level=level)


def slice_statistics(values: Floats, codes: Codes, *, slices: int, minimum_n: int, level: float) -> SliceStatistics:
    """The statistics of disjoint slices, which `codes` (N,) name from 0. Shrunken towards each other: their standard
    errors rest on the variance within slices, pooled, since a small slice can't tell its own."""
    scored = ~np.isnan(values)
    y, y_codes = values[scored], codes[scored]
    of = moments(y, y_codes, slices=slices)
    low, high = mean_bounds(y, of, level=level)
    errors = of.within_variance / np.where(of.n > 0, of.n, np.nan)
    return SliceStatistics(
        of=of,
        unscored=np.bincount(codes[~scored], minlength=slices),
        low=low,
        high=high,
        comparison=against_rest(y, y_codes, of, minimum_n=minimum_n),
        shrunken=shrink(of.mean, errors).values,
    )
