"""The values that colour the points of a map: a number of each, or a category; and their aggregate over a square."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.placed import PlacedPoints, Positions

STEPS = 15
"""The number of colours of a scale of numbers: odd, so that its middle has one."""


class Layer(Protocol):
    """A property of the points, in the order of `PlacedPoints`."""

    @property
    def present(self) -> NDArray[np.bool_]:
        """(m,) whether the point has a value."""

    @property
    def single(self) -> Floats:
        """(m,) the value of the point, in the form of `contents`; arbitrary if it is unknown."""

    def totals(self, span: tuple[int, int], starts: Positions) -> NDArray[np.float64] | NDArray[np.int64]:
        """(c,) or (c, k) the sums over the points of each cell; those of cell i begin at `starts[i]` of the span."""

    def contents(self, totals: NDArray[np.float64] | NDArray[np.int64], n: Positions) -> Floats:
        """(c,) the content of n points with these totals, n > 0: their mean, or the number of a category."""

    def color_numbers(self, contents: Floats) -> Positions:
        """(c,) the index of each content among the colours."""


@dataclass(frozen=True, eq=False)
class NumberLayer:
    """A number per point, NaN for a missing one, between `low` and `high`."""

    values: Floats
    low: float
    high: float

    @classmethod
    def of(cls, points: PlacedPoints, values: Floats) -> NumberLayer:
        """The layer of values (n,) in the order of all points; the range is theirs."""
        placed = np.asarray(values, dtype=np.float64)[points.rows]
        known = placed[np.isfinite(placed)]
        placed = np.where(np.isfinite(placed), placed, np.nan)
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        return cls(placed, low, high)

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)

    @property
    def single(self) -> Floats:
        return self.values

    @cached_property
    def _summands(self) -> Floats:
        return np.where(self.present, self.values, 0.0)

    def totals(self, span: tuple[int, int], starts: Positions) -> Floats:
        return np.asarray(np.add.reduceat(self._summands[slice(*span)], starts), dtype=np.float64)

    def contents(self, totals: NDArray[np.float64] | NDArray[np.int64], n: Positions) -> Floats:
        return np.asarray(totals / n, dtype=np.float64)

    def color_numbers(self, contents: Floats) -> Positions:
        width = self.high - self.low
        share = (contents - self.low) / width if width > 0 else np.full(len(contents), 0.5)
        return np.clip(np.floor(share * STEPS), 0, STEPS - 1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CategoryLayer:
    """One of `k` categories per point by its number, -1 for none.

    A square has its most frequent one, in a tie the first. More categories than `colors` use the colours in turn."""

    numbers: NDArray[np.int64]
    k: int
    colors: int

    @classmethod
    def of(cls, points: PlacedPoints, numbers: NDArray[np.int64], *, k: int, colors: int) -> CategoryLayer:
        """The layer of the category of each of all points (n,)."""
        return cls(np.asarray(numbers, dtype=np.int64)[points.rows], max(k, 1), max(colors, 1))

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        return self.numbers >= 0

    @property
    def single(self) -> Floats:
        return self.numbers.astype(np.float64)

    def totals(self, span: tuple[int, int], starts: Positions) -> NDArray[np.int64]:
        numbers = self.numbers[slice(*span)]
        cell = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(numbers))))
        known = numbers >= 0
        counts = np.bincount(cell[known] * self.k + numbers[known], minlength=len(starts) * self.k)
        return np.asarray(counts.reshape(len(starts), self.k), dtype=np.int64)

    def contents(self, totals: NDArray[np.float64] | NDArray[np.int64], n: Positions) -> Floats:  # noqa: ARG002
        return np.asarray(totals.argmax(axis=1), dtype=np.float64)

    def color_numbers(self, contents: Floats) -> Positions:
        return np.asarray(contents, dtype=np.int64) % self.colors
