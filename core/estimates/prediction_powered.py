"""Prediction-powered pass rates: the metric's word on every sample, corrected by labels on some of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.arrays import Floats
from core.estimates.influence import NEGLIGIBLE, ROUNDING, Influence, LabelledRun, influence, sum_by, tune
from core.records.codec import Codec
from core.records.layout import Group, JsonObject, Key, Layout
from core.statistics.effective_n import kish_n, rate_interval, t_quantile
from core.types import Estimate

VERDICT_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class OfTheseAnswers:
    """The pass rate of the very samples of the run, were they all labelled; exact where they are.

    The values are those of answers like these; the intervals leave out that other samples would pass at another rate.
    """

    labels_only: Estimate
    ppi: Estimate

    @property
    def is_exact(self) -> bool:
        """Whether labels on all samples leave nothing open."""
        return self.ppi.low == self.ppi.high


@dataclass(frozen=True, slots=True)
class PassRateEstimates:
    """The pass rate three ways, with what the metric adds to the labels, of answers like those of the run: all that
    the system would give to such questions. `of_these` is of the run's own samples, None in earlier documents.

    `naive` takes the machine's verdicts for people's: biased, and without an interval. `labels_only` is Hájek's ratio
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
    of_these: OfTheseAnswers | None = None

    def document(self) -> JsonObject:
        """The parts of `hcat estimate --json`."""
        return _DOCUMENT.write_object(self)


