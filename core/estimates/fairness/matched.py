"""The gap between two groups that were asked different questions, compared within strata (topic × query type)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.estimates.fairness.gap import NO_SPREAD, Gap, Matching, detectable_gap, equivalence_p, gap_without_spread
from core.statistics.effective_n import t_quantile
from core.statistics.stratified import StratifiedDifference, in_both, stratified_difference
from core.types import Estimate

METHOD = "within strata, clustered t (CR2)"


def matched_gap(
    values: Floats,
    groups: Sequence[str],
    strata: Sequence[str | None],
    clusters: Sequence[str],
    *,
    attribute: str = "",
    group: str,
    reference: str,
    margin: float = math.nan,
    within: tuple[float, float] = (-math.inf, math.inf),
    minimum_n: int = 10,
    alpha: float = 0.05,
) -> Gap:
    """Group less reference over samples (N,), NaN where unscored, within strata that hold both; None is no stratum.

    Both means and their difference are standardised to the strata's overlap (`stratified_difference`): strata count by
    n₁n₂/(n₁ + n₂), as in Cochran, Mantel & Haenszel. With fewer than `minimum_n` clusters in either group nothing is
    tested. Where all answers of a group are alike, the interval is as wide as for as many pairs. What was left out, and
    the gap without matching, stand in `matching`. Source: Cochran 1954; Bell & McCaffrey 2002.
    """
    names, unplaced = np.asarray(groups, dtype=np.str_), np.array([name is None for name in strata], dtype=bool)
    of_stratum = np.array([name or "" for name in strata], dtype=np.str_)
    of_cluster, is_group = np.asarray(clusters, dtype=np.str_), names == group
    scored = np.flatnonzero(np.isfinite(values) & np.isin(names, (group, reference)))
    rows = scored[~unplaced[scored]]
    rows = rows[in_both(is_group[rows], of_stratum[rows])]
    tests = _Tests(margin, within[1] - within[0], max(minimum_n, 2), 1 - alpha)
    matched = stratified_difference(values[rows], is_group[rows], of_stratum[rows], of_cluster[rows])
    gap, p, p_equivalence = tests.of(matched, len(rows))
    crude = stratified_difference(values[scored], is_group[scored], np.zeros(len(scored)), of_cluster[scored])
    compared, left_out = is_group[rows], is_group[np.setdiff1d(scored, rows)]
    has_error = math.isfinite(gap.low) and matched.error > NO_SPREAD
    return Gap(
        attribute,
        group,
        reference,
        len(rows),
        matched.clusters + matched.clusters_of_reference,
        matched.mean,
        matched.mean_of_reference,
        gap,
        margin,
        p,
        p_equivalence,
        detectable_gap(matched.error, matched.degrees + 1, alpha=alpha) if has_error else math.nan,
        matching=Matching(
            matched.strata,
            int(compared.sum()),
            int((~compared).sum()),
            int(left_out.sum()),
            int((~left_out).sum()),
            tests.of(crude, len(scored))[0],
        ),
    )


@dataclass(frozen=True)
class _Tests:
    """What a difference is tested against: the margin, the width of the outcome's range, fewest clusters, the level."""

    margin: float
    width: float
    minimum_n: int
    level: float

    def of(self, difference: StratifiedDifference, n: int) -> tuple[Estimate, float, float]:
        """The difference with its interval, p of no gap, p of equivalence: NaN with too few clusters of a group."""
        value, error, degrees = difference.value, difference.error, difference.degrees
        fewest = min(difference.clusters, difference.clusters_of_reference)
        if fewest < self.minimum_n or math.isnan(error):
            return Estimate(value, math.nan, math.nan, n, self.level, METHOD), math.nan, math.nan
        if error <= NO_SPREAD:
            return self._of_alike(difference, fewest, n)
        half = t_quantile(self.level, degrees) * error
        low, high = max(value - half, -self.width), min(value + half, self.width)
        from scipy.special import stdtr

        p = 2 * float(stdtr(degrees, -abs(value) / error))
        return Estimate(value, low, high, n, self.level, METHOD), p, equivalence_p(value, error, degrees, self.margin)

    def _of_alike(self, difference: StratifiedDifference, fewest: int, n: int) -> tuple[Estimate, float, float]:
        """Where all answers of a group are alike, as wide as for `fewest` pairs; for half of them where the groups
        differ, as then both rates add to the width. p says how seldom chance tells two groups apart as neatly."""
        value, differ = difference.value, abs(difference.value) > NO_SPREAD
        pairs = fewest // 2 if differ else fewest
        gap, p_equivalence = gap_without_spread(value, pairs, n, self.margin, self.width, self.level)
        number = difference.clusters + difference.clusters_of_reference
        return gap, min(2 / math.comb(number, difference.clusters), 1.0) if differ else 1.0, p_equivalence
