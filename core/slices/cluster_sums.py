"""The statistic of slices that have parts of clusters, from sums over the clusters that each touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.membership import Clusters, Membership
from hcat.core.slices.studentised import with_spread

COLUMNS = 9


def columns_of(t: Floats, n: Floats, s: Floats, m: Floats) -> list[Floats]:
    """The columns that are added up over touched clusters: t, n, t², t·n, n², and t·s, t·m, n·s, n·m.

    t and n are the sum and size of a cluster's part in the slice, s and m those of all of it."""
    return [t, n, t * t, t * n, n * n, t * s, t * m, n * s, n * m]


@dataclass(frozen=True, slots=True, eq=False)
class AllClusters:
    """Sums over all clusters of a run, whose values have mean 0: of s and m, and of s², s · m and m². Numbers, or one
    for each of several arrangements."""

    sums: Floats
    size: Floats
    ss: Floats
    sm: Floats
    mm: Floats

    @classmethod
    def of(cls, s: Floats, m: Floats) -> AllClusters:
        """Sums over the clusters in the last axis."""
        return cls(s.sum(axis=-1), m.sum(axis=-1), (s * s).sum(axis=-1), (s * m).sum(axis=-1), (m * m).sum(axis=-1))

    def statistic(self, added: Floats, touched: Floats, in_rest: Floats) -> Floats:
        """The studentised difference of slices from their rests, as `differences` has it: by the sums of `columns_of`
        (9, …), and how many clusters slice and rest touch."""
        t, n, tt, tn, nn, ts, tm, ns, nm = added
        others = self.size - n
        with np.errstate(divide="ignore", invalid="ignore"):
            mean, rest = t / n, (self.sums - t) / others
            inside = np.maximum(tt - 2 * mean * tn + mean**2 * nn, 0.0)
            parts = tt - 2 * rest * tn + rest**2 * nn - 2 * (ts - rest * (tm + ns) + rest**2 * nm)
            outside = np.maximum(self.ss - 2 * rest * self.sm + rest**2 * self.mm + parts, 0.0)
            shared = ts - tt - rest * (tm - tn) - mean * (ns - tn) + mean * rest * (nm - nn)
            factor, rest_factor = touched / (touched - 1), in_rest / (in_rest - 1)
            centre = self.sums / self.size
            spread = (self.ss - 2 * centre * self.sm + centre**2 * self.mm) / self.mm
            left = np.maximum(self.mm + nn - 2 * nm, 0.0)
            lent = with_spread(factor * inside / n**2, spread * nn / n**2) + with_spread(
                rest_factor * outside / others**2, spread * left / others**2
            )
            variance = lent - 2 * np.sqrt(factor * rest_factor) * shared / (n * others)
            return np.asarray((mean - rest) / np.sqrt(np.maximum(variance, 1e-10 * lent)), dtype=np.float64)


def relabelled(
    slices: Membership, rows: Codes, values: Floats, sizes: Floats, weights: Floats | None, clusters: Clusters
) -> Floats:
    """The statistic (k, b) of slices after rearrangement, where their places (N,) have these rows (b, N) each, of all
    clusters. It uses the values (N,) of rows, by their sizes (N,), and by the weights of places where there are
    some."""
    draws, number = len(rows), len(clusters.starts)
    w = 1.0 if weights is None else weights
    y, m, cluster = w * (values * sizes)[rows], w * sizes[rows], clusters.of_row[rows]
    whole = (np.arange(draws)[:, None] * number + cluster).ravel()
    of_all, of_size = (
        np.bincount(whole, weights=each.ravel(), minlength=draws * number).astype(np.float64) for each in (y, m)
    )
    slice_of = np.arange(draws)[:, None] * slices.count + slices.slices
    keys = (slice_of * number + cluster[:, slices.members]).ravel()
    order = np.argsort(keys)
    ordered = keys[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    t, n = (np.add.reduceat(each[:, slices.members].ravel()[order], begins) for each in (y, m))
    where, at = np.divmod(ordered[begins], number)
    place = where // slices.count * number + at
    s, size = of_all[place], of_size[place]
    cells = draws * slices.count
    added = np.stack([np.bincount(where, weights=each, minlength=cells) for each in columns_of(t, n, s, size)])
    alone = np.bincount(where[np.abs(size - n) <= 1e-10 * size], minlength=cells).astype(np.float64)
    shape = (draws, slices.count)
    run = AllClusters.of(of_all.reshape(draws, 1, number), of_size.reshape(draws, 1, number))
    touched = np.bincount(where, minlength=cells).astype(np.float64).reshape(shape)
    return run.statistic(added.reshape(COLUMNS, *shape).astype(np.float64), touched, number - alone.reshape(shape)).T