PASS_RATE: Layout = (
    Group("estimates", ("naive", "labels_only", "ppi")),
    Key("lambda", "lambda_"),
    *("effective_n", "labels_only_effective_n", "n_samples", "n_labels", "unscored", "note"),
    Key("these_answers", "of_these"),
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
    Intervals are Wilson's at the effective n, with Korn and Graubard's correction for degrees of freedom. `of_these`
    has those of the run's own N samples (`rate_of_these`).
    Without labels every value but the naive one is NaN; with one, or one cluster, it has no bounds.
    Source: Angelopoulos, Duchi & Zrnic 2023, PPI++, sections 2 and 6; Särndal, Swensson & Wretman, chapter 9.
    """
    run = run.numbered()
    parts = influence(run)
    plain = plain_labels(run)
    alone, powered = labels_only_rate(parts, plain, level=level), powered_rate(parts, plain, level=level)
    return PassRateEstimates(
        naive=_naive(run, verdict_threshold),
        labels_only=alone.rate,
        ppi=powered.rate,
        lambda_=powered.lambda_,
        effective_n=powered.effective_n,
        labels_only_effective_n=alone.effective_n,
        standard_error=powered.standard_error,
        labels_only_standard_error=alone.standard_error,
        n_samples=len(run.passed),
        n_labels=parts.n,
        unscored=int(np.isnan(run.prediction).sum()),
        note=note,
        of_these=OfTheseAnswers(
            rate_of_these(run, parts, level=level),
            rate_of_these(run, parts, lambda_=powered.lambda_, inflation=powered.inflation, level=level),
        ),
    )


def rate_of_these(
    run: LabelledRun, parts: Influence, *, lambda_: float = 0.0, inflation: float = 1.0, level: float = 0.95
) -> Estimate:
    """The rate of the run's own samples, with so much trust in predictions, whose choice inflates the variance so.

    The variance is that of the draw of labels. No bound lies beyond what labels leave possible: those that pass do so,
    and those that fail. Samples that weigh alike pass at a rate of k/N, so that bounds are rounded outwards to one.
    """
    if parts.draw is None:
        raise ValueError("sums of domains leave out which labels were drawn")
    draw, weights = parts.draw, run.label_weights[run.labelled]
    open_weights = weights * np.sqrt(draw.left)
    by_cluster = sum_by(draw.parts.keys, open_weights)
    squares = float(by_cluster @ by_cluster)
    plain = replace(
        plain_labels(run),
        varying=min(kish_n(open_weights[open_weights > 0]) / max(kish_n(weights), 1.0), 1.0),
        independent=lambda: float(weights.sum() ** 2 / squares) if squares > 0 else math.inf,
        alike=lambda: equal_clusters(by_cluster[by_cluster > 0]),
    )
    fitted = lambda_ > 0
    degrees = min(parts.degrees - fitted, max(plain.alike() - 1 - fitted, 1.0))
    n = plain.effective_n(draw.parts.error(lambda_) * math.sqrt(inflation))
    n *= _degrees_correction(parts.n, degrees, level)
    value, method = parts.labels_only + lambda_ * parts.correction, "PPI++" if lambda_ else "Hájek"
    rate = rate_interval(value, n, n=parts.n, level=level, method=f"{method}, Wilson, of the N samples")
    return _possible(rate, run)


def _possible(rate: Estimate, run: LabelledRun) -> Estimate:
    """The rate and its bounds as far as labels leave them possible."""
    counts, total = run.sample_weights, len(run.passed)
    passes, fails = (float(counts[run.passed == label].sum() / max(total, 1)) for label in (1, 0))
    if total and run.labelled.all():
        return replace(rate, value=passes, low=passes, high=passes)
    if math.isnan(rate.low):
        return rate
    low, high = rate.low, rate.high
    if run.design is None:
        low, high = math.floor(low * total + ROUNDING) / total, math.ceil(high * total - ROUNDING) / total
    value, low, high = (min(max(bound, passes), 1 - fails) for bound in (rate.value, low, high))
    return replace(rate, value=value, low=low, high=high)


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """Plain labels that a standard error is compared with: how many there are, their pass rate by weight (NaN without
    any), the number of all samples, Kish's number of independent labels by weight and cluster, and how many clusters of
    equal weight, all `alike`, would tell the error as surely. `varying` is the share of labels of which it matters
    whether others had been drawn instead: fewer than all where N is finite."""

    n: int
    rate: float
    samples: int
    independent: Callable[[], float]
    alike: Callable[[], float]
    varying: float = 1.0

    @property
    def spread(self) -> float:
        """The variance of one plain label; NaN of fewer than two."""
        return self.rate * (1 - self.rate) * self.n / (self.n - 1) if self.n > 1 else math.nan

    @property
    def seen(self) -> float:
        """The share of the variance of labels that they show themselves, if half a pass and half a fail are added."""
        n = self.n * self.varying
        unseen = (n * self.rate + 0.5) / (n + 1)
        return n * self.rate * (1 - self.rate) / ((n + 1) * unseen * (1 - unseen))

    def degrees(self, parts: Influence, *, fitted: int = 0) -> float:
        """Those of freedom of the error, less so many as were `fitted`. Where there is but one stratum, no more than
        clusters of unlike weight leave, but 1 at least."""
        if parts.strata > 1:
            return parts.degrees - fitted
        return min(parts.degrees - fitted, max(self.alike() - 1 - fitted, 1.0))

    def effective_n(self, error: float) -> float:
        """How many plain labels have this standard error, as far as these labels show it.

        Where few of them fail, or few pass, the standard error says little: failures found with little weight, as by a
        queue that looks for them, make it too small. So the variance is a mean of two, of the labels and of labels
        that differ only in weight and cluster, by the share that is `seen`. Source: decision 0087.
        """
        if math.isnan(error):
            return math.nan
        if self.spread > NEGLIGIBLE and error**2 > NEGLIGIBLE * self.spread / self.samples:
            return 1 / (self.seen * error**2 / self.spread + (1 - self.seen) / self.independent())
        # All labels agree, or all clusters: only weights and clusters say anything.
        return self.independent()


@dataclass(frozen=True, slots=True)
class PoweredRate:
    """The PPI++ rate, its λ, by what the choice of λ inflates the variance, its standard error, and how many simple
    random labels would have that."""

    rate: Estimate
    lambda_: float
    inflation: float
    standard_error: float
    effective_n: float


def powered_rate(parts: Influence, plain: PlainLabels, *, level: float = 0.95) -> PoweredRate:
    """The `ppi` of `estimate_pass_rate`, from what each cluster adds to it."""
    tuned = tune([parts])
    lambda_ = tuned.lambdas[0]
    error = parts.error(lambda_) * math.sqrt(tuned.inflation)
    effective_n = plain.effective_n(error)
    shrunken_n = effective_n * _degrees_correction(parts.n, plain.degrees(parts, fitted=lambda_ > 0), level)
    value = parts.labels_only + lambda_ * parts.correction
    rate = rate_interval(value, shrunken_n, n=parts.n, level=level, method="PPI++, Wilson")
    return PoweredRate(rate, lambda_, tuned.inflation, error, effective_n)


@dataclass(frozen=True, slots=True)
class LabelsOnly:
    """The pass rate by labels alone, its standard error, how many simple random labels would tell as much, and the rate
    of the run's own samples, where that was asked for."""

    rate: Estimate
    standard_error: float
    effective_n: float
    of_these: Estimate | None = None


def estimate_labels_only(run: LabelledRun, *, level: float = 0.95) -> LabelsOnly:
    """The `labels_only` of `estimate_pass_rate`, without the estimates beside it."""
    numbered = run.numbered()
    parts = influence(numbered)
    found = labels_only_rate(parts, plain_labels(numbered), level=level)
    return replace(found, of_these=rate_of_these(numbered, parts, level=level))


def labels_only_rate(parts: Influence, plain: PlainLabels, *, level: float = 0.95) -> LabelsOnly:
    """The same from what each cluster adds to it."""
    error = parts.error(0.0)
    effective_n = plain.effective_n(error)
    shrunken_n = effective_n * _degrees_correction(parts.n, plain.degrees(parts), level)
    rate = rate_interval(parts.labels_only, shrunken_n, n=parts.n, level=level, method="Hájek, Wilson")
    return LabelsOnly(rate, error, effective_n)


def plain_labels(run: LabelledRun) -> PlainLabels:
    """What the errors of this run are compared with."""
    drawn = run.labelled
    y, weights = run.passed[drawn], run.label_weights[drawn]
    rate = float(np.average(y, weights=weights)) if y.size else math.nan
    by_cluster = lru_cache(maxsize=1)(lambda: sum_by(run.keys[drawn], weights))
    return PlainLabels(
        y.size, rate, len(run.passed), lambda: kish_n(by_cluster()), lambda: equal_clusters(by_cluster())
    )


def equal_clusters(weights: Floats) -> float:
    """So many clusters of one weight have a variance that is known as surely as that of clusters of these (n,).

    Satterthwaite's number where what a cluster adds is as large as its weight: for labels that are each for themselves,
    and for clusters whose labels agree. Kish's, which supposes less of a large cluster, is too sure (decision 0087).
    """
    return kish_n(weights**2)


def _degrees_correction(n: int, degrees: float, level: float) -> float:
    if n < 2 or degrees < 1:
        return math.nan
    return (t_quantile(level, n - 1) / t_quantile(level, degrees)) ** 2


def _naive(run: LabelledRun, threshold: float) -> Estimate:
    """The share of verdicts "pass", which estimates nothing and so has no bounds."""
    scored = ~np.isnan(run.prediction)
    hits = np.asarray(run.prediction[scored] >= threshold, dtype=np.float64)
    share = min(float(np.average(hits, weights=run.sample_weights[scored])), 1.0) if len(hits) else math.nan
    return Estimate(share, math.nan, math.nan, len(hits), method=f"share of verdicts ≥ {threshold:g}")
