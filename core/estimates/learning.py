"""What labels have bought so far, one after another, and what more of them would buy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.calibration.discrimination import auc_estimate
from core.calibration.labelled import moment
from core.estimates.effective_n import rate_interval, t_quantile
from core.estimates.influence import LabelledRun
from core.estimates.planning import quality_of
from core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from core.estimates.run_estimates import prepare_run
from core.types import Criterion, Estimate, Label

if TYPE_CHECKING:
    from core.scores import ScoreTable

FIRST = 10
"""Before this many labels no interval is worth drawing."""


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """What was known after the first `labels` labelled samples; `auc` is of predictions that never saw their label."""

    labels: int
    estimates: PassRateEstimates
    auc: Estimate


@dataclass(frozen=True, slots=True)
class ForecastPoint:
    """The width of the interval to expect after `labels` labels, and between which ends the forecast holds."""

    labels: int
    width: float
    low: float
    high: float


def learning_curve(
    labels: Iterable[Label],
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    strata: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
    points: int = 8,
    level: float = 0.95,
) -> tuple[LearningPoint, ...]:
    """The estimates as they stood after the first labels, at up to `points` numbers of samples that grow by a factor.

    Samples come in the order of their first label; one without a time comes first, in the order given. Labels drawn
    at random in that order make each point a sample of the run; otherwise early points are as biased as early labels.
    """
    held = [label for label in labels if label.criterion == criterion.name]
    held.sort(key=moment)
    known = set(scores.sample_ids)
    order = [name for name in dict.fromkeys(label.sample_id for label in held) if name in known]
    made = []
    for size in _sizes(len(order), points):
        first = set(order[:size])
        prepared = prepare_run(
            [label for label in held if label.sample_id in first],
            scores,
            criterion=criterion,
            metrics=metrics,
            method=method,
            strata=strata,
            clusters=clusters,
        )
        estimates = estimate_pass_rate(prepared.run, level=level, note=prepared.note)
        made.append(LearningPoint(estimates.n_labels, estimates, _auc(prepared.run, level)))
    return tuple(made)


def forecast(estimates: PassRateEstimates, sizes: Sequence[int], *, level: float = 0.95) -> tuple[ForecastPoint, ...]:
    """The width of PPI++'s interval at other numbers of labels of the same run, drawn in the same way.

    Its square falls as ((1 − R²)/n + R²/N), about as 1/n while n is far below N; R² is what the labels so far show. The
    ends let the pass rate lie anywhere in its interval, and R in Fisher's, and take the widest and the narrowest.
    None where there is no interval yet. Source: Angelopoulos, Duchi & Zrnic 2023, section 6; Fisher 1921.
    """
    if not (math.isfinite(estimates.ppi.low) and math.isfinite(estimates.ppi.high)):
        return ()
    rate, low, high = estimates.ppi.value, estimates.ppi.low, estimates.ppi.high
    n = estimates.n_labels
    quality = _quality(estimates)
    rates = [low, high, *([0.5] if low < 0.5 < high else [])]
    qualities = _fisher(quality, n, level)
    made = []
    for size in sizes:
        widths = [_width(estimates, size, r, q, level) for r in rates for q in qualities]
        width = _width(estimates, size, rate, quality, level)
        made.append(ForecastPoint(size, width, min(*widths, width), max(*widths, width)))
    return tuple(made)


def forecast_interval(estimates: PassRateEstimates, n: int, *, level: float = 0.95) -> Estimate:
    """The interval that n labels would give if the pass rate and the metric's quality stay what they are now."""
    return _interval(estimates, n, estimates.ppi.value, _quality(estimates), level)


def _auc(run: LabelledRun, level: float) -> Estimate:
    both = run.labelled & ~np.isnan(run.prediction)
    weights = None if run.weights is None else run.weights[both]
    equal = weights is None or len(set(weights.tolist())) < 2
    return auc_estimate(
        run.prediction[both],
        run.passed[both] == 1,
        weights=None if equal else weights,
        clusters=None if run.clusters is None else run.clusters[both],
        level=level,
    )


def _quality(estimates: PassRateEstimates) -> float:
    errors = estimates.labels_only_standard_error, estimates.standard_error
    return quality_of(*errors, n=estimates.n_labels, samples=estimates.n_samples)


def _interval(estimates: PassRateEstimates, n: int, rate: float, quality: float, level: float) -> Estimate:
    # How much less a label tells than a plain random one, for its weight or its test case.
    effect = estimates.labels_only_effective_n / estimates.n_labels
    variance = (1 - quality) / (effect * n) + quality / estimates.n_samples
    few = (t_quantile(level, math.inf) / t_quantile(level, max(n - 1, 1))) ** 2
    return rate_interval(rate, few / variance, n=n, level=level, method="forecast, Wilson")


def _width(estimates: PassRateEstimates, n: int, rate: float, quality: float, level: float) -> float:
    made = _interval(estimates, n, rate, quality, level)
    return made.high - made.low


def _fisher(quality: float, n: int, level: float) -> tuple[float, float]:
    """The ends of R² by Fisher's interval of the correlation R; all that is possible with three labels or less."""
    if n <= 3:
        return (0.0, 1 - 1e-9)
    centre, half = math.atanh(math.sqrt(quality)), t_quantile(level, math.inf) / math.sqrt(n - 3)
    return math.tanh(max(0.0, centre - half)) ** 2, min(math.tanh(centre + half) ** 2, 1 - 1e-9)


def _sizes(n: int, points: int) -> list[int]:
    if n < FIRST:
        return [n] if n else []
    return sorted({round(size) for size in np.geomspace(FIRST, n, max(points, 2)).tolist()})
