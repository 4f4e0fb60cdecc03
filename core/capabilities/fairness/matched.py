"""The gap between two groups that were asked different questions, compared within strata (topic × query type)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.fairness.gap import Gap, Matching, detectable_gap, found_with
from hcat.core.statistics.group_difference import GroupDifference, group_difference
from hcat.core.statistics.stratified import in_both
from hcat.core.types import Estimate


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
    """The gap between two groups over samples (N,), NaN if unscored, within strata with both; None is no stratum.

    Both means and their difference are standardised to the strata's overlap (`stratified_difference`): strata have
    weights n₁n₂/(n₁ + n₂), as in Cochran, Mantel & Haenszel. Gap, equivalence and interval are of one test, which
    considers what each group could have shown (`group_difference`). With fewer than `minimum_n` clusters in either
    group nothing is tested. What was left out, and the gap without matching, are in `matching`."""
    names, unplaced = np.asarray(groups, dtype=np.str_), np.array([name is None for name in strata], dtype=bool)
    of_stratum = np.array([name or "" for name in strata], dtype=np.str_)
    of_cluster, is_group = np.asarray(clusters, dtype=np.str_), names == group
    scored: Bools = np.isfinite(values) & np.isin(names, (group, reference))
    rows = np.flatnonzero(scored & ~unplaced)
    rows = rows[in_both(is_group[rows], of_stratum[rows])]
    everyone, nowhere = np.flatnonzero(scored), np.zeros(len(values), dtype=np.intp)
    matched, crude = (
        group_difference(values[at], is_group[at], stratum[at], of_cluster[at], within=within)
        for at, stratum in ((rows, of_stratum), (everyone, nowhere))
    )
    enough, level = min(matched.clusters) >= max(minimum_n, 2), 1 - alpha
    compared, left_out = is_group[rows], is_group[np.setdiff1d(everyone, rows)]
    return Gap(
        attribute,
        group,
        reference,
        len(rows),
        sum(matched.clusters),
        matched.means[0],
        matched.means[1],
        _interval(matched, level, len(rows), minimum_n),
        margin,
        matched.p() if enough else math.nan,
        matched.p_outside(margin) if enough and not math.isnan(margin) else math.nan,
        _detectable(matched, alpha) if enough else math.nan,
        matching=Matching(
            matched.strata,
            int(compared.sum()),
            int((~compared).sum()),
            int(left_out.sum()),
            int((~left_out).sum()),
            _interval(crude, level, len(everyone), minimum_n),
        ),
    )


def _interval(difference: GroupDifference, level: float, n: int, minimum_n: int) -> Estimate:
    if min(difference.clusters) >= max(minimum_n, 2):
        return difference.interval(level, n)
    return Estimate(difference.value, math.nan, math.nan, n, level, difference.method)


def _detectable(difference: GroupDifference, alpha: float) -> float:
    return found_with(
        lambda gap: detectable_gap(difference.error_at(gap), min(difference.clusters), alpha=alpha),
        most=difference.width,
    )
