"""Slices row by row, and their tests by permuting all rows: what sums of cells and random sets stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.slices.against_rest import against_rest
from hcat.core.slices.bivariate import interactions
from hcat.core.slices.bounds import bounded
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import Pair, sum_cells
from hcat.core.slices.comparison import Moments, bounds_of_means, moments
from hcat.core.slices.dependence import Dependence
from hcat.core.slices.estimators.clustered import ClusteredEstimator
from hcat.core.slices.estimators.independent import IndependentEstimator
from hcat.core.slices.estimators.protocol import Cells, Estimates, ScoredRows
from hcat.core.slices.marginal import SliceStatistics, statistics_of
from hcat.core.slices.membership import Partition, joined
from hcat.core.slices.studentised import Arranged, differences
from hcat.core.types import Estimate


def scored_rows(values: Floats, *, minimum_n: int = 10, level: float = 0.95) -> ScoredRows:
    """The rows of a run with these values (N,), NaN = unscored, without a range."""
    scored = ~np.isnan(values)

    def of_all() -> Estimate:
        return Estimate(float(values[scored].mean()), np.nan, np.nan, int(scored.sum()), level, "t")

    rows, anything = rows_of(len(values), None), (-np.inf, np.inf)
    return ScoredRows(rows, scored, values[scored], minimum_n, level, sum_cells, anything, of_all)


def estimated(
    values: Floats, *of: Pair, minimum_n: int = 2, level: float = 0.95, dependence: Dependence | None = None
) -> list[Estimates]:
    """What the product estimates of these dimensions, and pairs of dimensions."""
    scored = scored_rows(values, minimum_n=minimum_n, level=level)
    if dependence is None:
        return IndependentEstimator(scored).estimates(of)
    return ClusteredEstimator(scored, dependence.only(scored.scored)).estimates(of)


@dataclass(frozen=True)
class RowsEstimator:
    """Independent values, each partition in two passes over all rows."""

    scored: ScoredRows

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        scored = self.scored
        cells = list(scored.cells(of, scored.sum_cells(of, scored.rows)))
        codes = [each.codes(scored.scored) for each in cells]
        found = [self._statistics(each, own) for each, own in zip(cells, codes, strict=True)]
        parts = [Partition(own, each.testable) for own, each in zip(codes, found, strict=True)]
        compared = [against_rest(scored.values, [part])[0] for part in parts]
        estimates = []
        for each, statistics, comparison in zip(cells, found, compared, strict=True):
            one, two = each.of
            interaction = each.without_interaction()
            if two is not None:
                first, second = np.divmod(each.counts.places, len(two.levels))
                shape = (len(one.levels), len(two.levels))
                interaction = interactions(statistics, first, second, shape=shape, level=scored.level)
            estimates.append(Estimates.of_scores(each, statistics, interaction, comparison))
        return estimates

    def _statistics(self, cells: Cells, codes: Codes) -> SliceStatistics:
        y, level = self.scored.values, self.scored.level
        of = moments(y, codes, slices=len(cells.counts.places))
        low, high = mean_bounds(y, of, level=level)
        return statistics_of(
            of,
            unscored=cells.counts.n - of.n.astype(np.intp),
            cases=(of.n, len(y) - of.n),
            total=len(y),
            ends=bounded(low, high, of.n, self.scored),
            shrinking=of.within_variance / np.where(of.n > 0, of.n, np.nan),
            minimum_n=self.scored.minimum_n,
            level=level,
        )


def mean_bounds(values: Floats, of: Moments, *, level: float) -> tuple[Floats, Floats]:
    """The intervals of the means of slices of these values."""
    of_two = bool(len(values)) and bool(np.isin(values, (0.0, 1.0)).all())
    spread = float(values.var(ddof=1)) if len(values) > 1 else np.nan
    return bounds_of_means(of, spread, of_two=of_two, level=level)


def permuted(
    values: Floats, part: Partition, *, sizes: Floats | None = None, draws: int = 9_999, level: float = 0.95
) -> tuple[Floats, Floats, Floats]:
    """Two-sided p of each tested slice and the ends of the interval of its difference, by permuting all units, with
    their sizes (N,)."""
    weights = np.ones(len(values)) if sizes is None else sizes
    slices, rng = joined([part.codes], [part]), np.random.default_rng(77)
    found = differences(slices, Arranged.once(values * weights, weights))
    observed = found.statistic[:, 0]
    orders = rng.permuted(np.tile(np.arange(len(values)), (draws, 1)), axis=1)
    drawn = np.concatenate(
        [
            differences(slices, Arranged((values * weights)[some].T, weights[some].T)).statistic
            for some in np.array_split(orders, 20)
        ],
        axis=1,
    )
    slack = 1e-9 * (1 + np.abs(observed))[:, None]
    tails = [(side <= observed[:, None] + slack).sum(axis=1) for side in (drawn,)]
    tails.append((drawn >= observed[:, None] - slack).sum(axis=1))
    p = np.minimum(1.0, 2 * (np.minimum(*tails) + 1) / (draws + 1))
    ends = np.quantile(drawn, [0.5 - level / 2, 0.5 + level / 2], axis=1, method="weibull")
    difference, error = found.difference[:, 0], found.error[:, 0]
    return p, difference - ends[1] * error, difference - ends[0] * error


def lower_tail_bound(values: Floats, n: Floats, mean: Floats) -> Floats:
    """At least the chance that the mean of n of the values (N,), drawn without replacement, is at most `mean` (k,).

    Chernoff's bound of the mean drawn with replacement, which by Hoeffding's theorem 4 also holds without. It is a
    bound whatever the tilt; Newton's steps look for the least. Source: Hoeffding 1963.
    """
    exponent, tilt = np.zeros(len(mean)), np.zeros(len(mean))
    least = -500.0 / np.maximum(np.maximum(values.max() - mean, mean - values.min()), 1e-12)
    for _ in range(40):
        weights = np.exp(tilt[:, None] * (values[None, :] - mean[:, None]))
        level = weights.mean(axis=1)
        exponent = np.minimum(exponent, np.where(tilt <= 0, np.log(level), 0.0))
        slope = (weights @ values) / weights.sum(axis=1) - mean
        curvature = (weights @ values**2) / weights.sum(axis=1) - (slope + mean) ** 2
        tilt = np.clip(tilt - slope / np.maximum(curvature, 1e-12), np.maximum(tilt - 4, least), tilt + 4)
    return np.asarray(np.exp(np.maximum(n * exponent, -700.0)), dtype=np.float64)
