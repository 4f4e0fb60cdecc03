"""The difference in pass rate between two runs, paired by cluster."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.errors import HcatError
from core.estimates.influence import ROUNDING, Influence, LabelledRun, influence, sum_by, tune
from core.estimates.prediction_powered import (
    PASS_RATE,
    PassRateEstimates,
    estimate_pass_rate,
)
from core.records.codec import Codec
from core.records.layout import Group, JsonObject
from core.statistics.effective_n import t_quantile
from core.statistics.growth import MOST, n_until
from core.statistics.proportions import newcombe_difference
from core.types import Estimate, Verdict

DIFFERENCE = Verdict(
    name="difference of two runs",
    words=("more than chance explains",),
    claim="The two runs pass at different rates.",
    error=0.05,
    family="one pair of runs on one criterion",
    decides="core.estimates.paired_difference:estimate_difference",
    carried_by="core.estimates.paired_difference:DifferenceEstimates.ppi",
)


@dataclass(frozen=True, slots=True)
class DifferenceEstimates:
    """Second run minus first, three ways; `lambdas` is the trust in each run's predictions for the difference.

    `pairs` counts clusters with a label on both runs. `correlation` is that of the two estimates, as PPI++ takes
    them: above 0, pairing has narrowed the interval. `p` is that of PPI++ against no difference, two-sided; NaN where
    the labels show no variance. `first` and `second` are the runs on their own.
    """

    naive: Estimate
    labels_only: Estimate
    ppi: Estimate
    lambdas: tuple[float, float]
    standard_error: float
    labels_only_standard_error: float
    correlation: float
    p: float
    pairs: int
    first: PassRateEstimates
    second: PassRateEstimates
    note: str = ""

    def document(self) -> JsonObject:
        """The same parts as `PassRateEstimates.document`, and both runs."""
        return _DOCUMENT.write_object(self)


def labels_until_different(found: DifferenceEstimates, *, level: float = 0.95) -> int | None:
    """How many labels on both runs it would take until the difference is shown, if it is what it is now; None where no
    number would do, and where it is shown or can't be told."""
    value = found.ppi
    if not (value.low <= 0 <= value.high) or not found.standard_error > 0:
        return None
    needed = n_until(abs(value.value) / found.standard_error, value.n, lambda _: (1 - level) / 2)
    return int(needed) if needed <= MOST else None


_DOCUMENT = Codec(
    {
        DifferenceEstimates: (
            Group("estimates", ("naive", "labels_only", "ppi")),
            *("lambdas", "correlation", "p", "pairs", "first", "second", "note"),
        ),
        PassRateEstimates: PASS_RATE,
    }
)


def estimate_difference(
    first: LabelledRun, second: LabelledRun, *, level: float = 0.95, note: str = ""
) -> DifferenceEstimates:
    """The pass rate of the second run minus that of the first, each in [0, 1], with t intervals.

    Both runs must name their clusters: what a cluster adds to both estimates is subtracted before it is
    squared, so that labels on both runs of one cluster are paired, and others still count. The two λ are tuned
    together, for the difference. A width of 0 would be false: where the labels show no variance at all, the interval
    is Newcombe's hybrid of the two Wilson intervals, and where all clusters differ alike, Tango's.
    """
    if first.clusters is None or second.clusters is None:
        raise HcatError("a paired difference needs the cluster of every sample in both runs")
    first, second = _numbered(first, second)
    sides = (influence(first), influence(second))
    between = _between(sides)
    alone = (estimate_pass_rate(first, level=level), estimate_pass_rate(second, level=level))
    n = sides[0].n + sides[1].n
    fallback = None
    if between.flat:
        fallback = newcombe_difference(alone[0].labels_only, alone[1].labels_only, n=n)
    elif between.plain <= ROUNDING:
        fallback = _all_differ_alike(between.labels_only, int(between.degrees) + 1, n=n, level=level)
    return DifferenceEstimates(
        naive=_naive(*alone),
        labels_only=fallback or between.plain_t(n, level=level),
        ppi=fallback or between.powered_t(n, level=level),
        lambdas=between.lambdas,
        standard_error=between.powered,
        labels_only_standard_error=between.plain,
        correlation=_correlation(sides, between.lambdas),
        p=between.p,
        pairs=len(np.intersect1d(first.keys[first.labelled], second.keys[second.labelled])),
        first=alone[0],
        second=alone[1],
        note=note,
    )


def corrected_difference(sides: tuple[Influence, Influence], *, level: float = 0.95) -> tuple[Estimate, float]:
    """The `ppi` of `estimate_difference` and its p, from what each cluster adds to both rates. Where p is NaN, labels
    show no variance, or are too few, and there is no interval."""
    between, n = _between(sides), sides[0].n + sides[1].n
    if not math.isnan(between.p) and between.plain <= ROUNDING:
        return _all_differ_alike(between.labels_only, int(between.degrees) + 1, n=n, level=level), between.p
    return between.powered_t(n, level=level), between.p


