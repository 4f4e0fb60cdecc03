"""The sums of every cell of a run, of many pairs of dimensions in few passes over its rows.

A pass goes over several dimensions together: what it adds up by their joint levels holds every pair of them. Sums are
of whole numbers, so that no bit depends on which pass a cell comes from. docs/decisions/0066.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Protocol

import numpy as np

from hcat.core.arrays import Codes
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.cells.counts import CellCounts, Rows
from hcat.core.slices.marginal import Grouping
from hcat.core.statistics.exact_sums import ExactMoments, ExactValues, Sums, Whole

Pair = tuple[Grouping, Grouping | None]
"""A dimension alone, or two of them."""

MOST_JOINT = 10_000
"""Largest number of joint levels, so that their sums stay in a processor's cache."""
_STATES = len(ANSWER_STATES) + 1
_COUNTS, _VALUES = _STATES + 1, 5


@dataclass(frozen=True, slots=True, eq=False)
class CellSums:
    """Integer sums of all cells (k,) of a dimension, or of a pair row of levels by row of levels.

    `counts` (7, k): how many samples are in each of `ANSWER_STATES` or in none that is known, and the sum of their
    numbers (`Rows`). `values` (5, k), where there are some: how many samples have none, and the exact sums of values
    and squares, two of each.
    """

    counts: Whole
    values: Whole

    def counted(self, *, states: bool) -> CellCounts:
        """Counts of the cells that have a sample; with `states` also by state."""
        n = self.counts[:_STATES].sum(axis=0)
        places = np.flatnonzero(n)
        return CellCounts(places, n[places], self.counts[-1, places], self.counts[:-2, places] if states else None)

    def moments(self, exact: ExactValues, places: Codes) -> ExactMoments:
        """Moments of the values of these cells, which are `exact`."""
        without, high, low, square_high, square_low = self.values[:, places]
        n = self.counts[:_STATES, places].sum(axis=0) - without
        values, squares = Sums(exact.values.exponent, high, low), Sums(exact.squares.exponent, square_high, square_low)
        return ExactMoments(exact.centre, n, values, squares)


class SumCells(Protocol):
    """`sum_cells`, or what keeps its results."""

    def __call__(self, of: Sequence[Pair], rows: Rows, exact: ExactValues | None = None, /) -> list[CellSums]: ...


def sum_cells(of: Sequence[Pair], rows: Rows, exact: ExactValues | None = None, /) -> list[CellSums]:
    """The cells of these dimensions and pairs. `exact` are the values of all rows (N,), 0 in a row without one."""
    return [CellSums(table[:_COUNTS], table[_COUNTS:]) for table in cell_tables(of, rows, exact)]


def cell_tables(of: Sequence[Pair], rows: Rows | None, exact: ExactValues | None) -> list[Whole]:
    """`CellSums.counts`, where rows are given, over `CellSums.values`, where values are: a table (m, k) each."""
    names = list(dict.fromkeys(grouping.name for pair in of for grouping in pair if grouping is not None))
    groupings = {grouping.name: grouping for pair in of for grouping in pair if grouping is not None}
    wanted = [tuple(names.index(grouping.name) for grouping in pair if grouping is not None) for pair in of]
    found: dict[tuple[int, ...], Whole] = {}
    for chosen in joint_passes([len(groupings[name].levels) for name in names], wanted):
        table = _joint_table([groupings[names[place]] for place in chosen], rows, exact)
        for pair in wanted:
            if set(pair) <= set(chosen) and pair not in found:
                found[pair] = _summed_over(table, [chosen.index(place) for place in pair])
    return [found[pair].reshape(len(found[pair]), -1) for pair in wanted]


def joint_passes(levels: Sequence[int], wanted: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The sets of dimensions to go over together, so that each wanted pair, or dimension alone, is part of a pass. The
    greedy choice, which always adds the dimension with which most pairs are covered, keeps them few. `levels` (d,) are
    those of each dimension; a pass has `MOST_JOINT` joint levels at most, and two dimensions at least where a pair is
    wanted."""
    left = dict.fromkeys(frozenset(pair) for pair in wanted if len(pair) == 2)
    covered: set[int] = set()
    while left:
        chosen = sorted(next(iter(left)))
        while (further := _further(chosen, levels, left)) is not None:
            chosen.append(further)
        for pair in combinations(chosen, 2):
            left.pop(frozenset(pair), None)
        covered.update(chosen)
        yield sorted(chosen)
    yield from (
        [place] for place in dict.fromkeys(pair[0] for pair in wanted if len(pair) == 1) if place not in covered
    )


def _further(chosen: Sequence[int], levels: Sequence[int], left: dict[frozenset[int], None]) -> int | None:
    size = prod(levels[place] for place in chosen)
    gains = {
        place: sum(frozenset((place, other)) in left for other in chosen)
        for place in range(len(levels))
        if place not in chosen and size * levels[place] <= MOST_JOINT
    }
    best = max(gains, key=lambda place: (gains[place], -levels[place]), default=None)
    return best if best is not None and gains[best] else None


def _joint_table(of: Sequence[Grouping], rows: Rows | None, exact: ExactValues | None) -> Whole:
    """The same by the joint levels of these dimensions: (m, levels of the first, of the second, …)."""
    shape = [len(grouping.levels) for grouping in of]
    size, codes = prod(shape), of[0].codes.astype(np.intp)
    for grouping in of[1:]:
        codes *= len(grouping.levels)
        codes += grouping.codes
    parts = ([] if rows is None else _counts(codes, size, rows)) + (
        [] if exact is None else _values(codes, size, exact)
    )
    return np.concatenate(parts).reshape(-1, *shape)


def _counts(codes: Codes, size: int, rows: Rows) -> list[Whole]:
    if rows.states is None:
        by_state = np.zeros((_STATES, size), dtype=np.int64)
        by_state[-1] = np.bincount(codes, minlength=size)
    else:
        by_state = np.bincount(codes * _STATES + rows.states, minlength=size * _STATES).reshape(size, _STATES).T
    return [by_state, _sums(codes, size, rows.numbers)]


def _values(codes: Codes, size: int, exact: ExactValues) -> list[Whole]:
    without = np.bincount(codes[exact.present == 0], minlength=size)[None, :]
    parts = (exact.values.high, exact.values.low, exact.squares.high, exact.squares.low)
    return [without, *(_sums(codes, size, part) for part in parts)]


def _sums(codes: Codes, size: int, of: Whole) -> Whole:
    sums = np.zeros((1, size), dtype=np.int64)
    np.add.at(sums[0], codes, of)
    return sums


def _summed_over(table: Whole, kept: Sequence[int]) -> Whole:
    """The table of these dimensions of a joint one, in this order: (m, levels of the first, …)."""
    others = tuple(1 + axis for axis in range(table.ndim - 1) if axis not in kept)
    own: Whole = np.asarray(table.sum(axis=others, dtype=np.int64))
    return own if list(kept) == sorted(kept) else own.swapaxes(1, 2)
