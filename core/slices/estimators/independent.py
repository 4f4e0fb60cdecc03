"""Slices of values that are independent of one another and count alike: from the sums of their cells.

No slice goes over the rows of the run. Sums are exact (`hcat.core.statistics.exact_sums`), so that neither the order of
rows nor parts change a bit. docs/decisions/0061.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.slices.against_rest import IndependentValues
from hcat.core.slices.bivariate import Interaction, interactions
from hcat.core.slices.bounds import bounded
from hcat.core.slices.cells.sums import Pair
from hcat.core.slices.comparison import Moments, bounds_of_means
from hcat.core.slices.dependence import moved_by_refits
from hcat.core.slices.estimators.protocol import Cells, Estimates, ScoredRows
from hcat.core.slices.marginal import SliceStatistics, statistics_of
from hcat.core.statistics.exact_sums import exact_values


@dataclass(frozen=True, slots=True, eq=False)
class IndependentEstimator:
    """Means with Student's interval, of shares with Wilson's; compared by `IndependentValues`."""

    scored: ScoredRows

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        """All slices of these dimensions and pairs of dimensions, compared with the rest."""
        exact = exact_values(self.scored.values).spread(self.scored.scored)
        values, sums = IndependentValues(self.scored.values, exact), self.scored.sum_cells(of, self.scored.rows, exact)
        cells = list(self.scored.cells(of, sums))
        moments = [Moments.exact(own.moments(exact, each.counts.places)) for own, each in zip(sums, cells, strict=True)]
        found = [
            self._statistics(each, own, values, None if refitted is None else refitted[:, each.counts.places])
            for each, own, refitted in zip(cells, moments, self._refitted_sums(of), strict=True)
        ]
        compared = values.compare(moments, [each.testable for each in found], level=self.scored.level)
        return [
            Estimates.of_scores(each, statistics, self._interaction(each, statistics), comparison)
            for each, statistics, comparison in zip(cells, found, compared, strict=True)
        ]

    def _refitted_sums(self, of: Sequence[Pair]) -> Sequence[Floats | None]:
        """The sums of refitted values (B, cells) by all cells of each dimension, or of two; None without any."""
        if self.scored.refits is None:
            return [None] * len(of)
        rows = self.scored.scored
        partitions = [
            (one.codes[rows], len(one.levels))
            if two is None
            else ((one.codes * len(two.levels) + two.codes)[rows], len(one.levels) * len(two.levels))
            for one, two in of
        ]
        return self.scored.refits.sums(partitions)

    def _statistics(
        self, cells: Cells, of: Moments, values: IndependentValues, refitted: Floats | None
    ) -> SliceStatistics:
        moved = moved_by_refits(of.n, refitted)
        ends = bounds_of_means(
            of, values.variance, of_two=values.are_shares, level=self.scored.level, made_with=moved.variance
        )
        return statistics_of(
            of,
            unscored=cells.counts.n - of.n.astype(np.intp),
            cases=(of.n, len(values.values) - of.n),
            total=len(values.values),
            ends=bounded(*ends, of.n, self.scored),
            shrinking=of.within_variance / np.where(of.n > 0, of.n, np.nan) + moved.of_difference,
            minimum_n=self.scored.minimum_n,
            level=self.scored.level,
            refit_means=moved.means,
        )

    def _interaction(self, cells: Cells, statistics: SliceStatistics) -> Interaction:
        one, two = cells.of
        if two is None:
            return cells.without_interaction()
        first, second = np.divmod(cells.counts.places, len(two.levels))
        shape = (len(one.levels), len(two.levels))
        return interactions(statistics, first, second, shape=shape, level=self.scored.level)
