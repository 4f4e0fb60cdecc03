"""Prediction-powered pass rates: the metric's word on every sample, corrected by labels on some of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Bools
from core.estimates.influence import NEGLIGIBLE, Influence, LabelledRun, influence, sum_by, tune
from core.records.codec import Codec
from core.records.layout import Group, JsonObject, Key, Layout
from core.statistics.clusters import case_codes, rate_effective_n, weighted_effective_n
from core.statistics.effective_n import kish_n, rate_interval, t_quantile
from core.types import Estimate

VERDICT_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class PassRateEstimates:
    """The pass rate three ways, with what the metric adds to the labels.

    `naive` takes the machine's verdicts for people's: biased, and too sure of itself. `labels_only` is Hájek's ratio
    (by stratum, where there are strata). `ppi` is PPI++ with trust `lambda_` in the predictions, 0 to 1.
    `effective_n` and `labels_only_effective_n` say how many labels of plain random samples give the same standard
    error. `unscored` samples have no verdict; `ppi` takes the mean prediction for them. `note` says what was not done.
    """

    naive: Estimate
    labels_only: Estimate
    ppi: Estimate
    lambda_: float
    effective_n: float
    labels_only_effective_n: float
    standard_error: float
    labels_only_standard_error: float
    n_samples: int
    n_labels: int
    unscored: int
    note: str = ""

    def document(self) -> JsonObject:
        """The parts of `hcat estimate --json`."""
        return _DOCUMENT.write_object(self)


PASS_RATE: Layout = (
    Group("estimates", ("naive", "labels_only", "ppi")),
    Key("lambda", "lambda_"),
    *("effective_n", "labels_only_effective_n", "n_samples", "n_labels", "unscored", "note"),
)
_DOCUMENT = Codec({PassRateEstimates: PASS_RATE})


def estimate_pass_rate(
    run: LabelledRun, *, verdict_threshold: float = VERDICT_THRESHOLD, level: float = 0.95, note: str = ""
) -> PassRateEstimates:
    """Naive, labels-only and PPI++ estimates of the pass rate in the population that the run's samples come from.

    PPI++ is λ · mean of all predictions + weighted mean of (label − λ · prediction) over labels. Its variance is that
    of its influence function over all N samples, which holds for labels nested in the run, for unequal weights, for
    strata, for clusters and for design weights (means over the N samples are then Hájek's), and is Hájek's linearised
    variance at λ = 0. λ minimises it within [0, 1] and stays 0 where the gain does not make up for the degree of
    freedom that it costs. For equal weights the estimator is ppi-python's; its λ, on unlabelled samples alone, is ours
    times (N − n)/N.
    Intervals are Wilson's at the effective n, with Korn and Graubard's correction for degrees of freedom.
    Without labels every value but the naive one is NaN; with one, or one cluster, it has no bounds.
    Source: Angelopoulos, Duchi & Zrnic 2023, PPI++, sections 2 and 6; Särndal, Swensson & Wretman, chapter 9.
    """
    run = run.numbered()
    parts = influence(run)
    plain = plain_labels(run)
    alone, powered = labels_only_rate(parts, plain, level=level), powered_rate(parts, plain, level=level)
    scored = ~np.isnan(run.prediction)
    return PassRateEstimates(
        naive=_naive(run, scored, verdict_threshold, level),
        labels_only=alone.rate,
        ppi=powered.rate,
        lambda_=powered.lambda_,
        effective_n=powered.effective_n,
        labels_only_effective_n=alone.effective_n,
        standard_error=powered.standard_error,
        labels_only_standard_error=alone.standard_error,
        n_samples=len(run.passed),
        n_labels=parts.n,
        unscored=int(np.sum(~scored)),
        note=note,
    )


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """What a standard error is compared with: the variance of one plain sample by the weighted labels (NaN of fewer
    than two), the number of all samples, and as how many plain labels these tell where they do not differ."""

    spread: float
    samples: int
    alike: Callable[[], float]

    def effective_n(self, error: float) -> float:
        """How many plain labels have this standard error."""
        if math.isnan(error):
            return math.nan
        if self.spread > NEGLIGIBLE and error**2 > NEGLIGIBLE * self.spread / self.samples:
            return self.spread / error**2
        # All labels agree, or all clusters: no variance to compare, so that only the weights and the clusters tell.
        return self.alike()


@dataclass(frozen=True, slots=True)
class PoweredRate:
    """The PPI++ rate, its λ and standard error, and how many simple random labels would tell as much."""

    rate: Estimate
    lambda_: float
    standard_error: float
    effective_n: float


def powered_rate(parts: Influence, plain: PlainLabels, *, level: float = 0.95) -> PoweredRate:
    """The `ppi` of `estimate_pass_rate`, from what each cluster adds to it."""
    tuned = tune([parts])
    lambda_ = tuned.lambdas[0]
    error = parts.error(lambda_) * math.sqrt(tuned.inflation)
    effective_n = plain.effective_n(error)
    shrunken_n = effective_n * _degrees_correction(parts.n, parts.degrees - (lambda_ > 0), level)
    value = parts.labels_only + lambda_ * parts.correction
    rate = rate_interval(value, shrunken_n, n=parts.n, level=level, method="PPI++, Wilson")
    return PoweredRate(rate, lambda_, error, effective_n)


@dataclass(frozen=True, slots=True)
class LabelsOnly:
    """The pass rate by labels alone, its standard error, and how many simple random labels would tell as much."""

    rate: Estimate
    standard_error: float
    effective_n: float


def estimate_labels_only(run: LabelledRun, *, level: float = 0.95) -> LabelsOnly:
    """The `labels_only` of `estimate_pass_rate`, without the estimates beside it."""
    numbered = run.numbered()
    return labels_only_rate(influence(numbered), plain_labels(numbered), level=level)


def labels_only_rate(parts: Influence, plain: PlainLabels, *, level: float = 0.95) -> LabelsOnly:
    """The same from what each cluster adds to it."""
    error = parts.error(0.0)
    effective_n = plain.effective_n(error)
    shrunken_n = effective_n * _degrees_correction(parts.n, parts.degrees, level)
    rate = rate_interval(parts.labels_only, shrunken_n, n=parts.n, level=level, method="Hájek, Wilson")
    return LabelsOnly(rate, error, effective_n)


def _spread(run: LabelledRun) -> float:
    """The variance of one plain sample, as the weighted labels show it."""
    y = run.passed[run.labelled]
    if y.size < 2:
        return math.nan
    w = run.label_weights[run.labelled]
    mean = float(np.average(y, weights=w))
    return mean * (1 - mean) * y.size / (y.size - 1)


def plain_labels(run: LabelledRun) -> PlainLabels:
    """What the errors of this run are compared with."""
    drawn = run.labelled
    return PlainLabels(_spread(run), len(run.passed), lambda: kish_n(sum_by(run.keys[drawn], run.label_weights[drawn])))


def _degrees_correction(n: int, degrees: float, level: float) -> float:
    if n < 2 or degrees < 1:
        return math.nan
    return (t_quantile(level, n - 1) / t_quantile(level, degrees)) ** 2


def _naive(run: LabelledRun, scored: Bools, threshold: float, level: float) -> Estimate:
    """The share of verdicts "pass", by cluster as all others: of one cluster alone it has no bounds."""
    hits = np.asarray(run.prediction[scored] >= threshold, dtype=np.float64)
    n, weights = len(hits), run.sample_weights[scored]
    codes = None if run.clusters is None else case_codes(run.clusters[scored])
    share = min(float(np.average(hits, weights=weights)), 1.0) if n else math.nan
    effective_n = float(n) if run.design is None or not n else weighted_effective_n(hits, weights)
    if codes is not None:
        alone = int(codes.max()) == 0
        effective_n = math.nan if alone else rate_effective_n(hits, weights, codes, level=level)
    method = f"share of verdicts ≥ {threshold:g}, Wilson" + ("" if codes is None else ", clustered")
    return rate_interval(share, effective_n, n=n, level=level, method=method)
