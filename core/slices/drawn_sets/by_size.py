"""The permutation test of independent values: a slice of size n is compared with random subsets of size n.

Under permutation of values that are independent of one another a slice is a random set of its size, whichever slice it
is. So its n, mean and squares about the mean are all that the test needs of it, and slices of one size share their
draws. docs/decisions/0061.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.drawn_sets.tail_bound import Population
from hcat.core.slices.draws import draws_of, permutations_of
from hcat.core.slices.units import differ

BLOCK = 64
LEAST_BLOCKS = 16_000
"""Least number of blocks, from as many orders of the run as that takes: their spread then has 1 % error."""
_LEAST_OF_ORDER = 256
"""Blocks of one order: of few units a block has fewer of them."""
_AT_A_TIME = 4e6
_NO_SPREAD = 1e-10
_TIE = 1e-9
_SEED = 20_260_103


@dataclass(frozen=True, slots=True, eq=False)
class SizeTests:
    """Tests of k slices: two-sided p, and the ends of the interval of the difference from the rest; NaN where not
    tested."""

    p: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """Sets of values: n of each, their sum and their sum of squares. Shapes as they come; n is never 0, nor all."""

    n: Floats
    sums: Floats
    squares: Floats


class ValuesBySize:
    """The values (N,) of a run, from which sets of any size are drawn. Draws depend on the values alone: neither the
    order of rows nor other slices change a number."""

    def __init__(self, values: Floats) -> None:
        ordered = np.sort(values)
        self._centre, spread = (float(ordered.mean()), float(ordered.std())) if len(ordered) else (0.0, 0.0)
        self._scale = spread if spread > 0 else 1.0
        self._differ = differ(ordered)
        self._y = (ordered - self._centre) / self._scale
        self._total, self._total_squares = float(self._y.sum()), float(self._y @ self._y)

    @cached_property
    def _blocks(self) -> Blocks:
        return Blocks.of([self._y, self._y**2])

    def tests(self, n: Floats, mean: Floats, squares: Floats, tested: Bools, *, level: float = 0.95) -> SizeTests:
        """Each tested slice against all other values, by its n, mean and sum of squares about the mean (k,).

        The statistic is that of `differences`, the interval inverts the test; p counts all draws, or is the bound of a
        tail that none came near.
        """
        found = SizeTests(*(np.full(len(n), np.nan) for _ in range(3)))
        chosen = np.flatnonzero(tested)
        if not len(chosen):
            return found
        if not self._differ:
            found.p[chosen], found.low[chosen], found.high[chosen] = 1.0, 0.0, 0.0
            return found
        slices, swapped = self._smaller_sides(n[chosen], mean[chosen], squares[chosen])
        difference, error = self._studentised(slices)
        observed = _statistic(difference, error)
        sizes = slices.n.astype(np.intp)
        p, unseen, ends = against_sets(sizes, observed, self._drawn, level=level, blocks=self._blocks)
        found.p[chosen] = self._with_bounds(p, unseen, slices, difference)
        low, high = difference - ends[1] * error, difference - ends[0] * error
        found.low[chosen] = np.where(swapped, -high, low) * self._scale
        found.high[chosen] = np.where(swapped, -low, high) * self._scale
        return found

    def _smaller_sides(self, n: Floats, mean: Floats, squares: Floats) -> tuple[_Sets, Bools]:
        """The smaller of each slice and its rest, and whether that is the rest; of halves the one with the lower mean,
        so that both say the same."""
        sums = (mean - self._centre) / self._scale * n
        inside = squares / self._scale**2 + sums**2 / np.maximum(n, 1)
        rows = float(len(self._y))
        swapped = (2 * n > rows) | ((2 * n == rows) & (2 * sums > self._total))
        of_side = _Sets(
            np.where(swapped, rows - n, n),
            np.where(swapped, self._total - sums, sums),
            np.where(swapped, self._total_squares - inside, inside),
        )
        return of_side, np.asarray(swapped, dtype=np.bool_)

    def _studentised(self, of: _Sets) -> tuple[Floats, Floats]:
        """The difference from all other values and its error, as `studentised.differences` has them."""
        rows = float(len(self._y))
        others, other_sums = rows - of.n, self._total - of.sums
        mean, rest = of.sums / of.n, other_sums / others
        inside = np.maximum(of.squares - of.sums * mean, 0.0)
        outside = np.maximum(self._total_squares - of.squares - other_sums * rest, 0.0)
        spread = self._total_squares / rows - (self._total / rows) ** 2
        own = _with_spread(inside / (of.n - 1) / of.n, spread / of.n)
        return mean - rest, np.sqrt(own + _with_spread(outside / (others - 1) / others, spread / others))

    def _drawn(self, sizes: Codes, width: int) -> Floats:
        """The statistic of random sets of these sizes (r,), sorted within each: (r, draws)."""
        sums, squares = self._blocks.sets(sizes, width)
        difference, error = self._studentised(_Sets(sizes.astype(np.float64)[:, None], sums, squares))
        return np.sort(_statistic(difference, error), axis=1)

    def _with_bounds(self, p: Floats, unseen: Bools, slices: _Sets, difference: Floats) -> Floats:
        """p; where no draw came near a slice, no more than the bound of its tail."""
        least = p.copy()
        for sign, ordered in ((1.0, self._y), (-1.0, -self._y[::-1])):
            places = np.flatnonzero(unseen & (sign * difference < 0))
            if len(places):
                means = sign * slices.sums[places] / slices.n[places]
                least[places] = 2 * Population(ordered).lower_tail_bound(slices.n[places], means)
        return np.minimum(p, least)


def against_sets(
    sizes: Codes, observed: Floats, draw: Callable[[Codes, int], Floats], *, level: float, blocks: Blocks
) -> tuple[Floats, Bools, Floats]:
    """Two-sided p of observed statistics (k,) of slices of these sizes (k,) among those of random sets. Further whether
    no set was as extreme, and the ends of the middle `level` of the sets (2, k). `draw` makes the sorted statistics of
    sets of some sizes (r,), as (r, draws), of a number of blocks; slices of one size share them."""
    p, ends = np.ones(len(sizes)), np.zeros((2, len(sizes)))
    unseen = np.zeros(len(sizes), dtype=np.bool_)
    widths = _widths(sizes, blocks.block)
    for width in np.unique(widths).tolist():
        distinct = np.unique(sizes[widths == width])
        step = max(1, int(_AT_A_TIME / blocks.draws(width)))
        for part in (distinct[start : start + step] for start in range(0, len(distinct), step)):
            places = np.flatnonzero((sizes >= part[0]) & (sizes <= part[-1]))
            row, drawn = np.searchsorted(part, sizes[places]), draw(part, width)
            p[places], unseen[places] = two_sided(drawn, row, observed[places])
            ends[:, places] = quantiles(drawn, level)[:, row]
    return p, unseen, ends


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Cumulated sums of c columns of units within each block of a few random orders (c, orders, blocks, in a block).
    Any of an order's blocks, and part of one more, are a random set."""

    sums: Floats

    @property
    def block(self) -> int:
        """Units of a block."""
        return int(self.sums.shape[-1])

    @classmethod
    def of(cls, columns: Sequence[Floats]) -> Blocks:
        """Blocks of columns (U,) each."""
        block = max(1, min(BLOCK, len(columns[0]) // _LEAST_OF_ORDER))
        blocks = len(columns[0]) // block
        orders = 1 if block == 1 else -(-LEAST_BLOCKS // max(blocks, 1))  # single units need no other order
        sums = np.empty((len(columns), orders, blocks, block))
        for order in range(orders):
            rows = np.random.default_rng([_SEED, order]).permutation(len(columns[0]))[: blocks * block]
            for place, column in enumerate(columns):
                np.cumsum(column[rows].reshape(blocks, block), axis=1, out=sums[place, order])
        return cls(sums)

    def draws(self, width: int) -> int:
        """Number of sets of at most `width` blocks that are drawn: at least as many as permutations would be."""
        _, _, blocks, block = self.sums.shape
        return max(draws_of(width * block), permutations_of(blocks * block))

    def sets(self, sizes: Codes, width: int) -> Floats:
        """Sums (c, r, draws) of random sets of these sizes (r,), of at most `width` blocks each."""
        _, orders, blocks, block = self.sums.shape
        draws, width = self.draws(width), min(width, blocks)
        at_once = blocks // width
        wanted = -(-draws // orders)
        whole, more = np.divmod(sizes, block)
        found = []
        for order in range(orders):
            rng = np.random.default_rng([_SEED, width, order])
            shuffled = rng.permuted(np.tile(np.arange(blocks), (-(-wanted // at_once), 1)), axis=1)
            chosen = shuffled[:, : at_once * width].reshape(-1, width)[:wanted]
            found.append(np.stack([_prefix_sums(column[order], chosen, whole, more) for column in self.sums]))
        return np.concatenate(found, axis=2)


def _prefix_sums(within: Floats, chosen: Codes, whole: Codes, more: Codes) -> Floats:
    """The sums (r, m) of so many `whole` blocks (r,) of each row of blocks `chosen` (m, width), and of the first `more`
    values (r,) of the next."""
    cumulated = np.cumsum(within[chosen, -1], axis=1).T
    full = np.where(whole[:, None] > 0, cumulated[np.maximum(whole - 1, 0)], 0.0)
    last = chosen.T[np.minimum(whole, chosen.shape[1] - 1)]
    part = np.where(more[:, None] > 0, within[last, np.maximum(more - 1, 0)[:, None]], 0.0)
    return np.asarray(full + part, dtype=np.float64)


def _widths(sizes: Codes, block: int) -> Codes:
    """The blocks of which sets of these sizes are made, rounded up to a power of 2."""
    return np.asarray(1 << np.ceil(np.log2(np.maximum(-(-sizes // block), 1))).astype(np.intp), dtype=np.intp)


def _statistic(difference: Floats, error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, difference / error, 0.0)


def _with_spread(variance: Floats, borrowed: Floats) -> Floats:
    return np.where(variance <= _NO_SPREAD * borrowed, borrowed, variance)


def two_sided(drawn: Floats, row: Codes, observed: Floats) -> tuple[Floats, Bools]:
    """Twice the smaller tail of each observed statistic (k,) among its row of sorted draws, at most 1, and whether no
    draw was as extreme."""
    draws = drawn.shape[1]
    slack = _TIE * (1 + np.abs(observed))
    counts = np.empty((2, len(row)), dtype=np.intp)
    for number, places in enumerate(_places_of(row, len(drawn))):
        counts[0, places] = np.searchsorted(drawn[number], (observed + slack)[places], side="right")
        counts[1, places] = draws - np.searchsorted(drawn[number], (observed - slack)[places], side="left")
    fewest = counts.min(axis=0)
    return np.minimum(1.0, 2 * (fewest + 1) / (draws + 1)), fewest == 0


def _places_of(row: Codes, rows: int) -> list[Codes]:
    order = np.argsort(row, kind="stable")
    return np.split(order, np.searchsorted(row[order], np.arange(1, rows)))


def quantiles(drawn: Floats, level: float) -> Floats:
    """The ends of the middle `level` of each row of sorted draws: (2, r)."""
    places = np.array([0.5 - level / 2, 0.5 + level / 2]) * (drawn.shape[1] + 1) - 1
    below = np.clip(np.floor(places).astype(np.intp), 0, drawn.shape[1] - 2)
    share = np.clip(places - below, 0.0, 1.0)[:, None]
    return np.asarray(drawn[:, below].T * (1 - share) + drawn[:, below + 1].T * share, dtype=np.float64)
