"""The mean of paired differences within [−1, 1], with an interval and a p-value that never contradict each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.statistics.clusters import case_codes
from hcat.core.types import Estimate

UNSEEN = 0.5
"""The multiple of z² that is added to the squares of the differences, for unobserved ones.

If all are 0, some might not have been, and a higher level allows for more. 0 would be McNemar's test, which is too
liberal if few differ."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of `n` differences with the quantities of its test.

    `independent` is the number of independent observations (Kish's number for clusters or weights), `strays` the sum of
    squares about the mean, and `unseen` the square of an unobserved difference."""

    value: float
    n: int
    independent: float
    strays: float
    unseen: float
    method: str

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean of 0; NaN without differences."""
        from scipy.special import ndtr

        if self.n == 0:
            return math.nan
        total = self.independent * self.value
        squares = self.strays + total * self.value
        # With z² = x the mean is on the boundary of the test if total² = x · (squares + added · x).
        added = UNSEEN * self.unseen
        x = (math.sqrt(squares**2 + 4 * added * total**2) - squares) / (2 * added)
        return 2 * float(ndtr(-math.sqrt(max(x, 0.0))))

    def interval(self, level: float = 0.95) -> Estimate:
        """The means that the test does not reject at this level, cut at −1 and 1; NaN without differences."""
        from scipy.special import ndtri

        if self.n == 0:
            return Estimate(math.nan, math.nan, math.nan, 0, level, self.method)
        n, x = self.independent, float(ndtri((1 + level) / 2)) ** 2
        half = math.inf if n <= x else math.sqrt(x * (self.strays + UNSEEN * self.unseen * x) / (n * (n - x)))
        low, high = max(-1.0, self.value - half), min(1.0, self.value + half)
        return Estimate(self.value, low, high, self.n, level, self.method)


def paired_differences(
    differences: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    symmetric: bool = False,
) -> PairedDifference:
    """The mean of differences (n,) within [−1, 1], NaN left out, with the quantities of its interval and p-value.

    `weights` (n,), each > 0, are those of the mean. Differences of one of the `clusters` (n,) count by their sum, and
    the number of observations is Kish's effective number of clusters. The statistic is the sum over the root of the
    summed squares, as in a sign-flip test; for differences of −1, 0 and 1 it is McNemar's, except for the unobserved
    ones (`UNSEEN`). `symmetric` differences are between things that are exchangeable if there is no difference, such as
    two runs: unobserved ones are then as large as those observed, and else 1. Source: Efron 1969, Student's t-test
    under symmetry conditions, section 2; Agresti & Min 2005, Simple improved confidence intervals for comparing matched
    proportions, section 3, for observations that are added."""
    d = np.asarray(differences, dtype=np.float64)
    known = ~np.isnan(d)
    w = np.ones(int(known.sum())) if weights is None else np.asarray(weights, dtype=np.float64)[known]
    d, codes = d[known], None if clusters is None else case_codes(np.asarray(clusters)[known])
    method = f"paired, score{'' if weights is None else ', weighted'}{'' if codes is None else ', clustered'}"
    if d.size == 0:
        return PairedDifference(math.nan, 0, 0.0, 0.0, 1.0, method)
    portion = w / w.sum()
    value = float(np.average(d, weights=w))
    moved = portion * (d - value)
    if codes is not None:
        moved, portion = np.bincount(codes, weights=moved), np.bincount(codes, weights=portion)
    independent = 1 / float(portion @ portion)
    sums = moved + portion * value
    differs = np.abs(sums) > _ROUNDING
    unseen = float(np.mean((sums[differs] * independent) ** 2)) if symmetric and differs.any() else 1.0
    return PairedDifference(value, d.size, independent, independent**2 * float(moved @ moved), min(unseen, 1.0), method)
