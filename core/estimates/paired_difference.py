"""The difference in pass rate between two runs, paired by cluster."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.estimates.influence import ROUNDING, Influence, Tuned, influence, tune
from hcat.core.estimates.labelled_run import LabelledRun, sum_by
from hcat.core.estimates.prediction_powered import (
    PASS_RATE,
    LabelledRate,
    PassRateEstimates,
    estimate_pass_rate,
    rate_at,
)
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Group, JsonObject, Layout
from hcat.core.statistics.effective_n import t_quantile
from hcat.core.statistics.growth import MOST, n_until
from hcat.core.statistics.proportions import newcombe_difference, p_by_interval
from hcat.core.types import Estimate, Verdict

DIFFERENCE = Verdict(
    name="difference of two runs",
    words=("more than chance explains",),
    claim="The two runs pass at different rates.",
    error=0.05,
    family="one pair of runs on one criterion",
    decides="hcat.core.estimates.paired_difference:estimate_difference",
    carried_by="hcat.core.estimates.paired_difference:DifferenceEstimates.ppi",
)
NO_CORRELATION = 1e-9
"""A correlation up to this is rounding."""


@dataclass(frozen=True, slots=True)
class DifferenceEstimates:
    """The difference of two runs, second less first, by three methods.

    `lambdas` is the trust in each run's predictions for the difference. `pairs` counts clusters with a label on both
    runs. `correlation` is that of the two estimates in PPI++: above 0, pairing has narrowed the interval. `p` is that
    of PPI++ for no difference, two-sided; NaN if the labels show no variance. `first` and `second` are the runs on
    their own."""

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
    """The number of labels on both runs at which the observed difference would be significant.

    None if no number would do, and if it already is or can't be tested."""
    value = found.ppi
    if not (value.low <= 0 <= value.high) or not found.standard_error > 0:
        return None
    needed = n_until(abs(value.value) / found.standard_error, value.n, lambda _: (1 - level) / 2)
    return int(needed) if needed <= MOST else None


DIFFERENCE_LAYOUT: Layout = (
    Group("estimates", ("naive", "labels_only", "ppi")),
    *("lambdas", "correlation", "p", "pairs", "first", "second", "note"),
)
_DOCUMENT = Codec({DifferenceEstimates: DIFFERENCE_LAYOUT, PassRateEstimates: PASS_RATE})


def estimate_difference(
    first: LabelledRun, second: LabelledRun, *, level: float = 0.95, note: str = ""
) -> DifferenceEstimates:
    """The pass rate of the second run less that of the first, each in [0, 1], with the hybrid of their two intervals.

    Both runs must name their clusters: the influences of a cluster on both estimates are subtracted before they are
    squared, so that labels on both runs of one cluster are paired, and others still count. The two λ are tuned
    together, for the difference; p and interval are consistent. If all clusters differ equally, it is Tango's. Source:
    Zou & Donner 2008, Construction of confidence limits about effect measures; decision 0097."""
    if first.clusters is None or second.clusters is None:
        raise HcatError("a paired difference needs the cluster of every sample in both runs")
    first, second = _numbered(first, second)
    sides = (influence(first), influence(second))
    alone = (estimate_pass_rate(first, level=level), estimate_pass_rate(second, level=level))
    by_labels, powered = _between(sides, Tuned((0.0, 0.0)), method="Hájek"), _powered(sides)
    return DifferenceEstimates(
        naive=_naive(*alone),
        labels_only=by_labels.interval(level),
        ppi=powered.interval(level),
        lambdas=(powered.rates[0].lambda_, powered.rates[1].lambda_),
        standard_error=powered.error,
        labels_only_standard_error=by_labels.error,
        correlation=powered.correlation,
        p=powered.p,
        pairs=len(np.intersect1d(first.keys[first.labelled], second.keys[second.labelled])),
        first=alone[0],
        second=alone[1],
        note=note,
    )


def corrected_difference(sides: tuple[Influence, Influence], *, level: float = 0.95) -> tuple[Estimate, float]:
    """The `ppi` of `estimate_difference` and its p, from the influence of each cluster on both rates.

    p is NaN if no label differs from any other, or if they are too few."""
    between = _powered(sides)
    return between.interval(level), between.p


