"""The difference of each slice's mean from the rest's, with its standard error, for many orders of the values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.weakness.membership import Clusters, Membership, indicator

_NO_SPREAD = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Of k slices under b arrangements of the values, (k, b) each; with clusters also the degrees of freedom (k,), one
    fewer than clusters on the side that has fewer."""

    difference: Floats
    error: Floats
    degrees: Floats | None = None

    @property
    def statistic(self) -> Floats:
        """The studentised difference; 0 where nothing spreads."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.error > 0, self.difference / self.error, 0.0)


def differences(slices: Membership, values: Floats, clusters: Clusters | None = None) -> Differences:
    """Each slice against all other rows, under each column of `values` (N, b).

    The error is that of Welch's t; with `clusters` it comes from sums over them (Liang & Zeger 1986), and what a
    cluster adds to slice and rest cancels. A side whose values do not differ borrows the variance of all of them.
    """
    return _of_rows(slices, values) if clusters is None else _of_clusters(slices, values, clusters)


def _of_rows(slices: Membership, values: Floats) -> Differences:
    matrix, n, rows = slices.matrix(), slices.n, len(values)
    total, total_squares = values.sum(axis=0), (values**2).sum(axis=0)
    sums, squares = matrix @ values, matrix @ values**2
    mean, rest = sums / n, (total - sums) / (rows - n)
    inside, outside = squares - sums * mean, total_squares - squares - (total - sums) * rest
    spread = total_squares / rows - (total / rows) ** 2
    variance = _with_spread(inside / (n - 1) / n, spread / n) + _with_spread(
        outside / (rows - n - 1) / (rows - n), spread / (rows - n)
    )
    return Differences(mean - rest, np.sqrt(variance))


def _of_clusters(slices: Membership, values: Floats, clusters: Clusters) -> Differences:
    n, rows, k = slices.n, float(len(values)), slices.count
    number = len(clusters.starts)
    # These rise: the rows of a slice do, and with them their clusters.
    keys = slices.slices * number + clusters.of_row[slices.members]
    begins = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    pair, place = keys[begins], np.cumsum(begins) - 1
    where, cluster = np.divmod(pair, number)
    n_pair = np.bincount(place, minlength=len(pair)).astype(np.float64)[:, None]
    by_slice = indicator(where, np.arange(len(pair)), (k, len(pair)))
    sums_pair = indicator(place, slices.members, (len(pair), len(values))) @ values
    sizes = clusters.sizes.astype(np.float64)[:, None]
    of_cluster = np.add.reduceat(values, clusters.starts, axis=0)
    total = of_cluster.sum(axis=0)
    sums = by_slice @ sums_pair
    others = rows - n
    mean, rest = sums / n, (total - sums) / others
    inside = sums_pair - n_pair * mean[where]
    whole = of_cluster[cluster] - sizes[cluster] * rest[where]
    outside = whole - inside - n_pair * (mean - rest)[where]
    everywhere = (of_cluster**2).sum(axis=0) - 2 * rest * (of_cluster * sizes).sum(axis=0) + rest**2 * (sizes**2).sum()
    outside_squares = np.maximum(everywhere + by_slice @ (outside**2 - whole**2), 0.0)
    inside_cases = (by_slice @ np.ones(len(pair)))[:, None]
    rest_cases = number - (by_slice @ (sizes[cluster] == n_pair).astype(np.float64)).reshape(-1, 1)
    factor, rest_factor = inside_cases / (inside_cases - 1), rest_cases / (rest_cases - 1)
    spread = ((of_cluster - sizes * total / rows) ** 2).sum(axis=0) / rows
    own = factor * (by_slice @ inside**2) / n**2
    others_own = rest_factor * outside_squares / others**2
    shared = np.sqrt(factor * rest_factor) * (by_slice @ (inside * outside)) / (n * others)
    lent = _with_spread(own, spread / n) + _with_spread(others_own, spread / others)
    variance = np.maximum(lent - 2 * shared, _NO_SPREAD * lent)
    return Differences(mean - rest, np.sqrt(variance), np.minimum(inside_cases, rest_cases)[:, 0] - 1)


def _with_spread(variance: Floats, borrowed: Floats) -> Floats:
    return np.where(variance <= _NO_SPREAD * borrowed, borrowed, variance)
