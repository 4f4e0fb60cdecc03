"""Slices compared with the rest where values have clusters or weights: by permutation of what is exchangeable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.cluster_sums import relabelled
from hcat.core.slices.drawn_sets.of_units import MovingUnits, tests_of_alike, tests_of_split
from hcat.core.slices.drawn_sets.of_values import ValuesAlone
from hcat.core.slices.drawn_sets.tail_bound import weighted_tail_bound
from hcat.core.slices.draws import FIRST_DRAWS, ROWS_OF_SPLIT_CLUSTERS, UNITS_OF_UNLIKE_SIZES, permutations_of
from hcat.core.slices.membership import Clusters, Membership, Partition, by_content, contiguous, joined
from hcat.core.slices.studentised import Arranged, Differences, differences
from hcat.core.slices.units import Ends, Units, larger

ENOUGH = 100
"""A tail is settled when so many permutations have been at least as extreme. Besag & Clifford 1991."""
_AT_A_TIME = 2e6
_TIE = 1e-9
_SURE = 1e-6
"""Bound on a tail below which more permutations would add nothing."""
_SEED = 20_260_101


@dataclass(frozen=True, slots=True, eq=False)
class PermutationTest:
    """Tests of k slices: two-sided p, difference from the rest, the ends of its interval; NaN where not tested."""

    p: Floats
    difference: Floats
    low: Floats
    high: Floats


def permutation_tests(
    values: Floats,
    partitions: Sequence[Partition],
    *,
    cases: Codes | None = None,
    weights: Floats | None = None,
    level: float = 0.95,
) -> list[PermutationTest]:
    """Each tested slice of each partition against all other values (N,), by `weights` (N,) where these are given.

    The statistic is the studentised difference of (Hájek's) means (Chung & Romano 2013). Two things may be exchangeable
    where nothing depends on a slice: clusters with all that is theirs, their size and weights too; or values alone,
    while sizes and weights stay where they are, as where a slice has weights of its own. p is the larger of the two
    tests: it is exact where either holds, and for large n where only the means are equal. Where sizes and weights are
    alike, the two are one. `cases` (N,) number, from 0 without a gap, what is independent of one another: all values of
    one move together. Where its values lie in several slices, they are shared out at the place they move to as those
    that lay there; that slices take rows of all cases one by one is then exchangeable as well, and p no smaller than
    that of this test. p is twice the smaller tail, at most 1; where no draw comes near, no more than a bound of the
    tail. The interval inverts the test by the quantiles of the drawn statistic. Draws depend on the values and their
    number alone, and rows are ordered by content: neither the order of rows, nor names, nor other partitions change a
    number.

    Units that move with all that is theirs make a slice a random set of as many units, which is drawn as such
    (`drawn_sets`). Values that move alone, and parts of clusters, are permuted, by as many of `DRAWS` permutations as
    settle a tail (Besag & Clifford 1991); where that costs too much (`draws`), random sets replace these as well.
    """
    if cases is None:
        return _of_units(Units.of_rows(values, weights), partitions, level=level)
    first = np.zeros(int(cases.max(initial=-1)) + 1, dtype=np.intp)
    first[cases] = np.arange(len(cases))  # any row of each
    whole = [bool((part.codes[first][cases] == part.codes).all()) for part in partitions]
    rows = Units.of_rows(values, weights)
    units = Units(*(np.bincount(cases, weights=each).astype(np.float64) for each in (rows.sums, rows.sizes)))
    of_units = [
        Partition(part.codes[first], part.tested) for part, is_whole in zip(partitions, whole, strict=True) if is_whole
    ]
    split = [part for part, is_whole in zip(partitions, whole, strict=True) if not is_whole]
    of_whole = iter(_of_units(units, of_units, level=level) if of_units else [])
    of_split = iter(_of_split(values, cases, weights, split, level=level) if split else [])
    return [next(of_whole) if is_whole else next(of_split) for is_whole in whole]


def _of_units(units: Units, partitions: Sequence[Partition], *, level: float) -> list[PermutationTest]:
    if units.alike:
        return _by_partition(partitions, *tests_of_alike(units.sums / units.sizes, partitions, level=level), scale=1.0)
    means, sizes, scale = units.standardised()
    moving = MovingUnits.of(means, sizes, partitions)
    if len(means) > UNITS_OF_UNLIKE_SIZES:
        values, places = moving.units.sums / moving.units.sizes, moving.units.sizes
        alone = ValuesAlone(values - values.mean(), places).tests(moving.rows, moving.observed.statistic, level=level)
        found = larger(moving.tests(level=level), moving.observed.ends(*alone))
        return _by_partition(partitions, *found, scale=scale)
    order, codes = by_content([means, sizes], None, partitions)
    tested = _Tested(joined(codes, partitions), Arranged.once(means[order]), sizes[order], None)
    return _by_partition(partitions, *larger(moving.tests(level=level), tested.run(level)), scale=scale)


def _of_split(
    values: Floats, cases: Codes, weights: Floats | None, partitions: Sequence[Partition], *, level: float
) -> list[PermutationTest]:
    if len(values) > ROWS_OF_SPLIT_CLUSTERS:
        return _by_partition(partitions, *tests_of_split(values, cases, weights, partitions, level=level), scale=1.0)
    means, sizes, scale = Units.of_rows(values, weights).standardised()
    order, codes = by_content([means, sizes], cases, partitions)
    means, sizes, clusters = means[order], sizes[order], contiguous(cases[order])
    slices, moved = joined(codes, partitions), Arranged.once(means * sizes, sizes)
    found = _Tested(slices, moved, None, clusters).run(level)
    if weights is not None or (clusters.sizes != clusters.sizes[0]).any():
        found = larger(found, _Tested(slices, moved, None, clusters, one_by_one=True).run(level))
    if weights is not None:
        found = larger(found, _Tested(slices, Arranged.once(means), sizes, clusters, one_by_one=True).run(level))
    return _by_partition(partitions, *found, scale=scale)


def _by_partition(
    partitions: Sequence[Partition], p: Floats, difference: Floats, low: Floats, high: Floats, *, scale: float
) -> list[PermutationTest]:
    found, start = [], 0
    for partition in partitions:
        end = start + int(partition.tested.sum())
        columns = np.full((4, len(partition.tested)), np.nan)
        of_slices = (p[start:end], *(each[start:end] * scale for each in (difference, low, high)))
        columns[:, partition.tested] = np.stack(of_slices)
        found.append(PermutationTest(*columns))
        start = end
    return found


class _Tail:
    """Counts, by slice, permutations at least as extreme on one side, and after how many the tail was settled."""

    def __init__(self, slices: int) -> None:
        self.count = np.zeros(slices, dtype=np.intp)
        self.settled_after = np.zeros(slices, dtype=np.intp)

    def add(self, rows: Codes, extreme: np.ndarray[tuple[int, int], np.dtype[np.bool_]], drawn: int) -> None:
        running = self.count[rows, None] + np.cumsum(extreme, axis=1)
        now = (self.settled_after[rows] == 0) & (running[:, -1] >= ENOUGH)
        self.settled_after[rows[now]] = drawn + 1 + np.argmax(running[now] >= ENOUGH, axis=1)
        self.count[rows] = running[:, -1]

    def p(self, drawn: int) -> Floats:
        settled = self.settled_after > 0
        return np.where(settled, ENOUGH / np.maximum(self.settled_after, 1), (self.count + 1) / (drawn + 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """The slices of all partitions, and what lies at the places (N,) in their order by content, whose `weights` stay.

    With `clusters` all of a cluster moves, else the value at each place. `one_by_one` slices take rows of all clusters.
    """

    slices: Membership
    observed: Arranged
    weights: Floats | None
    clusters: Clusters | None
    one_by_one: bool = False

    def run(self, level: float) -> Ends:
        """p, the difference and its interval."""
        if not self.slices.count:
            return (np.zeros(0),) * 4
        found = self._differences(self.slices, self.observed)
        observed = found.statistic[:, 0]
        if self.one_by_one:  # by the same sums as its draws, since ties count
            observed = self._of_rows(self.slices, rows=np.arange(len(self.observed.sums))[None])[:, 0]
        slack = _TIE * (1 + np.abs(observed))
        below, above = _Tail(self.slices.count), _Tail(self.slices.count)
        bounds = np.ones((2, self.slices.count))
        first: list[Floats] = []
        rows, open_slices, drawn = np.arange(self.slices.count), self.slices, 0
        for drawn_of in self._draws():
            statistic = drawn_of(open_slices)
            # What leaves a slice empty counts as extreme on both sides.
            below.add(rows, ~(statistic > (observed + slack)[rows, None]), drawn)
            above.add(rows, ~(statistic < (observed - slack)[rows, None]), drawn)
            drawn += statistic.shape[1]
            if drawn <= FIRST_DRAWS:
                first.append(statistic)
            if drawn == FIRST_DRAWS:
                bounds = np.stack([self._bounds(below, 1), self._bounds(above, -1)])
            if drawn >= FIRST_DRAWS:
                unsettled = (below.settled_after == 0) | (above.settled_after == 0)
                rows = np.flatnonzero(unsettled & (bounds.min(axis=0) > _SURE))
                open_slices = self.slices.only(rows)
            if not len(rows):
                break
        tails = [
            np.where(tail.count == 0, np.minimum(tail.p(drawn), bound), tail.p(drawn))
            for tail, bound in zip((below, above), bounds, strict=True)
        ]
        low, high = _interval(found, np.concatenate(first, axis=1), level=level)
        return np.minimum(1.0, 2 * np.minimum(*tails)), found.difference[:, 0], low, high

    def _differences(self, slices: Membership, arranged: Arranged) -> Differences:
        return differences(slices, arranged, weights=self.weights, clusters=self.clusters)

    def _draws(self) -> Iterator[Callable[[Membership], Floats]]:
        """Functions that return the permuted statistics of slices, (k, b) each: first `FIRST_DRAWS` of them, then up to
        as many as time allows."""
        rows = len(self.observed.sums)
        rng, sums = np.random.default_rng(_SEED), self.observed.sums[:, 0]
        draws = permutations_of(rows)
        step = max(1, int(_AT_A_TIME / max(rows, len(self.slices.members) if self.one_by_one else 0)))
        for total in (FIRST_DRAWS, draws - FIRST_DRAWS):
            for start in range(0, total, step):
                size = min(step, total - start)
                if self.one_by_one:
                    yield partial(self._of_rows, rows=_rows(rng, rows, size))
                    continue
                if self.clusters is not None:
                    arranged = _by_cluster(rng, self.observed, self.clusters, size)
                else:
                    places = _rows(rng, rows, size)
                    arranged = Arranged(np.ascontiguousarray(sums[places].T), self.observed.counts)
                yield partial(self._statistics, arranged=arranged)

    def _statistics(self, slices: Membership, *, arranged: Arranged) -> Floats:
        return self._differences(slices, arranged).statistic

    def _of_rows(self, slices: Membership, *, rows: Codes) -> Floats:
        if self.clusters is None:
            raise ValueError("slices take rows one by one of clusters only")
        sums, counts = self.observed.sums[:, 0], self.observed.counts[:, 0]
        return relabelled(slices, rows, sums / counts, counts, self.weights, self.clusters)

    def _bounds(self, tail: _Tail, sign: int) -> Floats:
        """A bound of the tail of each slice where no permutation was as extreme; elsewhere 1."""
        bounds = np.ones(self.slices.count)
        if self.clusters is None and self.weights is not None:  # clusters in several slices have no bound
            for place in np.flatnonzero(tail.count == 0).tolist():
                bounds[place] = self._bound(place, self.weights, sign * self.observed.sums[:, 0])
        return bounds

    def _bound(self, place: int, weights: Floats, values: Floats) -> float:
        """Bound of the tail of one slice; by its rest where that has fewer units."""
        inside = np.zeros(len(values), dtype=np.bool_)
        inside[self.slices.members[self.slices.slices == place]] = True
        smaller = inside if inside.sum() <= len(values) / 2 else ~inside
        strays = values - float(np.average(values[smaller], weights=weights[smaller]))
        return weighted_tail_bound(strays if smaller is inside else -strays, weights[smaller])


def _interval(found: Differences, permuted: Floats, *, level: float) -> tuple[Floats, Floats]:
    permuted = np.where(np.isnan(permuted), 0.0, permuted)
    quantiles = np.quantile(permuted, [0.5 - level / 2, 0.5 + level / 2], axis=1, method="weibull")
    difference, error = found.difference[:, 0], found.error[:, 0]
    return difference - quantiles[1] * error, difference - quantiles[0] * error


def _rows(rng: np.random.Generator, rows: int, size: int) -> Codes:
    return rng.permuted(np.tile(np.arange(rows, dtype=np.intp), (size, 1)), axis=1)


def _by_cluster(rng: np.random.Generator, of: Arranged, clusters: Clusters, size: int) -> Arranged:
    """The values of each cluster moved to the place of another one, in random order at its rows: (N, size). They come
    one after another, and again from the first where the place has fewer rows."""
    number, rows = len(clusters.starts), len(clusters.of_row)
    shuffled = np.argsort(rng.random((size + 1, rows)) + clusters.of_row, axis=1)
    moving, row = shuffled[1:], shuffled[:-1]
    place = _rows(rng, number, size)[:, clusters.of_row]
    offset = np.arange(rows) - clusters.starts[clusters.of_row]
    target = np.take_along_axis(row, clusters.starts[place] + offset % clusters.sizes[place], axis=1)
    flat = (target + rows * np.arange(size)[:, None]).ravel()
    sums, counts = (
        np.bincount(flat, weights=each[:, 0][moving].ravel(), minlength=size * rows).reshape(size, rows).T
        for each in (of.sums, of.counts)
    )
    return Arranged(np.ascontiguousarray(sums, np.float64), np.ascontiguousarray(counts, np.float64))
