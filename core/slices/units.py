"""Exchangeable units of the permutation test of a slice: single values, or clusters of values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats

_ROUNDING = 1e-9

Ends = tuple[Floats, Floats, Floats, Floats]
"""Results of k slices: p, difference from the rest, and the ends of its interval."""


def differ(values: Floats) -> bool:
    """Whether values (N,) differ by more than rounding: their range is at least a billionth of the largest.

    Below, the rounding of means and sums of some million values decides what a test says, as for cosines of identical
    texts.
    """
    if not len(values):
        return False
    least, most = float(values.min()), float(values.max())
    return most - least > _ROUNDING * max(abs(least), abs(most))


def larger(one: Ends, two: Ends) -> Ends:
    """The larger p of two tests of the same difference, and the interval that holds both of theirs."""
    return np.maximum(one[0], two[0]), one[1], np.minimum(one[2], two[2]), np.maximum(one[3], two[3])


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The sum of the values of each unit (U,) by their weights, and the sum of these weights: its size."""

    sums: Floats
    sizes: Floats

    @classmethod
    def of_rows(cls, values: Floats, weights: Floats | None) -> Units:
        """Each value (N,) a unit of its own."""
        return cls(values, np.ones(len(values))) if weights is None else cls(weights * values, weights)

    @property
    def alike(self) -> bool:
        """Whether all have one size."""
        return bool((self.sizes == self.sizes[:1]).all())

    def standardised(self) -> tuple[Floats, Floats, float]:
        """The mean of each less that of all, in units of a scale; sizes, by the mean size; and the scale."""
        if not len(self.sums):
            return self.sums, self.sizes, 1.0
        means = self.sums / self.sizes
        sizes = self.sizes / self.sizes.mean()
        if not differ(means):
            return np.zeros(len(means)), sizes, 1.0
        means = means - float(self.sums.sum() / self.sizes.sum())
        scale = float(means.std())
        return means / scale, sizes, scale
