"""The growth of the change with the strength of the variants, within each origin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.mean_score import MeanScore, by_cluster, mean_score
from hcat.core.statistics.multiplicity import holm
from hcat.core.types import Estimate, Verdict

TREND_AT = 0.05
TREND = Verdict(
    name="dose and response",
    words=("a trend is shown",),
    claim="The change grows or shrinks with the strength of the variants.",
    error=TREND_AT,
    family="all families of variants with two strengths or more, on one outcome (Holm)",
    decides="hcat.core.capabilities.robustness.dose_response:judged_trends",
    carried_by="hcat.core.capabilities.robustness.dose_response:DoseResponse.has_trend",
)
METHOD = "least squares within origins, by clusters"
_NO_SPREAD = 1e-20


@dataclass(frozen=True, slots=True)
class DoseStep:
    """The pairs at one strength and their mean change."""

    strength: float
    n: int
    cases: int
    change: Estimate


@dataclass(frozen=True, slots=True)
class DoseResponse:
    """The change at each strength of a family, and the slope: the change from strength 0 to strength 1.

    The slope compares variants of the same origin alone, so that families which can't change every query at every
    strength are not compared over different queries. Its `n` counts the clusters with two strengths or more. `p` is of
    no slope, `p_holm` adjusted over the families of one outcome; NaN if nothing is tested."""

    family: str
    steps: tuple[DoseStep, ...]
    slope: Estimate
    p: float
    p_holm: float = math.nan

    @property
    def has_trend(self) -> bool:
        """Whether the slope is significant."""
        return self.p_holm <= TREND_AT


def dose_response(
    difference: Floats,
    strengths: Floats,
    origins: Sequence[str],
    clusters: Sequence[str],
    *,
    family: str,
    within: tuple[float, float] = (-math.inf, math.inf),
    touches_end: bool = True,
    minimum_n: int = 5,
    level: float = 0.95,
) -> DoseResponse:
    """Least squares within origins of the change (N,) on the strength (N,), tested by sums over clusters.

    NaN differences are left out. The slope is a ratio of sums over clusters, Σ x y / Σ x² of strengths less their mean
    in the origin. It is tested as a mean is (`mean_score`), since changes within an origin differ by at most the
    outcome's range. `touches_end` says whether any outcome is at an end of it. Without `minimum_n` clusters with two
    strengths there are no bounds. Source: Cameron & Miller 2015, A practitioner's guide to cluster-robust inference,
    III.A."""
    clear = np.isfinite(difference) & np.isfinite(strengths)
    y, x = difference[clear], strengths[clear]
    codes, of_origin = (_codes(names, clear) for names in (clusters, origins))
    width = within[1] - within[0]

    def change(rows: Bools) -> MeanScore:
        sums = by_cluster(y[rows], codes[rows])
        return mean_score(*sums, ends=(-width, width), touches_end=touches_end, of_differences=True)

    at = [(float(strength), change(x == strength), int((x == strength).sum())) for strength in np.unique(x)]
    steps = tuple(DoseStep(strength, n, test.clusters, test.interval(level, n)) for strength, test, n in at)
    slope = _slope(y, _centred(x, of_origin), codes, width, touches_end=touches_end)
    nothing = Estimate(math.nan, math.nan, math.nan, 0, level, METHOD)
    if slope is None:
        return DoseResponse(family, steps, nothing, math.nan)
    if slope.clusters < max(minimum_n, 2):
        return DoseResponse(family, steps, replace(nothing, value=slope.value, n=slope.clusters), math.nan)
    estimate = replace(slope.interval(level, slope.clusters), method=METHOD)
    return DoseResponse(family, steps, estimate, slope.p() if math.isfinite(estimate.low) else math.nan)


def judged_trends(doses: Sequence[DoseResponse]) -> tuple[DoseResponse, ...]:
    """The families of one outcome with their p adjusted over all of them (Holm)."""
    adjusted = holm([each.p for each in doses]).tolist()
    return tuple(replace(each, p_holm=p) for each, p in zip(doses, adjusted, strict=True))


def _slope(y: Floats, x: Floats, codes: Codes, width: float, *, touches_end: bool) -> MeanScore | None:
    """The slope of y on x, which is centred within origins; None if no origin has two strengths."""
    number = int(codes.max(initial=-1)) + 1
    sums, squares, reach = (
        np.bincount(codes, weights=each, minlength=number).astype(np.float64) for each in (x * y, x * x, np.abs(x))
    )
    informative = squares > _NO_SPREAD
    if not informative.any():
        return None
    end = width / 2 * float(reach[informative].sum() / squares[informative].sum())
    return mean_score(
        sums[informative], squares[informative], ends=(-end, end), touches_end=touches_end, of_differences=True
    )


def _centred(values: Floats, codes: Codes) -> Floats:
    """Each value less the mean of its origin."""
    if not len(values):
        return values
    means = np.bincount(codes, weights=values) / np.maximum(np.bincount(codes), 1)
    return np.asarray(values - means[codes], dtype=np.float64)


def _codes(names: Sequence[str], clear: Bools) -> Codes:
    return np.unique(np.asarray(names, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
