"""The permutation test of clusters or weights: slices compared with random sets of units.

Where clusters move with all that is theirs, a slice is a random set of as many clusters, and slices of as many share
their draws, as `by_size` has it for values. docs/decisions/0061.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.cluster_sums import AllClusters, columns_of
from hcat.core.slices.comparison import Moments
from hcat.core.slices.drawn_sets.by_size import Blocks, ValuesBySize, against_sets
from hcat.core.slices.drawn_sets.tail_bound import weighted_tail_bound
from hcat.core.slices.membership import Clusters, Membership, Partition, contiguous, joined
from hcat.core.slices.studentised import Arranged, differences
from hcat.core.slices.units import Ends, Units
from hcat.core.statistics.exact_sums import exact_values

_SHARES = np.append(2.0 ** -np.arange(0, 5, 0.5), 0.0)
"""Shares of a cluster that a slice is assumed to contain; the last means a single value."""
_SEED = 20_260_104


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Tested slices (k,): the difference from the rest with its standard error, how many units each touches, and which
    part of these it has."""

    difference: Floats
    error: Floats
    units: Codes
    share: Floats

    @property
    def statistic(self) -> Floats:
        """The studentised difference; 0 where nothing spreads."""
        return np.where(self.error > 0, self.difference / np.where(self.error > 0, self.error, 1.0), 0.0)

    def ends(self, p: Floats, quantiles: Floats) -> Ends:
        """By the quantiles (2, k) of the statistic where there is no difference."""
        low, high = (self.difference - quantile * self.error for quantile in quantiles[::-1])
        return p, self.difference, low, high


def tests_of_alike(values: Floats, partitions: Sequence[Partition], *, level: float) -> Ends:
    """Each tested slice of all partitions of units that count alike, against all others: they are values of their own.
    All slices together, since those of one size share their draws."""
    exact = exact_values(values)
    of = [Moments.exact(exact.moments(part.codes, len(part.tested))) for part in partitions]
    tested = np.concatenate([part.tested for part in partitions])
    n, mean, squares = (np.concatenate([getattr(one, k) for one in of])[tested] for k in ("n", "mean", "squares"))
    tests = ValuesBySize(values).tests(n, mean, squares, np.ones(len(n), dtype=np.bool_), level=level)
    others = np.maximum(len(values) - n, 1)
    return tests.p, mean - (float(values.sum()) - n * mean) / others, tests.low, tests.high


@dataclass(frozen=True, slots=True, eq=False)
class MovingUnits:
    """Units (U,) that move with all that is theirs, sorted by content; the tested slices of all partitions as they are
    observed, and the units of each."""

    units: Units
    observed: Observed
    rows: list[Codes]

    @classmethod
    def of(cls, means: Floats, sizes: Floats, partitions: Sequence[Partition]) -> MovingUnits:
        """Units with these means and sizes (U,), each in one slice of each partition."""
        order = np.lexsort((sizes, means))
        means, sizes = means[order], sizes[order]
        slices = [joined([part.codes[order]], [part]) for part in partitions]
        observed = _together([_whole(each, Arranged.once(means * sizes, sizes)) for each in slices])
        rows = [each.members[each.slices == place] for each in slices for place in range(each.count)]
        return cls(Units(means * sizes, sizes), observed, rows)

    def tests(self, *, level: float) -> Ends:
        """Each tested slice against sets of as many units."""
        p, unseen, ends = _moving(self.observed, self.units, None, level=level)
        for place in np.flatnonzero(unseen).tolist():
            bound = _bound(self.units, self.rows[place], low=self.observed.difference[place] < 0)
            p[place] = min(p[place], bound)
        return self.observed.ends(p, ends)


def tests_of_split(
    values: Floats, cases: Codes, weights: Floats | None, partitions: Sequence[Partition], *, level: float
) -> Ends:
    """Each tested slice of values (N,) whose cases lie in several slices, against all others: by sets of as many cases
    that give as large a part of their values."""
    means, sizes, scale = Units.of_rows(values, weights).standardised()
    order = np.lexsort((sizes, means, cases))
    clusters, moved = contiguous(cases[order]), Arranged.once((means * sizes)[order], sizes[order])
    slices = [joined([part.codes[order]], [part]) for part in partitions]
    observed = _together([_split(each, moved, clusters) for each in slices])
    p, _, ends = _moving(observed, Units(moved.sums[:, 0], moved.counts[:, 0]), clusters, level=level)
    return _scaled(observed.ends(p, ends), scale)


def _scaled(found: Ends, scale: float) -> Ends:
    return (found[0], *(each * scale for each in found[1:]))  # type: ignore[return-value]


def _whole(slices: Membership, moved: Arranged) -> Observed:
    found = differences(slices, moved)
    return Observed(found.difference[:, 0], found.error[:, 0], slices.n[:, 0].astype(np.intp), np.ones(slices.count))


def _split(slices: Membership, moved: Arranged, clusters: Clusters) -> Observed:
    found = differences(slices, moved, clusters=clusters)
    number = len(clusters.starts)
    keys = slices.slices * number + clusters.of_row[slices.members]
    keys = keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]]  # they rise
    where, cluster = np.divmod(keys, number)
    touched = np.bincount(where, minlength=slices.count)
    share = slices.n[:, 0] / np.bincount(where, weights=clusters.sizes[cluster], minlength=slices.count)
    return Observed(found.difference[:, 0], found.error[:, 0], touched, share)


