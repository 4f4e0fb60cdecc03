"""Prediction-powered pass rates: the metric's predictions for every sample, corrected by labels on some of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.estimates.influence import ROUNDING, Influence, influence, tune
from hcat.core.estimates.labelled_run import LabelledRun, sum_by
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Group, JsonObject, Key, Layout
from hcat.core.statistics.clusters import equal_clusters
from hcat.core.statistics.effective_n import kish_n, rate_interval, t_quantile
from hcat.core.types import Estimate

VERDICT_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class OfTheseAnswers:
    """The pass rate of the very samples of the run, if all were labelled; exact if they are.

    The values are those for answers like these; the intervals leave out that other samples would pass at another
    rate."""

    labels_only: Estimate
    ppi: Estimate

    @property
    def is_exact(self) -> bool:
        """Whether labels on all samples leave no uncertainty."""
        return self.ppi.low == self.ppi.high


@dataclass(frozen=True, slots=True)
class PassRateEstimates:
    """The pass rate by three methods, for answers like those of the run.

    That is all that the system would give to such questions. `of_these` is of the run's own samples, None in earlier
    documents. `naive` treats the machine's verdicts as people's: biased, and without an interval. `labels_only` is
    Hájek's ratio (by stratum, if there are strata). `ppi` is PPI++ with trust `lambda_` in the predictions, 0 to 1.
    `effective_n` and `labels_only_effective_n` are the numbers of simple random labels with the same standard error.
    `unscored` samples have no verdict; `ppi` uses the mean prediction for them. `note` says what was not done."""

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
    of its influence function over all N samples, which is valid for labels nested in the run, for unequal weights, for
    strata, for clusters and for design weights (means over the N samples are then Hájek's), and is Hájek's linearised
    variance at λ = 0. λ minimises it within [0, 1] and stays 0 if the gain is less than the loss of a degree of
    freedom. For equal weights the estimator is ppi-python's; its λ, on unlabelled samples alone, is ours times (N −
    n)/N. Intervals are Wilson's at the effective n, with Korn and Graubard's correction for degrees of freedom.
    `of_these` has those of the run's own N samples (`rate_of_these`). Without labels every value but the naive one is
    NaN; with one, or one cluster, it has no bounds. Source: Angelopoulos, Duchi & Zrnic 2023, PPI++, sections 2 and 6;
    Särndal, Swensson & Wretman, chapter 9."""
    run = run.numbered()
    parts = influence(run)
    alone, powered = rate_at(parts, level=level), powered_rate(parts, level=level)
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
    """The rate of the run's own samples, at this trust in predictions, whose choice inflates the variance.

    The variance is that of the draw of labels. No bound exceeds what labels leave possible: labelled passes pass, and
    labelled fails fail. If all samples have equal weights, the rate is k/N, so that bounds are rounded outwards to such
    a rate."""
    if parts.draw is None:
        raise ValueError("sums of domains leave out which labels were drawn")
    draw, weights = parts.draw, run.label_weights[run.labelled]
    open_weights = weights * np.sqrt(draw.left)
    by_cluster = sum_by(draw.parts.keys, open_weights)
    squares = float(by_cluster @ by_cluster)
    plain = replace(
        parts.plain,
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
    """The rate and its bounds, cut to what labels leave possible."""
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
class LabelledRate:
    """A pass rate at a trust `lambda_` in the predictions, with its standard error and effective n.

    The choice of λ multiplies the variance by `inflation`. `degrees` are those of the standard error, `effective_n` is
    the number of simple random labels with it. `of_these` is the rate of the run's own samples, if requested."""

    rate: Estimate
    standard_error: float
    effective_n: float
    degrees: float
    lambda_: float = 0.0
    inflation: float = 1.0
    of_these: Estimate | None = None

    def at(self, level: float, *, compared: bool = False) -> Estimate:
        """The rate with its interval at another level.

        If it is `compared` with another, plain labels lose degrees of freedom too: else two equal rates of 12 labels
        differ significantly with probability .066 at .05."""
        n = self.effective_n * _degrees_correction(math.inf if compared else self.rate.n, self.degrees, level)
        return rate_interval(self.rate.value, n, n=self.rate.n, level=level, method=self.rate.method)


def estimate_labels_only(run: LabelledRun, *, level: float = 0.95) -> LabelledRate:
    """The `labels_only` of `estimate_pass_rate`, without its other estimates."""
    numbered = run.numbered()
    parts = influence(numbered)
    return replace(rate_at(parts, level=level), of_these=rate_of_these(numbered, parts, level=level))


def powered_rate(parts: Influence, *, level: float = 0.95) -> LabelledRate:
    """The `ppi` of `estimate_pass_rate`, from the influence of each cluster."""
    tuned = tune([parts])
    lambda_, inflation = tuned.lambdas[0], tuned.inflation
    return rate_at(parts, lambda_, inflation=inflation, fitted=int(lambda_ > 0), level=level, method="PPI++")


def rate_at(
    parts: Influence,
    lambda_: float = 0.0,
    *,
    inflation: float = 1.0,
    fitted: int = 0,
    level: float = 0.95,
    method: str = "Hájek",
) -> LabelledRate:
    """The rate at this trust in predictions, of so many that were `fitted`; with none, that of labels alone."""
    error, degrees = parts.error(lambda_) * math.sqrt(inflation), parts.degrees_less(fitted)
    value = parts.labels_only + lambda_ * parts.correction
    bare = Estimate(value, math.nan, math.nan, parts.n, level, f"{method}, Wilson")
    effective_n = parts.effective_n(lambda_, inflation=inflation)
    found = LabelledRate(bare, error, effective_n, degrees, lambda_, inflation)
    return replace(found, rate=found.at(level))


def _degrees_correction(n: float, degrees: float, level: float) -> float:
    if n < 2 or degrees < 1:
        return math.nan
    return (t_quantile(level, n - 1) / t_quantile(level, degrees)) ** 2


def _naive(run: LabelledRun, threshold: float) -> Estimate:
    """The share of verdicts "pass", which estimates nothing and so has no bounds."""
    scored = ~np.isnan(run.prediction)
    hits = np.asarray(run.prediction[scored] >= threshold, dtype=np.float64)
    share = min(float(np.average(hits, weights=run.sample_weights[scored])), 1.0) if len(hits) else math.nan
    return Estimate(share, math.nan, math.nan, len(hits), method=f"share of verdicts ≥ {threshold:g}")
