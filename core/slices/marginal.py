"""The statistics of slices that share no sample: the levels of one dimension, or pairs of two. HCAT 6.2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.comparison import Moments
from hcat.core.statistics.shrinkage import shrink


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


def statistics_of(
    of: Moments,
    *,
    unscored: Codes,
    cases: tuple[Floats, Floats],
    total: int,
    ends: tuple[Floats, Floats],
    shrinking: Floats,
    minimum_n: int,
    level: float,
    refit_means: Floats | None = None,
) -> SliceStatistics:
    """The statistics of slices by what is estimated of each: its moments, the `cases` of slice and rest, the `ends` of
    its interval. Shrunken towards each other by the variances `shrinking` of their means. `total` counts all values."""
    own, rest = cases
    towards = shrink(of.mean, shrinking, level=level)
    return SliceStatistics(
        of=of,
        unscored=unscored,
        cases=own,
        low=ends[0],
        high=ends[1],
        testable=(np.minimum(own, rest) >= max(minimum_n, 2)) & (of.n > 1) & (total - of.n > 1),
        shrunken=towards.values,
        shrunken_low=towards.low,
        shrunken_high=towards.high,
        refit_means=refit_means,
    )
