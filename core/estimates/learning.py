"""The learning curve of labels so far, and a forecast for more of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.estimates.forecast import Forecast
from hcat.core.estimates.planning import effective_n
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.labelling.consensus import labelled_at
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.types import Criterion, Estimate, Label

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

FIRST = 10
"""The least number of labels for an interval."""


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """The estimates from the first `labels` labelled samples."""

    labels: int
    estimates: PassRateEstimates


@dataclass(frozen=True, slots=True)
class ForecastPoint:
    """The expected width of the interval after `labels` labels, and the bounds of that forecast."""

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
    design: Mapping[str, float] | None = None,
    alone: Callable[[Sequence[Label]], Sequence[Label]] | None = None,
    points: int = 8,
    level: float = 0.95,
) -> tuple[LearningPoint, ...]:
    """The estimates from the first labels, at up to `points` numbers of samples that grow geometrically.

    Samples are in the order of their first label; one without a time comes first, in the order given. Labels drawn at
    random in that order make each point a sample of the run; otherwise early points are as biased as early labels. If
    people later disagreed, and fewer labels counted than before, the later estimate replaces the earlier. `alone`
    gives the first labels the probabilities that they had before later queues drew; without it all have their current
    ones."""
    own = [label for label in labels if label.criterion == criterion.name]
    own.sort(key=labelled_at)
    scored = set(scores.sample_ids)
    samples = len({label.sample_id for label in own} & scored)
    curve: list[LearningPoint] = []
    for size in _sizes(samples, points):
        first = _first(own, size, scored)
        prepared = prepare_run(
            first if alone is None else alone(first),
            scores,
            criterion=criterion,
            metrics=metrics,
            method=method,
            strata=strata,
            clusters=clusters,
            design=design,
        )
        estimates = estimate_pass_rate(prepared.run, level=level, note=prepared.note)
        while curve and curve[-1].labels >= estimates.n_labels:
            curve.pop()
        curve.append(LearningPoint(estimates.n_labels, estimates))
    return tuple(curve)


def forecast(ahead: Forecast, sizes: Sequence[int]) -> tuple[ForecastPoint, ...]:
    """The width of PPI++'s interval at other numbers of labels of the same run, drawn in the same way.

    It begins at the current interval and ends at that of all N samples labelled; between them its square falls about as
    1/n − 1/N (see `effective_n`). The bounds vary the pass rate within its interval, and the metric's correlation R
    within Fisher's, and use the widest and the narrowest; the correlation within clusters is the observed one. None if
    there is no interval yet. Source: Angelopoulos, Duchi & Zrnic 2023, section 6; Fisher 1921."""
    if not ahead.known:
        return ()
    now = ahead.estimates.ppi
    rates = [now.low, now.high, *([0.5] if now.low < 0.5 < now.high else [])]
    qualities = ahead.quality_bounds(now.level)
    efficiencies = [ahead.powered_efficiency, *(ahead.plain_efficiency / (1 - quality) for quality in qualities)]
    forecasts = []
    for size in sizes:
        widths = [_width(ahead, size, rate, efficiency) for rate in (now.value, *rates) for efficiency in efficiencies]
        forecasts.append(ForecastPoint(size, widths[0], min(widths), max(widths)))
    return tuple(forecasts)


def forecast_interval(ahead: Forecast, n: int) -> Estimate:
    """The interval to expect from n labels at the current pass rate and efficiency of a label."""
    now = ahead.estimates.ppi
    return rate_interval(now.value, ahead.effective_n(n), n=n, level=now.level, method="forecast, Wilson")


def _first(labels: Sequence[Label], size: int, scored: set[str]) -> Sequence[Label]:
    """The labels before the one that brings the number of known samples above `size`."""
    seen: set[str] = set()
    for position, label in enumerate(labels):
        if label.sample_id in scored and label.sample_id not in seen:
            if len(seen) == size:
                return labels[:position]
            seen.add(label.sample_id)
    return labels


def _width(ahead: Forecast, n: int, rate: float, efficiency: float) -> float:
    n_effective = effective_n(n, efficiency=efficiency, samples=ahead.estimates.n_samples, n_all=ahead.n_all)
    interval = rate_interval(rate, n_effective, n=n, level=ahead.estimates.ppi.level, method="forecast, Wilson")
    return interval.high - interval.low


def _sizes(n: int, points: int) -> list[int]:
    if n < FIRST:
        return [n] if n else []
    return sorted({round(size) for size in np.geomspace(FIRST, n, max(points, 2)).tolist()})
