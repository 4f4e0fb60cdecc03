"""Reliability: bins of similar probability, and the expected calibration error over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate, Finite

MOST_BINS = 10
LABELS_PER_BIN = 10
REPLICATES = 200


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Samples of similar probability, from `low` to `high`: the map's mean probability and the share that people
    passed."""

    low: Finite
    high: Finite
    probability: Finite
    observed: Estimate
    n: int


@dataclass(frozen=True, slots=True)
class BinSums:
    """Weighted sums within bins, each (…, bins), of 1, p, y, p², p·y, w²·p(1 − p) and w².

    The sums of w²·p(1 − p), the noise of a true map, and of w² have squared weights. Leading axes are replicates."""

    weight: Floats
    p: Floats
    y: Floats
    pp: Floats
    py: Floats
    noise: Floats
    squares: Floats


def equal_mass_bins(values: ArrayLike) -> Ints:
    """The bin of each value, from 0: at most 10 bins, of 10 or more values each if there are enough.

    Equal values share a bin, so that bins can be fewer and of unequal size."""
    v = np.asarray(values, dtype=np.float64)
    if len(v) == 0:
        return np.zeros(0, dtype=np.intp)
    count = max(1, min(MOST_BINS, len(v) // LABELS_PER_BIN))
    cuts = np.unique(np.quantile(v, np.arange(1, count) / count, method="lower"))
    return np.searchsorted(cuts[cuts < v.max()], v, side="left")


def reliability(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    bins: Ints | None = None,
) -> tuple[ReliabilityBin, ...]:
    """The reliability diagram as data: bins of equal mass in increasing probability, each with its n and interval.

    `clusters` (n,) name the test case of each sample, as in `share`. `bins` are the `equal_mass_bins`, if they are
    known."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    bin_of, codes = equal_mass_bins(p) if bins is None else bins, case_codes(clusters)
    diagram = []
    for number in range(int(bin_of.max(initial=-1)) + 1):
        rows = np.flatnonzero(bin_of == number)
        stated, inside = p[rows], None if w is None else w[rows]
        diagram.append(
            ReliabilityBin(
                low=float(stated.min()),
                high=float(stated.max()),
                probability=float(stated.mean() if inside is None else np.average(stated, weights=inside)),
                observed=weighted_proportion(
                    y[rows], weights=inside, clusters=None if codes is None else codes[rows], level=level
                ),
                n=len(rows),
            )
        )
    return tuple(diagram)


def bin_sums(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    generator: np.random.Generator | None = None,
    replicates: int = REPLICATES,
    bins: Ints | None = None,
) -> BinSums:
    """The sums over bins of equal mass, n ≥ 1; with a generator those of bootstrap replicates, (replicates, bins).

    `bins` are the `equal_mass_bins`, if they are known.

    Bins are those of the whole sample in every replicate: their edges are part of the question. If `clusters` (n,) name
    test cases with several samples, replicates draw whole test cases, and the sums of w² are multiplied by the design
    effect of labels of one bin and test case, at least 1."""
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=np.float64)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    codes = case_codes(clusters)
    # Sorted by content: draws and sums then do not depend on the order of rows.
    keys = (*(() if codes is None else (codes,)), *(() if weights is None else (w,)), y, p)
    rows = np.lexsort(keys)
    p, y, w, codes = p[rows], y[rows], w[rows], None if codes is None else codes[rows]
    bins = equal_mass_bins(p) if bins is None else bins[rows]
    size = int(bins.max(initial=0)) + 1
    effect = 1.0 if codes is None else _design_effect(w * (y - p), bins * (int(codes.max()) + 1) + codes, bins)
    columns = (w, w * p, w * y, w * p * p, w * p * y, effect * w * w * p * (1 - p), effect * w * w)
    if generator is None:
        return BinSums(*(np.bincount(bins, weights=each, minlength=size).astype(np.float64) for each in columns))
    # Sorted by bins, each bin's sums are one small product of how often a label was drawn and its contribution.
    order = np.argsort(bins, kind="stable")
    drawn = (
        _times_drawn(len(p), generator, replicates)
        if codes is None
        else _cases_drawn(codes[order], generator, replicates)
    )
    edges = np.searchsorted(bins[order], np.arange(size + 1))
    adds = np.column_stack(columns)[order]
    sums = [drawn[:, low:high] @ adds[low:high] for low, high in pairwise(edges.tolist())]
    return BinSums(*np.moveaxis(np.stack(sums, axis=1), 2, 0))


def _times_drawn(n: int, generator: np.random.Generator, replicates: int) -> Floats:
    """The number of times each of n labels is drawn in each replicate of n draws, (replicates, n)."""
    places = generator.integers(0, n, size=(replicates, n), dtype=np.int32) + n * np.arange(replicates)[:, None]
    counts = np.bincount(places.ravel(), minlength=replicates * n)
    return counts.reshape(replicates, n).astype(np.float64)


def _cases_drawn(codes: Ints, generator: np.random.Generator, replicates: int) -> Floats:
    return _times_drawn(int(codes.max()) + 1, generator, replicates)[:, codes]


def _design_effect(strays: Floats, together: Ints, bins: Ints) -> float:
    """The factor by which labels of one bin and test case (`together`) inflate the variance of a bin's sum."""
    strays = strays - (np.bincount(bins, weights=strays) / np.maximum(np.bincount(bins), 1))[bins]
    sums, alone = np.bincount(together, weights=strays), float(strays @ strays)
    return max(1.0, float(sums @ sums) / alone) if alone > 0 else 1.0


def calibration_error(
    probability: ArrayLike, passed: ArrayLike, *, weights: ArrayLike | None = None, sums: BinSums | None = None
) -> float:
    """Expected calibration error in [0, 1]: mean absolute difference of stated and observed share over equal-mass bins.

    It is biased upwards: by chance alone even a true probability has some. `sums` are the `bin_sums`, if they are
    known."""
    if len(np.asarray(probability)) == 0:
        return math.nan
    sums = sums or bin_sums(probability, passed, weights=weights)
    return float(np.abs(sums.p - sums.y).sum() / sums.weight.sum())


def corrected_calibration_error(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    generator: np.random.Generator,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    replicates: int = REPLICATES,
    level: float = 0.95,
    sums: BinSums | None = None,
) -> Estimate:
    """The expected calibration error without the share of chance; it can fall below 0 by chance.

    In each bin one half of the labels determines on which side of the probability the observed share is, the other half
    how far on that side: a side that is noise averages out. The mean over all halvings has, for a normal gap x with the
    noise σ of a true map, the closed form x(2Φ(x/σ) − 1) − 2σφ(x/σ). Its mean is 0 if the probability is true,
    approaches the binned error if that exceeds the noise, and is never above it: the plain error is biased up, this one
    down, and the truth is between their means. The interval is by bootstrap (none without replicates): the lower bound
    normal around the value, the upper a percentile of replicates, which contain the noise twice. NaN for n = 0. `sums`
    are the `bin_sums` of all samples, if they are known. Source: Bröcker & Smith 2007 for the noise of a true map;
    Kumar, Liang & Ma 2019, section 5, for the debiasing of the squared error; the closed form from E sign(x + e)(x −
    e), e ~ N(0, σ²)."""
    from scipy.special import ndtri

    n = len(np.asarray(probability))
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, level, "ECE, corrected")
    value = float(_corrected(sums or bin_sums(probability, passed, weights=weights, clusters=clusters)))
    if replicates < 2:
        return Estimate(value, math.nan, math.nan, n, level, "ECE, corrected; no bootstrap")
    again = _corrected(
        bin_sums(probability, passed, weights=weights, clusters=clusters, generator=generator, replicates=replicates)
    )
    drawn = "" if case_codes(clusters) is None else " of clusters"
    half = float(ndtri(0.5 + level / 2)) * float(again.std(ddof=1))
    low = max(value - half, min(value, 0.0))
    high = min(max(float(np.quantile(again, 0.5 + level / 2)), value, 0.0), 1.0)
    return Estimate(value, low, high, n, level, f"ECE, corrected; bootstrap{drawn} of {replicates}")


def _corrected(sums: BinSums) -> Floats:
    from scipy.special import ndtr

    x = np.abs(sums.p - sums.y)
    sigma = np.sqrt(np.maximum(sums.noise, 0.0))
    z = np.divide(x, sigma, out=np.full_like(x, np.inf), where=sigma > 0)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    parts = np.where(x > 0, x * (2 * ndtr(z) - 1), 0.0) - 2 * sigma * density
    return np.asarray(parts.sum(axis=-1) / sums.weight.sum(axis=-1), dtype=np.float64)
