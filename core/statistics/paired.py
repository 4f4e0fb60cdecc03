"""The mean of paired differences within [−1, 1], with an interval and a p that never contradict each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.statistics.clusters import case_codes
from core.types import Estimate

UNSEEN = 0.5
"""How much of z² is added to the squares of the differences: of differences that were all 0 some might not have been,
and the further out a level asks, the more of them. 0 would be McNemar's test, and too bold where few pairs differ."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of `n` differences with what its test rests on: `independent` observations (Kish's number where some are
    of one cluster or weigh more), and the sum of their squares about the mean, `strays`."""

    value: float
    n: int
    independent: float
    strays: float
    method: str

    @property
    def p(self) -> float:
        """Of a mean of 0, two-sided; NaN without differences."""
        from scipy.special import ndtr

        if self.n == 0:
            return math.nan
        total = self.independent * self.value
        squares = self.strays + total * self.value
        # With z² = x the mean lies on the border of the test where total² = x · (squares + UNSEEN · x).
        x = (math.sqrt(squares**2 + 4 * UNSEEN * total**2) - squares) / (2 * UNSEEN)
        return 2 * float(ndtr(-math.sqrt(max(x, 0.0))))

    def interval(self, level: float = 0.95) -> Estimate:
        """The means that the test does not reject at this level, cut at −1 and 1; NaN without differences."""
        from scipy.special import ndtri

        if self.n == 0:
            return Estimate(math.nan, math.nan, math.nan, 0, level, self.method)
        n, x = self.independent, float(ndtri((1 + level) / 2)) ** 2
        half = math.inf if n <= x else math.sqrt(x * (self.strays + UNSEEN * x) / (n * (n - x)))
        low, high = max(-1.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high, self.n, level, self.method)


def paired_differences(
    differences: ArrayLike, *, weights: ArrayLike | None = None, clusters: ArrayLike | None = None
) -> PairedDifference:
    """The mean of differences (n,) within [−1, 1], NaN left out, and what its interval and p are made of.

    `weights` (n,), each > 0, are those of the mean. Where `clusters` (n,) name one for several differences, they count
    by their sums over clusters, as so many observations as Kish's effective number of clusters.
    The test is of the sum over the root of the summed squares, the statistic of changed signs: it needs no variance
    that few differences can't give, and of differences of −1, 0 and 1 it is McNemar's. `UNSEEN` is for what is rare.
    Source: Efron 1969, Student's t-test under symmetry conditions, section 2; Agresti & Min 2005, Simple improved
    confidence intervals for comparing matched proportions, section 3, for observations that are added.
    """
    d = np.asarray(differences, dtype=np.float64)
    known = ~np.isnan(d)
    w = np.ones(int(known.sum())) if weights is None else np.asarray(weights, dtype=np.float64)[known]
    d, codes = d[known], None if clusters is None else case_codes(np.asarray(clusters)[known])
    method = f"paired, score{'' if weights is None else ', weighted'}{'' if codes is None else ', clustered'}"
    if d.size == 0:
        return PairedDifference(math.nan, 0, 0.0, 0.0, method)
    portion = w / w.sum()
    value = float(np.average(d, weights=w))
    moved = portion * (d - value)
    if codes is not None:
        moved, portion = np.bincount(codes, weights=moved), np.bincount(codes, weights=portion)
    independent = 1 / float(portion @ portion)
    return PairedDifference(value, d.size, independent, independent**2 * float(moved @ moved), method)
