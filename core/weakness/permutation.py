"""Slices compared with the rest by permutation of whole clusters: exact where values do not depend on slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Codes, Floats
from core.statistics.exact_sums import exact_values
from core.weakness.by_size import ValuesBySize
from core.weakness.membership import Clusters, Membership, Partition, by_content, contiguous, joined
from core.weakness.studentised import Differences, differences
from core.weakness.tail_bound import lower_tail_bound

DRAWS = 9_999
FIRST_DRAWS = 999
"""All slices see these; their quantiles give the intervals."""
ENOUGH = 100
"""A tail is settled when so many permutations have been at least as extreme. Besag & Clifford 1991."""
_MOST_NUMBERS, _AT_A_TIME = 4e7, 2e6
LARGE = int(_MOST_NUMBERS / FIRST_DRAWS)
"""Of more values than this there would be no draws beyond the first: what follows from n, mean and squares of a slice
is enough then, see `by_size`."""
_TIE = 1e-9
_SURE = 1e-6
"""Where the bound of a tail is below this, more permutations would tell nothing."""
_SEED = 20_260_101


@dataclass(frozen=True, slots=True, eq=False)
class PermutationTest:
    """Of k slices: two-sided p, the ends of the interval of the difference; NaN where not tested."""

    p: Floats
    low: Floats
    high: Floats


def permutation_tests(
    values: Floats, partitions: Sequence[Partition], *, cases: Codes | None = None, level: float = 0.95
) -> list[PermutationTest]:
    """Each tested slice of each partition against all other values (N,).

    The statistic is the studentised difference of means (Chung & Romano 2013): under values that are exchangeable
    between slices p is exact, at any n; where only the means are equal and variances are not, it holds for large n.
    `cases` (N,) name what is independent of one another: its values move as a whole, and change places within it.
    With unlike numbers of values, a larger cluster lends some of its values, a smaller one repeats its own.
    p is twice the smaller tail, at most 1, by as many of `DRAWS` permutations as settle it (Besag & Clifford 1991);
    where none comes near, no more than a bound of the tail. The interval inverts the test by the quantiles of the
    permuted statistic. Draws depend on the number of values alone, and rows are ordered by content: neither the order
    of rows, nor names, nor other partitions change a number. Of more than `LARGE` values the permuted statistic of a
    slice is that of random sets of its size (`by_size`), and of clusters of unlike sizes Student's t.
    """
    if cases is None:
        return _tests(values, partitions, None, level=level)
    constant = [_means_of_cases(values, cases, partition) for partition in partitions]
    whole = [reduced for reduced in constant if reduced is not None]
    split = [partition for partition, reduced in zip(partitions, constant, strict=True) if reduced is None]
    of_means = iter(_tests(whole[0][0], [reduced[1] for reduced in whole], None, level=level) if whole else [])
    of_rows = iter(_tests(values, split, cases, level=level) if split else [])
    return [next(of_rows) if reduced is None else next(of_means) for reduced in constant]


def _means_of_cases(values: Floats, cases: Codes, partition: Partition) -> tuple[Floats, Partition] | None:
    """The mean of each case and its slice, where cases are of one size and each lies in one slice; else None."""
    sizes = np.bincount(cases)
    if (sizes != sizes[0]).any():
        return None
    first = np.unique(cases, return_index=True)[1]
    codes = partition.codes[first]
    if (codes[cases] != partition.codes).any():
        return None
    return np.bincount(cases, weights=values) / sizes, Partition(codes, partition.tested)


def _tests(
    values: Floats, partitions: Sequence[Partition], cases: Codes | None, *, level: float
) -> list[PermutationTest]:
    if len(values) > LARGE:
        return _of_many(values, partitions, cases, level=level)
    spread = float(values.std()) if len(values) else 0.0
    scale = spread if spread > 0 else 1.0
    order, codes = by_content(values, cases, partitions)
    y = (values[order] - values.mean()) / scale if len(values) else values
    slices = joined(codes, partitions)
    clusters = None if cases is None else contiguous(cases[order])
    tested = _Tested(slices, y, clusters)
    p, low, high = tested.run(level) if slices.count else (np.zeros(0),) * 3
    return _apart(partitions, p, low * scale, high * scale)


def _of_many(
    values: Floats, partitions: Sequence[Partition], cases: Codes | None, *, level: float
) -> list[PermutationTest]:
    """Of so many values sets are drawn by size; clusters of unlike sizes are compared by t."""
    if cases is not None:
        order = np.lexsort((values, cases))
        ordered, clusters = values[order], contiguous(cases[order])
        return [
            _by_cluster_sums(ordered, Partition(part.codes[order], part.tested), clusters, level=level)
            for part in partitions
        ]
    if not partitions:
        return []
    exact = exact_values(values)
    of = [exact.moments(partition.codes, len(partition.tested)) for partition in partitions]
    # All together, since slices of one size share their draws.
    columns = zip(*((one.n.astype(np.float64), one.means(), one.squares_about_means()) for one in of), strict=True)
    n, mean, squares = (np.concatenate(column) for column in columns)
    tested = np.concatenate([partition.tested for partition in partitions])
    tests = ValuesBySize(values).tests(n, mean, squares, tested, level=level)
    cuts = np.cumsum([len(partition.tested) for partition in partitions])[:-1]
    found = [np.split(column, cuts) for column in (tests.p, tests.low, tests.high)]
    return [PermutationTest(*part) for part in zip(*found, strict=True)]


def _by_cluster_sums(values: Floats, partition: Partition, clusters: Clusters, *, level: float) -> PermutationTest:
    """The same statistic of values whose clusters stand one behind the other, held against Student's t with one degree
    of freedom fewer than clusters on the smaller side: what its permutation distribution tends to.
    Source: Liang & Zeger 1986; Chung & Romano 2013, theorem 3.1."""
    from scipy.special import stdtr, stdtrit

    columns = np.full((3, len(partition.tested)), np.nan)
    if partition.tested.any():
        slices = joined([partition.codes], [partition])
        found = differences(slices, values[:, None], clusters)
        degrees = np.zeros(slices.count) if found.degrees is None else found.degrees
        difference, half = found.difference[:, 0], stdtrit(degrees, 0.5 + level / 2) * found.error[:, 0]
        p = 2 * stdtr(degrees, -np.abs(found.statistic[:, 0]))
        columns[:, partition.tested] = p, difference - half, difference + half
    return PermutationTest(*columns)


def _apart(partitions: Sequence[Partition], p: Floats, low: Floats, high: Floats) -> list[PermutationTest]:
    found, start = [], 0
    for partition in partitions:
        end = start + int(partition.tested.sum())
        columns = np.full((3, len(partition.tested)), np.nan)
        columns[:, partition.tested] = np.stack([p[start:end], low[start:end], high[start:end]])
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
    """The slices of all partitions, with the values (N,) in their order by content."""

    slices: Membership
    values: Floats
    clusters: Clusters | None

    def run(self, level: float) -> tuple[Floats, Floats, Floats]:
        """p, and the interval of the difference."""
        found = differences(self.slices, self.values[:, None], self.clusters)
        observed = found.statistic[:, 0]
        slack = _TIE * (1 + np.abs(observed))
        below, above = _Tail(self.slices.count), _Tail(self.slices.count)
        bounds = np.ones((2, self.slices.count))
        first: list[Floats] = []
        rows, open_slices, drawn = np.arange(self.slices.count), self.slices, 0
        for values in self._arrangements():
            statistic = differences(open_slices, values, self.clusters).statistic
            below.add(rows, statistic <= (observed + slack)[rows, None], drawn)
            above.add(rows, statistic >= (observed - slack)[rows, None], drawn)
            drawn += values.shape[1]
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
        ends = _interval(found, np.concatenate(first, axis=1), level=level)
        return np.minimum(1.0, 2 * np.minimum(*tails)), *ends

    def _arrangements(self) -> Iterator[Floats]:
        """Permuted values, (N, b) each: first `FIRST_DRAWS` of them, then up to as many as time allows."""
        rng, rows = np.random.default_rng(_SEED), len(self.values)
        draws = max(FIRST_DRAWS, min(DRAWS, int(_MOST_NUMBERS / rows)))
        step = max(1, int(_AT_A_TIME / rows))
        for total in (FIRST_DRAWS, draws - FIRST_DRAWS):
            for start in range(0, total, step):
                size = min(step, total - start)
                places = _rows(rng, rows, size) if self.clusters is None else _by_cluster(rng, self.clusters, size)
                yield np.ascontiguousarray(self.values[places].T)

    def _bounds(self, tail: _Tail, sign: int) -> Floats:
        """A bound of the tail of each slice where no permutation was as extreme; elsewhere 1."""
        bounds = np.ones(self.slices.count)
        none = np.flatnonzero(tail.count == 0)
        if self.clusters is not None or not len(none):
            return bounds
        chosen, rows, y = self.slices.only(none), len(self.values), sign * self.values
        n, sums = chosen.n[:, 0], chosen.matrix() @ y
        smaller = n <= rows / 2  # a slice low is a rest high: the side with fewer values has the tighter bound
        rest_mean = (y.sum() - sums) / (rows - n)
        bounds[none[smaller]] = lower_tail_bound(y, n[smaller], (sums / n)[smaller])
        bounds[none[~smaller]] = lower_tail_bound(-y, (rows - n)[~smaller], -rest_mean[~smaller])
        return bounds


def _interval(found: Differences, permuted: Floats, *, level: float) -> tuple[Floats, Floats]:
    quantiles = np.quantile(permuted, [0.5 - level / 2, 0.5 + level / 2], axis=1, method="weibull")
    difference, error = found.difference[:, 0], found.error[:, 0]
    return difference - quantiles[1] * error, difference - quantiles[0] * error


def _rows(rng: np.random.Generator, rows: int, size: int) -> Codes:
    return rng.permuted(np.tile(np.arange(rows, dtype=np.intp), (size, 1)), axis=1)


def _by_cluster(rng: np.random.Generator, clusters: Clusters, size: int) -> Codes:
    """(size, N): the values of another cluster in the place of each cluster's, in random order."""
    number, rows = len(clusters.starts), len(clusters.of_row)
    shuffled = np.argsort(rng.random((size, rows)) + clusters.of_row, axis=1)
    donors = _rows(rng, number, size)[:, clusters.of_row]
    offset = np.arange(rows) - clusters.starts[clusters.of_row]
    return np.take_along_axis(shuffled, clusters.starts[donors] + offset % clusters.sizes[donors], axis=1)
