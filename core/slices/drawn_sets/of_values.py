"""Values that move alone in large runs, while sizes and weights stay: each slice has sizes of its own.

A slice's sizes are gone through in their order, in at most 64 steps of as many units: the values of a step are a random
set, and its sizes count as alike, with their mean square. docs/decisions/0061.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.drawn_sets.by_size import BLOCK, LEAST_BLOCKS, quantiles, two_sided
from hcat.core.slices.drawn_sets.tail_bound import weighted_tail_bound
from hcat.core.slices.draws import draws_of
from hcat.core.slices.studentised import with_spread

_STEPS = 64
_AT_A_TIME = 1e6
_SEED = 20_260_105


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The side of a slice or its rest that has fewer units: which, its sizes rising, and whether it is the rest."""

    rows: Codes
    sizes: Floats
    swapped: bool


@dataclass(frozen=True, slots=True, eq=False)
class ValuesAlone:
    """Values (U,), whose mean is 0, and the sizes of their places (U,)."""

    values: Floats
    sizes: Floats

    def tests(self, slices: Sequence[Codes], observed: Floats, *, level: float) -> tuple[Floats, Floats]:
        """p of the observed statistics (k,) of slices of these units, and the quantiles (2, k) of the statistic where
        values alone move."""
        p, ends = np.ones(len(slices)), np.zeros((2, len(slices)))
        sides = [self._side(rows) for rows in slices]
        steps = np.array([_step(len(side.sizes)) for side in sides], dtype=np.intp)
        for step in np.unique(steps).tolist():
            drawn = self._steps(step)
            at = np.flatnonzero(steps == step)
            for part in np.array_split(at, -(-len(at) * len(drawn[0]) // int(_AT_A_TIME))):
                chosen = [sides[place] for place in part.tolist()]
                sign = np.array([-1.0 if side.swapped else 1.0 for side in chosen])
                statistics = np.sort(self._statistics(chosen, step, drawn).T, axis=1)
                own = np.arange(len(part))
                p[part], unseen = two_sided(statistics, own, sign * observed[part])
                found = quantiles(statistics, level)
                ends[:, part] = np.where(sign < 0, -found[::-1], found)
                for place in part[unseen].tolist():
                    p[place] = min(p[place], self._bound(sides[place], low=observed[place] < 0))
        return p, ends

    def _side(self, rows: Codes) -> _Side:
        swapped = 2 * len(rows) > len(self.values)
        if swapped:
            outside = np.ones(len(self.values), dtype=np.bool_)
            outside[rows] = False
            rows = np.flatnonzero(outside)
        return _Side(rows, np.sort(self.sizes[rows]), swapped)

    def _bound(self, side: _Side, *, low: bool) -> float:
        mean = float(np.average(self.values[side.rows], weights=self.sizes[side.rows]))
        strays = self.values - mean
        return 2 * weighted_tail_bound(strays if low != side.swapped else -strays, side.sizes)

    def _steps(self, step: int) -> tuple[Floats, Floats]:
        """The sums of values, and of their squares, of `_STEPS` random sets of so many units that share none, or of
        as many as there are: (draws, sets) each."""
        rng, draws = np.random.default_rng([_SEED, step]), draws_of(step * _STEPS)
        units, within = len(self.values), step
        if step >= BLOCK:  # of blocks, whose number keeps the error of a variance small
            units, within = units // BLOCK, step // BLOCK
        sets = min(_STEPS, units // within)
        at_once = max(1, units // (sets * within))
        orders = -(-LEAST_BLOCKS // units) if step >= BLOCK else 1
        found: list[list[Floats]] = [[], []]
        for order in np.array_split(np.arange(-(-draws // at_once)), orders):
            columns = [self.values, self.values**2]
            if step >= BLOCK:
                rows = rng.permutation(len(self.values))[: units * BLOCK].reshape(units, BLOCK)
                columns = [column[rows].sum(axis=1) for column in columns]
            for _ in order:
                chosen = rng.permutation(units)[: at_once * sets * within].reshape(at_once, sets, within)
                for place, column in enumerate(columns):
                    found[place].append(column[chosen].sum(axis=2))
        sums, squares = (np.concatenate(each)[:draws] for each in found)
        return sums, squares

    def _statistics(self, sides: Sequence[_Side], step: int, drawn: tuple[Floats, Floats]) -> Floats:
        """(draws, k): the statistic is that of `differences`."""
        sums, squares = drawn
        square, part = np.zeros((2, len(sides), sums.shape[1]))
        for place, side in enumerate(sides):
            starts = np.arange(0, len(side.sizes), step)[: sums.shape[1]]
            square[place, : len(starts)] = np.add.reduceat(side.sizes**2, starts) / step
            part[place, : len(starts)] = np.diff(np.append(starts, len(side.sizes))) / step
        k = np.array([float(len(side.sizes)) for side in sides])
        size = np.array([side.sizes.sum() for side in sides])
        squared = square.sum(axis=1) * step
        others, size_others = len(self.values) - k, self.sizes.sum() - size
        squared_others = float(self.sizes @ self.sizes) - squared
        all_squares = float(self.values @ self.values)
        spread = all_squares / len(self.values)
        once, cross, twice = sums @ np.sqrt(square).T, sums @ square.T, squares @ square.T
        left, left_squares = -(sums @ part.T), all_squares - squares @ part.T
        # What unlike sizes in the rest add to its mean is normal: the rest is half of a large run at least.
        unlike = np.sqrt(spread * np.maximum(squared_others - size_others**2 / others, 0.0))
        chance = np.random.default_rng([_SEED, step, 1]).standard_normal(len(sums))[:, None]
        mean = once / size
        rest = left / others + chance * unlike / size_others
        inside = np.maximum(twice - 2 * mean * cross + mean**2 * squared, 0.0)
        outside = squared_others / others * np.maximum(left_squares - 2 * rest * left + rest**2 * others, 0.0)
        variance = with_spread(k / (k - 1) * inside / size**2, spread * squared / size**2) + with_spread(
            others / (others - 1) * outside / size_others**2, spread * squared_others / size_others**2
        )
        return np.asarray((mean - rest) / np.sqrt(variance), dtype=np.float64)


def _step(units: int) -> int:
    return int(1 << max(int(np.ceil(np.log2(max(units, 1) / _STEPS))), 0))