def _together(slices: Sequence[Observed]) -> Observed:
    columns = ([getattr(each, name) for each in slices] for name in Observed.__slots__)
    return Observed(*(np.concatenate(column) for column in columns))


def _bound(units: Units, inside: Codes, *, low: bool) -> float:
    """Bound on the two-sided p of a slice among sets of as many units: twice the bound of the smaller tail, by
    whichever of slice and rest has fewer units."""
    chosen = np.zeros(len(units.sums), dtype=np.bool_)
    chosen[inside] = True
    if 2 * len(inside) > len(chosen):
        chosen, low = ~chosen, not low
    mean = float(units.sums[chosen].sum() / units.sizes[chosen].sum())
    strays = units.sums - mean * units.sizes
    return 2 * weighted_tail_bound(strays if low else -strays, np.ones(int(chosen.sum())))


def _moving(
    observed: Observed, units: Units, clusters: Clusters | None, *, level: float
) -> tuple[Floats, Bools, Floats]:
    """p of each slice where clusters move with all that is theirs, whether no set was as extreme, and the quantiles."""
    p, unseen = np.ones(len(observed.units)), np.zeros(len(observed.units), dtype=np.bool_)
    ends = np.zeros((2, len(observed.units)))
    nearest = np.abs(observed.share[:, None] - _SHARES).argmin(axis=1)
    for place in np.unique(nearest).tolist():
        at = np.flatnonzero(nearest == place)
        sets = _Sets.of(units, clusters, float(_SHARES[place]))
        # Of whole clusters the side with fewer is the set; of halves the one with the lower mean.
        twice, statistic = 2 * observed.units[at], observed.statistic[at]
        swapped = ((twice > sets.units) | ((twice == sets.units) & (statistic > 0))) & (clusters is None)
        sizes = np.where(swapped, sets.units - observed.units[at], observed.units[at])
        sign = np.where(swapped, -1.0, 1.0)
        p[at], unseen[at], found = against_sets(
            sizes, sign * statistic, sets.statistics, level=level, blocks=sets.blocks
        )
        ends[:, at] = np.where(swapped, -found[::-1], found)
    return p, unseen, ends


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """Random sets of clusters that give a part of themselves: `blocks` of the sums of `columns_of`.

    `noise` is the mean variance of a part's sum for its cluster: sets of most clusters would else all have the same
    parts of these."""

    blocks: Blocks
    units: int
    run: AllClusters
    share: float
    noise: float

    @classmethod
    def of(cls, units: Units, clusters: Clusters | None, share: float) -> _Sets:
        """Random sets of units, or of the clusters of these."""
        s, m, t, n, noise = units.sums, units.sizes, units.sums, units.sizes, 0.0
        if clusters is not None:
            s, m = (np.add.reduceat(column, clusters.starts) for column in (units.sums, units.sizes))
            t, n, noise = (s, m, 0.0) if share == 1 else _parts(units, clusters, share)
        return cls(Blocks.of(columns_of(t, n, s, m)), len(s), AllClusters.of(s, m), share, noise)

    def statistics(self, sizes: Codes, width: int) -> Floats:
        """Statistics of random sets of so many clusters (r,), sorted within each: (r, draws)."""
        added = self.blocks.sets(sizes, width)
        k, units = sizes[:, None].astype(np.float64), float(self.units)
        if self.noise:
            rng = np.random.default_rng([_SEED, width])
            added[0] += np.sqrt(self.noise * k * k / units) * rng.standard_normal(added[0].shape)
        in_rest = units - k if self.share == 1 else np.full_like(k, units)
        statistic = self.run.statistic(added, k, in_rest)
        return np.sort(np.where(np.isnan(statistic), 0.0, statistic), axis=1)  # nothing spreads


def _parts(rows: Units, clusters: Clusters, share: float) -> tuple[Floats, Floats, float]:
    """The sum and size of a random part of each cluster's rows, one at least, and `_Sets.noise`."""
    rng = np.random.default_rng(_SEED)
    order = np.argsort(rng.random(len(rows.sums)) + clusters.of_row)
    wanted = np.floor(share * clusters.sizes + rng.random(len(clusters.sizes))).astype(np.intp)
    n = np.clip(wanted, 1, clusters.sizes)
    ends = clusters.starts + n
    t, size = (
        np.append(0.0, np.cumsum(column[order]))[ends] - np.append(0.0, np.cumsum(column[order]))[clusters.starts]
        for column in (rows.sums, rows.sizes)
    )
    t = t - size * (t.sum() / size.sum())  # the parts of all clusters together stray from nothing
    mean = np.add.reduceat(rows.sums, clusters.starts) / clusters.sizes
    squares = np.add.reduceat((rows.sums - mean[clusters.of_row]) ** 2, clusters.starts)
    within = squares / np.maximum(clusters.sizes - 1, 1)
    return t, size, float((n * (1 - n / clusters.sizes) * within).mean())
