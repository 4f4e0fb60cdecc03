"""Values under many refitted maps, computed in blocks: for a million samples under 100 maps they would take 0.8 GB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from hcat.core.arrays import Codes, Floats, Ints

MADE_AT_A_TIME = 8_192
"""Rows of values that are computed at a time."""
ADDED_AT_A_TIME = 1_000_000
"""Values of one map that are added at a time, each counted for every partition."""


@dataclass(frozen=True, slots=True, eq=False)
class Refitted:
    """The values of B maps at the scores (n, m) of n samples. A map transforms each row of scores by itself."""

    scores: Floats
    maps: tuple[Callable[[Floats], Floats], ...]
    _totals: list[Floats] = field(default_factory=list, init=False, repr=False)
    """The unweighted sum of the values under each map (B,), once computed, so that the mean needs no pass of its own.

    The order of summation changes the last digits, so that for one table an object is always used in the same order."""

    @property
    def count(self) -> int:
        """The number of maps."""
        return len(self.maps)

    def __len__(self) -> int:
        return len(self.scores)

    def at(self, rows: Codes) -> Refitted:
        """The same maps at these rows of samples, in their order."""
        return Refitted(self.scores[rows], self.maps)

    def values(self) -> Floats:
        """All values, (B, n); NaN where a map has none."""
        return np.stack([of(self.scores) for of in self.maps])

    def sums(self, partitions: Sequence[tuple[Codes, int]], weights: Floats | None = None) -> list[Floats]:
        """Sums of the values over the classes of each partition, (B, classes), weighted by `weights` (n,) if given.

        A partition is the class of each sample (n,), from 0, and the number of classes. Samples are added in the order
        of a single score, block by block; sums in other orders differ by rounding."""
        from scipy.sparse import csc_array

        starts = np.cumsum([0, *(size for _, size in partitions)])
        sums = np.zeros((int(starts[-1]), self.count))
        order, first = _alike(self.scores)
        for rows, begins in _blocks(order, first, max(ADDED_AT_A_TIME // max(len(partitions), 1), 1)):
            values = np.stack([of(self.scores[rows[begins]]) for of in self.maps], axis=1)
            # A column for each row of values, with the classes of all samples that have these values.
            classes = np.stack([codes[rows] + start for (codes, _), start in zip(partitions, starts, strict=False)])
            each = np.ones(len(rows)) if weights is None else weights[rows]
            ends = np.append(begins, len(rows)) * len(partitions)
            entries = (np.repeat(each, len(partitions)), classes.T.ravel(), ends)
            sums += csc_array(entries, shape=(len(sums), len(begins))) @ values
        found = [part.T for part in np.split(sums, starts[1:-1])]
        if weights is None and found:
            self._totals[:] = [found[0].sum(axis=1)]
        return found

    def means(self, weights: Floats | None = None) -> Floats:
        """The mean of the values under each map (B,), weighted by `weights` (n,) if given."""
        if weights is None and self._totals:
            return np.asarray(self._totals[0] / len(self), dtype=np.float64)
        [sums] = self.sums([(np.zeros(len(self), dtype=np.intp), 1)], weights)
        return np.asarray(sums[:, 0] / (len(self) if weights is None else weights.sum()), dtype=np.float64)


def _alike(scores: Floats) -> tuple[Ints, Ints]:
    """An order of the rows (n,), and the positions at which the row differs from the one before.

    Equal scores of a single metric are adjacent; rows of several metrics are used one by one."""
    rows = np.arange(len(scores))
    if scores.shape[1] != 1:
        return rows, rows
    order = np.argsort(scores[:, 0], kind="stable")
    ordered = scores[order, 0]
    return order, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(order) else rows


def _blocks(order: Ints, first: Ints, most: int) -> Iterator[tuple[Ints, Ints]]:
    """The rows in blocks of a limited size, each with the positions at which its distinct rows begin."""
    start = 0
    while start < len(order):
        after = int(np.searchsorted(first, start, side="right"))
        last = after + MADE_AT_A_TIME - 1
        end = min(start + most, int(first[last]) if last < len(first) else len(order))
        begins = first[after : np.searchsorted(first, end)]
        yield order[start:end], np.append(start, begins) - start
        start = end
