"""Spearman's rank correlation, with its interval, over pairwise complete cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Codes
from hcat.core.statistics.clusters import case_codes, clustered_variance, few_cases
from hcat.core.types import Estimate

MINIMUM_N = 4
"""The least number of pairs for an interval: its standard error divides by n − 3."""


@dataclass(frozen=True, slots=True)
class RankCorrelations:
    """The estimate of each pair; None if a column is constant over their common samples, or they have fewer than
    two."""

    names: tuple[str, ...]
    estimates: Mapping[tuple[str, str], Estimate | None]

    def of(self, first: str, second: str) -> Estimate | None:
        """The estimate for two names, in either order. The diagonal is never computed: KeyError."""
        return self.estimates[(first, second) if (first, second) in self.estimates else (second, first)]


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of their ranks. values: (N,) without NaN."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def rank_correlations(
    columns: Mapping[str, NDArray[np.float64]], *, clusters: ArrayLike | None = None, level: float = 0.95
) -> RankCorrelations:
    """Spearman's ρ of every pair of columns: Pearson's correlation of the average ranks of the samples both scored.

    columns: name → (N,), NaN = unscored. None if both scored fewer than two samples, or if one side is constant, since
    ρ is then undefined. The interval is Fisher's z with Bonett and Wright's standard error √((1 + ρ²/2) / (n − 3)); its
    bounds are NaN for n below MINIMUM_N, and for |ρ| = 1, where z is infinite. `clusters` (N,) name the independent
    units: n is then divided by the design effect, the variance of ρ by cluster over that of independent samples, each
    by its influence function. Sources: Bonett & Wright, Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations, Psychometrika 65 (2000), equation 5; Croux & Dehon, Influence functions of the Spearman and
    Kendall correlation measures, Statistical Methods & Applications 19 (2010)."""
    names = tuple(columns)
    known = {name: np.isfinite(values) for name, values in columns.items()}
    held: dict[tuple[str, bytes], NDArray[np.float64]] = {}

    def ranks(name: str, both: NDArray[np.bool_], key: bytes) -> NDArray[np.float64]:
        # Most metrics score the same samples, so that few of the rankings differ.
        if (name, key) not in held:
            held[name, key] = average_ranks(columns[name][both])
        return held[name, key]

    estimates: dict[tuple[str, str], Estimate | None] = {}
    for position, first in enumerate(names):
        for second in names[position + 1 :]:
            both = known[first] & known[second]
            key = np.packbits(both).tobytes()
            own = None if clusters is None else case_codes(np.asarray(clusters)[both])
            estimates[first, second] = _estimate(ranks(first, both, key), ranks(second, both, key), own, level)
    return RankCorrelations(names, estimates)


def _estimate(x: NDArray[np.float64], y: NDArray[np.float64], codes: Codes | None, level: float) -> Estimate | None:
    n = x.size
    if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    effective_n = float(n) if codes is None else n / _design_effect(x, y, codes) * few_cases(codes, level=level)
    x, y = x - x.mean(), y - y.mean()
    rho = float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))
    low, high = _interval(rho, effective_n, level)
    return Estimate(rho, low, high, n, level, "spearman, fisher z" + ("" if codes is None else ", clustered"))


def _design_effect(x: NDArray[np.float64], y: NDArray[np.float64], codes: Codes) -> float:
    """The factor, at least 1, by which clusters inflate the variance of ρ between ranks x and y."""
    n = len(x)
    moved = x * y / n + _above(x, y) + _above(y, x)
    moved -= moved.mean()
    independent = float(moved @ moved)
    return max(clustered_variance(moved, codes) / independent, 1.0) if independent > 0 else 1.0


def _above(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each sample (n,) the sum of y over the samples with larger x, equal ones counting half, divided by n."""
    _, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights=y)
    return np.asarray((sums.sum() - np.cumsum(sums) + sums / 2)[place] / len(x), dtype=np.float64)


def _interval(rho: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    if n < MINIMUM_N or abs(rho) > 1 - 1e-12:
        return np.nan, np.nan
    half = float(ndtri(0.5 + level / 2)) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return float(np.tanh(np.arctanh(rho) - half)), float(np.tanh(np.arctanh(rho) + half))
