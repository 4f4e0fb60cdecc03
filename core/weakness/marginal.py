"""Marginal analysis: each level of one dimension against the rest. HCAT 6.2, technique 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.shrinkage import shrink
from hcat.core.weakness.comparison import Moments, mean_bounds, moments
from hcat.core.weakness.dependence import Dependence, dependent_bounds, errors


@dataclass(frozen=True, slots=True)
class Grouping:
    """A dimension as numbers: the level of each sample (N,), from 0, and the names of the levels."""

    name: str
    codes: Codes
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SliceStatistics:
    """The statistics of k slices that share no sample; arrays are (k,). `cases` are the test cases of a slice, which
    are its n where every test case has one trial; `testable` says whether slice and rest have enough of them;
    `refit_means` (B, k) are those of its errors."""

    of: Moments
    unscored: Codes
    cases: Floats
    low: Floats
    high: Floats
    testable: Bools
    shrunken: Floats
    shrunken_low: Floats
    shrunken_high: Floats
    refit_means: Floats | None = None


def marginal(
    values: Floats, grouping: Grouping, *, minimum_n: int, level: float, dependence: Dependence | None = None
) -> SliceStatistics:
    """Each level of the grouping against all other samples. `values` (N,) may hold NaN: those samples are unscored."""
    return slice_statistics(
        values,
        grouping.codes,
        slices=len(grouping.levels),
        minimum_n=minimum_n,
        level=level,
        dependence=dependence,
    )


def slice_statistics(
    values: Floats,
    codes: Codes,
    *,
    slices: int,
    minimum_n: int,
    level: float,
    dependence: Dependence | None = None,
) -> SliceStatistics:
    """The statistics of disjoint slices, which `codes` (N,) name from 0. Shrunken towards each other: their standard
    errors rest on the variance within slices, pooled, since a small slice can't tell its own.

    With a `dependence`, intervals follow from test cases instead of samples, and `cases` counts those."""
    scored = ~np.isnan(values)
    refit_means = None
    y, y_codes = values[scored], codes[scored]
    of = moments(y, y_codes, slices=slices)
    shrinking = of.within_variance / np.where(of.n > 0, of.n, np.nan)
    if dependence is None:
        low, high = mean_bounds(y, of, level=level)
        cases, rest_cases = of.n, len(y) - of.n
    else:
        found = errors(y, y_codes, of, dependence.only(scored))
        low, high = dependent_bounds(y, of, found, level=level)
        cases, rest_cases = found.slice_cases, found.rest_cases
        refit_means = found.refit_means
        shrinking = shrinking * found.design_effect + found.calibration_difference
    towards = shrink(of.mean, shrinking, level=level)
    return SliceStatistics(
        of=of,
        unscored=np.bincount(codes[~scored], minlength=slices),
        cases=cases,
        low=low,
        high=high,
        testable=(np.minimum(cases, rest_cases) >= max(minimum_n, 2)) & (of.n > 1) & (len(y) - of.n > 1),
        shrunken=towards.values,
        shrunken_low=towards.low,
        shrunken_high=towards.high,
        refit_means=refit_means,
    )