@dataclass(frozen=True, slots=True)
class _Between:
    """Second rate less first: by labels alone and by PPI++ with their standard errors. `flat` where neither side's
    labels show any variance."""

    labels_only: float
    plain: float
    lambdas: tuple[float, float]
    value: float
    powered: float
    degrees: float
    powered_degrees: float
    flat: bool

    @property
    def p(self) -> float:
        """Of PPI++ against no difference."""
        return math.nan if self.flat else _p(self.value, self.powered, self.powered_degrees)

    def plain_t(self, n: int, *, level: float) -> Estimate:
        """The difference by n labels alone, with its t interval."""
        return _t(self.labels_only, self.plain, self.degrees, n, level, "Hájek, paired t")

    def powered_t(self, n: int, *, level: float) -> Estimate:
        """The difference by PPI++ of n labels, with its t interval."""
        return _t(self.value, self.powered, self.powered_degrees, n, level, "PPI++, paired t")


def _between(sides: tuple[Influence, Influence]) -> _Between:
    tuned = tune(list(sides), signs=(-1.0, 1.0))
    lambdas = (tuned.lambdas[0], tuned.lambdas[1])
    degrees = min(side.degrees for side in sides)
    rates = [side.labels_only + lambda_ * side.correction for side, lambda_ in zip(sides, lambdas, strict=True)]
    return _Between(
        labels_only=sides[1].labels_only - sides[0].labels_only,
        plain=_error(sides, (0.0, 0.0)),
        lambdas=lambdas,
        value=rates[1] - rates[0],
        powered=_error(sides, lambdas) * math.sqrt(tuned.inflation),
        degrees=degrees,
        powered_degrees=degrees - sum(lambda_ > 0 for lambda_ in lambdas),
        flat=all(float(side.constant @ side.constant) <= ROUNDING**2 for side in sides),
    )


def _numbered(first: LabelledRun, second: LabelledRun) -> tuple[LabelledRun, LabelledRun]:
    """The runs with clusters numbered from 0 over both: since numbers sort much faster than names."""
    if all(run.keys.dtype.kind == "i" for run in (first, second)):
        return first, second
    names = [np.asarray(run.keys).astype(np.str_) for run in (first, second)]
    _, codes = np.unique(np.concatenate(names), return_inverse=True)
    cut = len(first.passed)
    return replace(first, clusters=codes[:cut]), replace(second, clusters=codes[cut:])


def _error(sides: tuple[Influence, Influence], lambdas: tuple[float, float]) -> float:
    if min(side.degrees for side in sides) < 1:
        return math.nan
    moved = [side.constant + lambda_ * side.slope for side, lambda_ in zip(sides, lambdas, strict=True)]
    keys = np.concatenate([side.keys for side in sides])
    by_case = sum_by(keys, np.concatenate([-moved[0], moved[1]]))
    return math.sqrt(float(by_case @ by_case) + sides[0].floor + sides[1].floor)


def _correlation(sides: tuple[Influence, Influence], lambdas: tuple[float, float]) -> float:
    alone = [side.error(lambda_) for side, lambda_ in zip(sides, lambdas, strict=True)]
    together = _error(sides, lambdas)
    if not alone[0] * alone[1] > 0:
        return math.nan
    return (alone[0] ** 2 + alone[1] ** 2 - together**2) / (2 * alone[0] * alone[1])


def _t(value: float, error: float, degrees: float, n: int, level: float, method: str) -> Estimate:
    half = t_quantile(level, degrees) * error if degrees > 0 else math.nan
    if math.isnan(half):
        return Estimate(value, math.nan, math.nan, n, level, method)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, level, method)


def _p(value: float, error: float, degrees: float) -> float:
    from scipy.special import stdtr

    if not degrees > 0 or math.isnan(error):
        return math.nan
    if error <= ROUNDING:
        return 1.0 if abs(value) <= ROUNDING else math.nan
    return 2 * float(stdtr(degrees, -abs(value) / error))


def _all_differ_alike(value: float, cases: int, *, n: int, level: float) -> Estimate:
    """Where the two runs differ alike in every cluster, most often not at all: a width of 0 would be false.

    ± z² / (cases + z²) about the difference, the score interval of pairs of which none differs. Source: Tango 1998,
    Equivalence test and confidence interval for the difference in proportions for the paired-sample design.
    """
    z2 = t_quantile(level, math.inf) ** 2
    half = z2 / (cases + z2)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, level, "all pairs differ alike, Tango")


def _naive(first: PassRateEstimates, second: PassRateEstimates) -> Estimate:
    """The difference in the share of verdicts “pass”, which estimates nothing and so has no bounds."""
    a, b = first.naive, second.naive
    return Estimate(b.value - a.value, math.nan, math.nan, a.n + b.n, method="difference in verdicts")
