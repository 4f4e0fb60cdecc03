"""The difference of each slice's mean from the rest's, with its standard error, for many arrangements of the values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.slices.membership import Clusters, Membership, indicator

_NO_SPREAD = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Arranged:
    """Values at each of N places under b arrangements. `sums` (N, b) are the sums of the values there, `counts` their
    numbers, (N, b), or one column where the number stays."""

    sums: Floats
    counts: Floats

    @classmethod
    def once(cls, values: Floats, counts: Floats | None = None) -> Arranged:
        """The values (N,) as they are, a single one at each place unless `counts` (N,) says otherwise."""
        return cls(values[:, None], (np.ones(len(values)) if counts is None else counts)[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Differences of k slices under b arrangements of the values, (k, b) each. NaN where a slice or its rest is
    empty."""

    difference: Floats
    error: Floats

    @property
    def statistic(self) -> Floats:
        """The studentised difference; 0 where nothing spreads."""
        with np.errstate(divide="ignore", invalid="ignore"):
            defined = np.where(self.error > 0, self.difference / self.error, 0.0)
        return np.where(np.isnan(self.difference + self.error), np.nan, defined)


def differences(
    slices: Membership, arranged: Arranged, *, weights: Floats | None = None, clusters: Clusters | None = None
) -> Differences:
    """Each slice against all other places, by `weights` (N,) of the places: Hájek's means and their difference.

    The error is linearised: without weights and with single values it is that of Welch's t. With `clusters`, which lie
    one behind the other, it comes from sums over them (Liang & Zeger 1986), and what a cluster adds to slice and rest
    cancels. A side without any spread borrows that of all values. Source: Särndal, Swensson & Wretman, 5.7.
    """
    if clusters is None:
        return _of_places(slices, arranged, weights)
    return _of_clusters(slices, arranged, np.ones(len(arranged.sums)) if weights is None else weights, clusters)


def _of_places(slices: Membership, arranged: Arranged, weights: Floats | None) -> Differences:
    values, counts = arranged.sums, arranged.counts
    squared = values**2
    rows = len(values)
    once = slices.matrix(weights)
    twice = once if weights is None else slices.matrix(weights**2)
    one = np.ones(rows) if weights is None else weights
    single = weights is None and bool((counts == 1).all())
    sums, sizes = once @ values, once @ counts
    cross = sums if single else twice @ (values * counts)
    squares, square_counts = twice @ squared, sizes if single else twice @ counts**2
    totals = [one @ values, one @ counts, one**2 @ squared, one**2 @ (values * counts), one**2 @ counts**2]
    other_sums, other_sizes, other_squares, other_cross, other_counts = (
        total - part for total, part in zip(totals, (sums, sizes, squares, cross, square_counts), strict=True)
    )
    n = slices.n
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, rest = sums / sizes, other_sums / other_sizes
        inside = squares - 2 * mean * cross + mean**2 * square_counts
        outside = other_squares - 2 * rest * other_cross + rest**2 * other_counts
        spread = _spread(values, counts)
        variance = with_spread(n / (n - 1) * inside / sizes**2, spread * square_counts / sizes**2) + with_spread(
            (rows - n) / (rows - n - 1) * outside / other_sizes**2, spread * other_counts / other_sizes**2
        )
    return Differences(mean - rest, np.sqrt(variance))


def _of_clusters(slices: Membership, arranged: Arranged, weights: Floats, clusters: Clusters) -> Differences:
    values, counts = weights[:, None] * arranged.sums, weights[:, None] * arranged.counts
    number, k = len(clusters.starts), slices.count
    # These rise: the rows of a slice do, and with them their clusters.
    keys = slices.slices * number + clusters.of_row[slices.members]
    begins = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    pair, place = keys[begins], np.cumsum(begins) - 1
    where, cluster = np.divmod(pair, number)
    by_slice = indicator(where, np.arange(len(pair)), (k, len(pair)))
    by_pair = indicator(place, slices.members, (len(pair), len(values)))
    sums_pair, n_pair = by_pair @ values, by_pair @ counts
    of_cluster, sizes = (np.add.reduceat(each, clusters.starts, axis=0) for each in (values, counts))
    total, rows = of_cluster.sum(axis=0), sizes.sum(axis=0)
    sums, n = by_slice @ sums_pair, by_slice @ n_pair
    others = np.where(rows - n > _NO_SPREAD * rows, rows - n, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, rest = sums / n, (total - sums) / others
        inside = sums_pair - n_pair * mean[where]
        whole = of_cluster[cluster] - sizes[cluster] * rest[where]
        outside = whole - inside - n_pair * (mean - rest)[where]
        everywhere = (of_cluster**2).sum(axis=0) - 2 * rest * (of_cluster * sizes).sum(axis=0)
        everywhere = everywhere + rest**2 * (sizes**2).sum(axis=0)
        outside_squares = np.maximum(everywhere + by_slice @ (outside**2 - whole**2), 0.0)
        inside_cases = by_slice @ (n_pair > 0).astype(np.float64)
        alone = (n_pair > 0) & (np.abs(sizes[cluster] - n_pair) <= _NO_SPREAD * sizes[cluster])
        rest_cases = (sizes > 0).sum(axis=0) - by_slice @ alone.astype(np.float64)
        factor, rest_factor = inside_cases / (inside_cases - 1), rest_cases / (rest_cases - 1)
        spread = _spread(of_cluster, sizes)
        own = factor * (by_slice @ inside**2) / n**2
        others_own = rest_factor * outside_squares / others**2
        shared = np.sqrt(factor * rest_factor) * (by_slice @ (inside * outside)) / (n * others)
        within = by_slice @ n_pair**2
        left = np.maximum((sizes**2).sum(axis=0) - by_slice @ (2 * n_pair * sizes[cluster] - n_pair**2), 0.0)
        lent = with_spread(own, spread * within / n**2) + with_spread(others_own, spread * left / others**2)
        variance = np.maximum(lent - 2 * shared, _NO_SPREAD * lent)
    return Differences(mean - rest, np.sqrt(np.where(np.isfinite(factor + rest_factor), variance, np.nan)))


def _spread(sums: Floats, counts: Floats) -> Floats:
    """The mean square of what the sums at places stray from the overall mean (b,), by the square of their counts."""
    mean = sums.sum(axis=0) / counts.sum(axis=0)
    return np.asarray(((sums - mean * counts) ** 2).sum(axis=0) / (counts**2).sum(axis=0), dtype=np.float64)


def with_spread(variance: Floats, borrowed: Floats) -> Floats:
    """A variance; what is borrowed where there is none."""
    return np.where(variance <= _NO_SPREAD * borrowed, borrowed, variance)
