"""Slices of values of which several are of one test case: errors by sums over test cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Codes
from hcat.core.slices.against_rest import against_rest
from hcat.core.slices.bivariate import Interaction, interactions
from hcat.core.slices.bounds import bounded
from hcat.core.slices.cells.sums import Pair
from hcat.core.slices.comparison import moments
from hcat.core.slices.dependence import Dependence, cell_errors, dependent_bounds, errors
from hcat.core.slices.estimators.protocol import Cells, Estimates, ScoredRows
from hcat.core.slices.marginal import SliceStatistics, statistics_of
from hcat.core.slices.membership import Partition


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredEstimator:
    """Means with intervals by test cases; compared by permutation of these."""

    scored: ScoredRows
    dependence: Dependence

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        """All slices of these dimensions and pairs of dimensions, compared with the rest."""
        cells = list(self.scored.cells(of, self.scored.sum_cells(of, self.scored.rows)))
        codes = [each.codes(self.scored.scored) for each in cells]
        found = [
            self._estimated(each, own, tied)
            for each, own, tied in zip(cells, codes, self._tied(cells, codes), strict=True)
        ]
        partitions = [Partition(own, statistics.testable) for own, (statistics, _) in zip(codes, found, strict=True)]
        level, cases = self.scored.level, self.dependence.cases
        compared = against_rest(self.scored.values, partitions, cases=cases, level=level)
        return [
            Estimates.of_scores(each, statistics, interaction, comparison)
            for each, (statistics, interaction), comparison in zip(cells, found, compared, strict=True)
        ]

    def _tied(self, cells: Sequence[Cells], codes: Sequence[Codes]) -> list[Dependence]:
        """The dependence between the values of each partition."""
        if self.scored.refits is None:
            return [self.dependence] * len(cells)
        partitions = [(own, len(each.counts.places)) for own, each in zip(codes, cells, strict=True)]
        return [replace(self.dependence, refit_sums=sums) for sums in self.scored.refits.sums(partitions)]

    def _estimated(self, cells: Cells, codes: Codes, tied: Dependence) -> tuple[SliceStatistics, Interaction]:
        values, level = self.scored.values, self.scored.level
        of = moments(values, codes, slices=len(cells.counts.places))
        found = errors(values, codes, of, tied)
        pooled = of.within_variance / np.where(of.n > 0, of.n, np.nan)
        statistics = statistics_of(
            of,
            unscored=cells.counts.n - of.n.astype(np.intp),
            cases=(found.slice_cases, found.rest_cases),
            total=len(values),
            ends=bounded(*dependent_bounds(values, of, found, level=level), found.slice_cases, self.scored),
            shrinking=pooled * found.design_effect + found.calibration_difference,
            minimum_n=self.scored.minimum_n,
            level=level,
            refit_means=found.refit_means,
        )
        one, two = cells.of
        if two is None:
            return statistics, cells.without_interaction()
        first, second = np.divmod(cells.counts.places, len(two.levels))
        shape, together = (len(one.levels), len(two.levels)), cell_errors(values, codes, of, tied)
        return statistics, interactions(statistics, first, second, shape=shape, level=level, tied=together)
