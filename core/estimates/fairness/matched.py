"""The gap between two groups that were asked different questions, compared within strata (topic × query type)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.estimates.fairness.gap import Gap, detectable_gap, equivalence_p
from core.statistics.least_squares import slope_within


def matched_gap(
    values: Floats,
    groups: Sequence[str],
    strata: Sequence[str],
    clusters: Sequence[str],
    *,
    attribute: str = "",
    group: str,
    reference: str,
    margin: float = math.nan,
    minimum_n: int = 10,
    alpha: float = 0.05,
) -> Gap:
    """Group less reference over samples (N,), NaN where unscored, within strata that hold both.

    The gap is that of least squares with a constant for each stratum: strata count by n₁n₂/(n₁ + n₂), as in Cochran,
    Mantel & Haenszel. Errors are by sums over clusters. Means are of the samples that were compared.
    Source: Cochran 1954; Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, III.A.
    """
    names, of_stratum = np.asarray(groups, dtype=np.str_), np.asarray(strata, dtype=np.str_)
    rows = np.isfinite(values) & np.isin(names, (group, reference))
    shared = set(of_stratum[rows & (names == group)]) & set(of_stratum[rows & (names == reference)])
    rows &= np.isin(of_stratum, sorted(shared))
    is_group = (names[rows] == group).astype(np.float64)
    own = np.asarray(clusters, dtype=np.str_)[rows]
    slope = slope_within(values[rows], is_group, of_stratum[rows], own, minimum_n=minimum_n, level=1 - alpha)
    degrees = slope.clusters - 1
    has_error = math.isfinite(slope.error)
    return Gap(
        attribute,
        group,
        reference,
        int(rows.sum()),
        slope.clusters,
        float(values[rows][is_group == 1].mean()) if rows.any() else math.nan,
        float(values[rows][is_group == 0].mean()) if rows.any() else math.nan,
        slope.estimate,
        margin,
        slope.p,
        equivalence_p(slope.estimate.value, slope.error, degrees, margin) if has_error else math.nan,
        detectable_gap(slope.error, slope.clusters, alpha=alpha) if has_error else math.nan,
    )