@dataclass(frozen=True, slots=True)
class _Between:
    """Two rates and the standard error of their difference, the second less the first.

    `alike` is the number of clusters if all differ equally, and else 0; `silent` says that no label differs from any
    other."""

    rates: tuple[LabelledRate, LabelledRate]
    error: float
    alike: int
    silent: bool

    @property
    def correlation(self) -> float:
        """The correlation of the two rates: above 0, pairing has narrowed the interval. NaN if one has no error."""
        first, second = (rate.standard_error for rate in self.rates)
        return (first**2 + second**2 - self.error**2) / (2 * first * second) if first * second > 0 else math.nan

    def interval(self, level: float) -> Estimate:
        """The hybrid of the two rates' intervals.

        A width of 0 would be wrong: if all clusters differ equally it is Tango's."""
        first, second = (rate.at(level, compared=True) for rate in self.rates)
        n, correlation = first.n + second.n, self.correlation
        if self.alike:
            return _all_differ_alike(second.value - first.value, self.alike, n=n, level=level)
        known = abs(correlation) > NO_CORRELATION  # not if it is NaN
        return newcombe_difference(first, second, n=n, correlation=min(max(correlation, -1.0), 1.0) if known else 0.0)

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference: at most 1 − level if the interval of a level excludes 0."""
        return math.nan if self.silent else p_by_interval(self.interval)


def _powered(sides: tuple[Influence, Influence]) -> _Between:
    """The difference by PPI++, whose two λ are tuned for it."""
    return _between(sides, tune(list(sides), signs=(-1.0, 1.0)), method="PPI++")


def _between(sides: tuple[Influence, Influence], tuned: Tuned, *, method: str) -> _Between:
    lambdas, inflation = tuned.lambdas, tuned.inflation
    fitted = sum(lambda_ > 0 for lambda_ in lambdas)
    first, second = (
        rate_at(side, lambda_, inflation=inflation, fitted=fitted, method=method)
        for side, lambda_ in zip(sides, lambdas, strict=True)
    )
    alike = _error(sides, (0.0, 0.0)) <= ROUNDING
    flat = all(float(side.constant @ side.constant) <= ROUNDING**2 for side in sides)
    return _Between(
        (first, second),
        _error(sides, lambdas) * math.sqrt(inflation),
        int(min(side.degrees for side in sides)) + 1 if alike else 0,
        flat and abs(second.rate.value - first.rate.value) <= ROUNDING,
    )


def _error(sides: tuple[Influence, Influence], lambdas: tuple[float, ...]) -> float:
    if min(side.degrees for side in sides) < 1:
        return math.nan
    moved = [side.constant + lambda_ * side.slope for side, lambda_ in zip(sides, lambdas, strict=True)]
    keys = np.concatenate([side.keys for side in sides])
    by_case = sum_by(keys, np.concatenate([-moved[0], moved[1]]))
    return math.sqrt(float(by_case @ by_case) + sides[0].floor + sides[1].floor)


def _all_differ_alike(value: float, cases: int, *, n: int, level: float) -> Estimate:
    """The interval if the two runs differ equally in every cluster, most often not at all.

    ± z² / (cases + z²) about the difference, the score interval of pairs of which none differs. Source: Tango 1998,
    Equivalence test and confidence interval for the difference in proportions for the paired-sample design."""
    z2 = t_quantile(level, math.inf) ** 2
    half = z2 / (cases + z2)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, level, "all pairs differ alike, Tango")


def _numbered(first: LabelledRun, second: LabelledRun) -> tuple[LabelledRun, LabelledRun]:
    """The runs with clusters numbered from 0 over both, since numbers sort much faster than names."""
    if all(run.keys.dtype.kind == "i" for run in (first, second)):
        return first, second
    names = [np.asarray(run.keys).astype(np.str_) for run in (first, second)]
    _, codes = np.unique(np.concatenate(names), return_inverse=True)
    cut = len(first.passed)
    return replace(first, clusters=codes[:cut]), replace(second, clusters=codes[cut:])


def _naive(first: PassRateEstimates, second: PassRateEstimates) -> Estimate:
    """The difference in the share of verdicts “pass”, which estimates nothing and so has no bounds."""
    a, b = first.naive, second.naive
    return Estimate(b.value - a.value, math.nan, math.nan, a.n + b.n, method="difference in verdicts")
