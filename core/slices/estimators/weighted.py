"""Slices of a run whose test cases were drawn with unequal probabilities: as estimates of all cases that could be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.against_rest import against_rest, apart
from hcat.core.slices.cells.sums import Pair
from hcat.core.slices.comparison import Moments
from hcat.core.slices.estimators.protocol import Cells, Estimates, ScoredRows
from hcat.core.slices.marginal import SliceStatistics, statistics_of
from hcat.core.slices.membership import Partition
from hcat.core.slices.testable import clusters_of_slices
from hcat.core.statistics.clusters import clustered_variance
from hcat.core.statistics.intervals import mean_interval

_AT_A_TIME = 32
"""Partitions for which refitted values are made once."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedEstimator:
    """Hájek's means by design weights (n,) of the values, whose test cases are numbered (n,); interactions and effects,
    which have no weighted form here, are left empty. Compared by permutation.

    Intervals are of the linearised variance by cluster, which leaves out that cases were drawn by stratum and so is
    rather too large. Source: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 5.7.
    """

    scored: ScoredRows
    weights: Floats
    cases: Codes

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        """All slices of these dimensions and pairs of dimensions, compared with the rest."""
        cells = list(self.scored.cells(of, self.scored.sum_cells(of, self.scored.rows)))
        codes = [each.codes(self.scored.scored) for each in cells]
        found = list(self._statistics(cells, codes))
        partitions = [Partition(own, each.testable) for own, each in zip(codes, found, strict=True)]
        cases = None if apart(self.cases) else self.cases
        level, weights = self.scored.level, self.weights
        compared = against_rest(self.scored.values, partitions, cases=cases, weights=weights, level=level)
        return [
            Estimates.of_scores(each, statistics, each.without_interaction(), comparison)
            for each, statistics, comparison in zip(cells, found, compared, strict=True)
        ]

    def _statistics(self, cells: Sequence[Cells], codes: Sequence[Codes]) -> Iterator[SliceStatistics]:
        parts = zip(cells, codes, strict=True)
        while part := list(islice(parts, _AT_A_TIME)):
            weighed: Iterable[Floats | None] = repeat(None)
            if self.scored.refits is not None:
                sizes = [(own, len(each.counts.places)) for each, own in part]
                weighed = self.scored.refits.sums(sizes, self.weights)
            for (each, own), refitted in zip(part, weighed, strict=False):
                yield self._of_slices(each, own, refitted)

    def _of_slices(self, cells: Cells, codes: Codes, refitted: Floats | None) -> SliceStatistics:
        k = len(cells.counts.places)
        rows, n = np.argsort(codes, kind="stable"), np.bincount(codes, minlength=k)
        numbers = np.full((4, k), np.nan)
        for place, inside in enumerate(np.split(rows, np.cumsum(n)[:-1])):
            if len(inside):
                numbers[:, place] = self._mean(inside, None if refitted is None else refitted[:, place])
        mean, low, high, error = numbers
        return statistics_of(
            Moments(n.astype(np.float64), mean, np.full(k, np.nan)),
            unscored=cells.counts.n - n,
            cases=clusters_of_slices(codes, self.cases, slices=k),
            total=len(codes),
            ends=(low, high),
            shrinking=error**2,
            minimum_n=self.scored.minimum_n,
            level=self.scored.level,
        )

    def _mean(self, inside: Codes, refitted: Floats | None) -> tuple[float, float, float, float]:
        """The mean of a slice of these values with its interval, and its standard error."""
        y, w, cases = self.scored.values[inside], self.weights[inside], self.cases[inside]
        made_with = 0.0 if refitted is None else float(np.var(refitted / w.sum(), ddof=1))
        level, within = self.scored.level, self.scored.within
        mean = mean_interval(y, weights=w, clusters=cases, level=level, within=within, made_with=made_with)
        variance = clustered_variance(w / w.sum() * (y - mean.value), cases) + made_with
        return mean.value, mean.low, mean.high, math.sqrt(variance)
