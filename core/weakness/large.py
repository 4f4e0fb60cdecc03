"""The slices of a large run from the sums of their cells: no slice goes over the rows of the run again.

Sums are exact (`hcat.core.statistics.exact_sums`), so that neither the order of rows nor parts change a bit. All else
follows from n, mean and squares of each cell as it does in `rows`. docs/decisions/0061.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.statistics.exact_sums import ExactMoments, ExactValues, exact_values
from hcat.core.statistics.refitted import Refitted
from hcat.core.statistics.shrinkage import shrink
from hcat.core.weakness.against_rest import Comparison, with_effect
from hcat.core.weakness.bivariate import Interaction, interactions
from hcat.core.weakness.cells.counts import CellCounts, Rows
from hcat.core.weakness.cells.sums import SumCells, sum_cells
from hcat.core.weakness.comparison import Moments, bounds_of_means, rest_of_total
from hcat.core.weakness.dependence import moved_by_refits
from hcat.core.weakness.drawn_sets.by_size import ValuesBySize
from hcat.core.weakness.fisher import fisher_p_of_large, newcombe_bounds
from hcat.core.weakness.marginal import Grouping, SliceStatistics
from hcat.core.weakness.rows import Slices, as_frame, named

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class LargeRows:
    """The rows of a large run, and the values of those that are scored (n,), each independent of the others."""

    rows: Rows
    scored: Bools
    values: Floats
    minimum_n: int
    level: float
    sum_cells: SumCells = sum_cells
    refits: Refitted | None = None
    """What calibrations fitted to resampled labels make of the values."""

    def frame(self, of: Sequence[tuple[Grouping, Grouping | None]], *, metric: str) -> pd.DataFrame:
        """As `ScoredRows.frame` makes it."""
        exact = exact_values(self.values).spread(self.scored)
        tests = SliceTests.of(self.values, exact)
        parts = []
        summed = zip(of, self.sum_cells(of, self.rows, exact), self._refitted_sums(of), strict=True)
        for (one, two), sums, refitted in summed:
            counts = sums.counted(states=self.rows.states is not None)
            counts = counts if two is not None else counts.at_all(len(one.levels))
            added = None if refitted is None else refitted[:, counts.places]
            parts.append(self._slices(one, two, counts, sums.moments(exact, counts.places), tests, added))
        compared = tests.compare([part.statistics for part in parts], level=self.level)
        return as_frame(list(zip(parts, compared, strict=True)), metric=metric)

    def _refitted_sums(self, of: Sequence[tuple[Grouping, Grouping | None]]) -> Sequence[Floats | None]:
        """The sums of refitted values (B, cells) by all cells of each dimension, or of two; None without any."""
        if self.refits is None:
            return [None] * len(of)
        partitions = [
            (one.codes[self.scored], len(one.levels))
            if two is None
            else ((one.codes * len(two.levels) + two.codes)[self.scored], len(one.levels) * len(two.levels))
            for one, two in of
        ]
        return self.refits.sums(partitions)

    def _slices(
        self,
        one: Grouping,
        two: Grouping | None,
        counts: CellCounts,
        exact: ExactMoments,
        tests: SliceTests,
        refitted: Floats | None,
    ) -> Slices:
        of = Moments(exact.n.astype(np.float64), exact.means(), exact.squares_about_means())
        moved = moved_by_refits(of.n, refitted)
        low, high = bounds_of_means(
            of, tests.variance, of_two=tests.of_shares, level=self.level, made_with=moved.variance
        )
        shrinking = of.within_variance / np.where(of.n > 0, of.n, np.nan) + moved.of_difference
        towards = shrink(of.mean, shrinking, level=self.level)
        rest = tests.n - of.n
        statistics = SliceStatistics(
            of=of,
            unscored=counts.n - exact.n,
            cases=of.n,
            low=low,
            high=high,
            testable=(np.minimum(of.n, rest) >= max(self.minimum_n, 2)) & (of.n > 1) & (rest > 1),
            shrunken=towards.values,
            shrunken_low=towards.low,
            shrunken_high=towards.high,
            refit_means=moved.means,
        )
        return Slices(*named(one, two, counts), counts, statistics, self._interaction(one, two, counts, statistics))

    def _interaction(
        self, one: Grouping, two: Grouping | None, counts: CellCounts, statistics: SliceStatistics
    ) -> Interaction:
        if two is None:
            return Interaction(*(np.full(len(counts.places), np.nan),) * 3)
        first, second = np.divmod(counts.places, len(two.levels))
        shape = (len(one.levels), len(two.levels))
        return interactions(statistics, first, second, shape=shape, level=self.level)


@dataclass(frozen=True, slots=True, eq=False)
class SliceTests:
    """What slices are compared with: all values, of which mean and squares are exact. `levels` are the values where
    they are but two."""

    values: Floats
    n: float
    mean: float
    squares: float
    levels: tuple[float, float] | None

    @classmethod
    def of(cls, values: Floats, exact: ExactValues) -> SliceTests:
        """Of the values (n,), with their exact form."""
        all_values = exact.moments(np.zeros(exact.rows, dtype=np.intp), 1)
        least, most = float(values.min()), float(values.max())
        of_two = least < most and bool(((values == least) | (values == most)).all())
        mean, squares = float(all_values.means()[0]), float(all_values.squares_about_means()[0])
        return cls(values, float(len(values)), mean, squares, (least, most) if of_two else None)

    @property
    def variance(self) -> float:
        """Of single values."""
        return self.squares / (self.n - 1)

    @property
    def of_shares(self) -> bool:
        """Whether all values are 0 or 1."""
        return self.levels == (0.0, 1.0) or (self.squares == 0 and self.mean in (0.0, 1.0))

    def compare(self, slices: Sequence[SliceStatistics], *, level: float) -> list[Comparison]:
        """Each tested slice with all other values, as `against_rest` does."""
        of = [part.of for part in slices]
        n, mean, squares = (np.concatenate([getattr(one, name) for one in of]) for name in ("n", "mean", "squares"))
        tested = np.concatenate([part.testable for part in slices])
        together = Moments(n, mean, squares)
        compare = self._compare if self.levels is None else self._compare_shares
        found = compare(together, tested, level)
        cuts = np.cumsum([len(one.n) for one in of])[:-1]
        columns = [np.split(column, cuts) for column in _columns(found)]
        return [Comparison(*part) for part in zip(*columns, strict=True)]

    def _compare(self, of: Moments, tested: Bools, level: float) -> Comparison:
        found = ValuesBySize(self.values).tests(of.n, of.mean, of.squares, tested, level=level)
        ends = (found.low, found.high) if self.squares > 0 else (np.full(len(of.n), np.nan),) * 2
        return with_effect(of, rest_of_total(self.n, self.mean, self.squares, of), tested, found.p, *ends)

    def _compare_shares(self, of: Moments, tested: Bools, level: float) -> Comparison:
        """By Fisher's test and Newcombe's interval, as of any two values."""
        low, high = self.levels or (0.0, 1.0)
        step = high - low
        hits = np.rint(np.where(of.n > 0, (of.mean - low) / step, 0.0) * of.n)
        all_hits = float(np.rint((self.mean - low) / step * self.n))
        shares, rest = _of_hits(hits, of.n), _of_hits(all_hits - hits, self.n - of.n)
        p = np.full(len(of.n), np.nan)
        if tested.any():
            p[tested] = fisher_p_of_large(hits[tested].astype(np.intp), of.n[tested], int(self.n), int(all_hits))
        by_share = with_effect(shares, rest, tested, p, *newcombe_bounds(shares, rest, level=level))
        difference, ends = by_share.difference * step, (by_share.low * step, by_share.high * step)
        return Comparison(difference, *ends, p, by_share.effect, by_share.effect_low, by_share.effect_high)


def _of_hits(hits: Floats, n: Floats) -> Moments:
    """Moments of values that are 0 or 1."""
    counted = np.maximum(n, 1)
    return Moments(n, np.where(n > 0, hits / counted, np.nan), hits * (n - hits) / counted)


def _columns(of: Comparison) -> tuple[Floats, ...]:
    return (of.difference, of.low, of.high, of.p, of.effect, of.effect_low, of.effect_high)
