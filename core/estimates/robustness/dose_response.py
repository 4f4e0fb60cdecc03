"""How the change grows with the strength of the variants, within each origin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Codes, Floats
from core.statistics.intervals import mean_interval
from core.statistics.least_squares import slope_within
from core.types import Estimate


@dataclass(frozen=True, slots=True)
class DoseStep:
    """The pairs at one strength and their mean change."""

    strength: float
    n: int
    cases: int
    change: Estimate


@dataclass(frozen=True, slots=True)
class DoseResponse:
    """The change at each strength of a family, and the slope: by how much it moves from strength 0 to strength 1.

    The slope compares variants of the same origin alone, so that families which can't change every query at every
    strength are not compared over different queries. Its `n` counts the clusters with two strengths or more.
    """

    family: str
    steps: tuple[DoseStep, ...]
    slope: Estimate
    p: float


def dose_response(
    difference: Floats,
    strengths: Floats,
    origins: Sequence[str],
    clusters: Sequence[str],
    *,
    family: str,
    within: tuple[float, float] = (-math.inf, math.inf),
    minimum_n: int = 5,
    level: float = 0.95,
) -> DoseResponse:
    """Least squares within origins of the change (N,) on the strength (N,); errors by sums over clusters.

    NaN differences are left out. The variance is Liang and Zeger's with the factor G / (G − 1), t has one degree fewer
    than clusters with two strengths; with fewer than `minimum_n` of these, or without any spread, there are no bounds.
    Source: Liang & Zeger 1986; Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, III.A.
    """
    clear = np.isfinite(difference) & np.isfinite(strengths)
    y, x = difference[clear], strengths[clear]
    codes, of_origin = (_codes(names, clear) for names in (clusters, origins))
    width = within[1] - within[0]
    bounds = (-width, width) if math.isfinite(width) else (-math.inf, math.inf)
    steps = [
        DoseStep(
            float(strength),
            int((x == strength).sum()),
            len(np.unique(codes[x == strength])),
            mean_interval(y[x == strength], clusters=codes[x == strength], level=level, within=bounds),
        )
        for strength in np.unique(x)
    ]
    slope = slope_within(
        y,
        x,
        of_origin,
        codes,
        minimum_n=minimum_n,
        level=level,
        method="least squares within origins, clustered t",
        count_clusters=True,
    )
    return DoseResponse(family, tuple(steps), slope.estimate, slope.p)


def _codes(names: Sequence[str], clear: Bools) -> Codes:
    return np.unique(np.asarray(names, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
