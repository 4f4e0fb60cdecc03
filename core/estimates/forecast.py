"""The precision to expect from more labels of the same run: from the current interval to that of all samples
labelled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hcat.core.estimates.labelled_run import LabelledRun, sum_by
from hcat.core.estimates.plain_labels import NEGLIGIBLE
from hcat.core.estimates.planning import effective_n
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.statistics.effective_n import interval_n, kish_n, t_quantile
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class Forecast:
    """The current estimates, and the efficiency of further labels.

    `n_all` is the effective n of all N samples labelled: strata, weights and the metric add nothing more by then, but
    samples of one cluster still carry less information than as many clusters. `plain_efficiency` and
    `powered_efficiency` are the efficiency of a label, with labels only and with PPI++, relative to a plain random one
    (see `effective_n`); 1 if there is no interval yet, or nothing left to label. `clusters` counts those of the run,
    and `labelled_clusters` those with a label, if some have several samples; else both are None."""

    estimates: PassRateEstimates
    n_all: float
    plain_efficiency: float = 1.0
    powered_efficiency: float = 1.0
    clusters: int | None = None
    labelled_clusters: int | None = None

    @property
    def known(self) -> bool:
        """Whether there is an interval to extrapolate from."""
        return math.isfinite(self.estimates.ppi.low) and math.isfinite(self.estimates.ppi.high)

    @property
    def quality(self) -> float:
        """R² in [0, 1), the share of the variance of labels that the metric explains: 1 − R² is the share left."""
        return min(max(1 - self.plain_efficiency / self.powered_efficiency, 0.0), 1 - NEGLIGIBLE)

    def quality_bounds(self, level: float) -> tuple[float, float]:
        """The bounds of R² by Fisher's interval of the correlation R; [0, 1) with three labels or fewer."""
        n = self.estimates.n_labels
        if n <= 3:
            return (0.0, 1 - NEGLIGIBLE)
        centre, half = math.atanh(math.sqrt(self.quality)), t_quantile(level, math.inf) / math.sqrt(n - 3)
        return math.tanh(max(0.0, centre - half)) ** 2, min(math.tanh(centre + half) ** 2, 1 - NEGLIGIBLE)

    def effective_n(self, n: int) -> float:
        """The effective n of PPI++ with n labels drawn as those so far; at the current number, that of the current
        interval."""
        samples = self.estimates.n_samples
        return effective_n(n, efficiency=self.powered_efficiency, samples=samples, n_all=self.n_all)


def label_forecast(run: LabelledRun, *, level: float = 0.95) -> Forecast:
    """The forecast of precision for n labels of the run, for n up to N, from the efficiency of the labels so far."""
    run = run.numbered()
    rates = estimate_pass_rate(run, level=level)
    n_all, now = _n_all(run, rates), interval_n(rates.ppi)
    clusters, labelled = (len(np.unique(keys)) for keys in (run.keys, run.keys[run.labelled]))
    counted = (None, None) if clusters == len(run.passed) else (clusters, labelled)
    if math.isnan(now):
        return Forecast(rates, n_all, 1.0, 1.0, *counted)
    # By chance the labels so far seem to be worth more than all could be: then the rest add nothing.
    n_all = max(n_all, now) if rates.n_labels < rates.n_samples else now
    return Forecast(
        rates, n_all, _efficiency(rates.labels_only, rates, n_all), _efficiency(rates.ppi, rates, n_all), *counted
    )


def _efficiency(interval: Estimate, rates: PassRateEstimates, n_all: float) -> float:
    if rates.n_labels >= rates.n_samples:
        return 1.0
    left = (1 / interval_n(interval) - 1 / n_all) / (1 / rates.n_labels - 1 / rates.n_samples)
    return 1 / max(left, NEGLIGIBLE)


def _n_all(run: LabelledRun, rates: PassRateEstimates) -> float:
    """N / (1 + ρ (Σ m²/N − 1)), with m samples a cluster and ρ from labels, adjusted for the degrees of freedom of K
    clusters.

    Source: Kish 1965, Survey Sampling, section 5.4, with clusters that differ in size."""
    total = len(run.passed)
    sizes = sum_by(run.keys, np.ones(total))
    if len(sizes) in (total, 0, 1):
        return float(total) if run.design is None else kish_n(run.design)
    if run.design is not None:
        total_n = kish_n(sum_by(run.keys, run.design))
        return min(total_n, float(len(sizes)))
    shrink = (t_quantile(rates.ppi.level, total - 1) / t_quantile(rates.ppi.level, len(sizes) - 1)) ** 2
    return shrink * total / (1 + _likeness(run, rates) * (float(sizes @ sizes) / total - 1))


def _likeness(run: LabelledRun, rates: PassRateEstimates) -> float:
    """The correlation ρ in [0, 1] of two labels of a cluster, over labelled pairs.

    1, the conservative value, if there are none, or if all labels agree."""
    drawn = run.labelled
    y, keys = run.passed[drawn], run.keys[drawn]
    w = run.label_weights[drawn]
    pairs = float(np.sum(sum_by(keys, w) ** 2) - w @ w)
    rate = float(np.average(y, weights=w)) if y.size else math.nan
    variance = rate * (1 - rate) * y.size / max(y.size - 1, 1)
    if pairs <= NEGLIGIBLE * float(w @ w) or not variance > NEGLIGIBLE or math.isnan(rates.labels_only_standard_error):
        return 1.0
    moved = w * (y - rate)
    together = float(np.sum(sum_by(keys, moved) ** 2) - moved @ moved) / pairs
    # Deviations are from the labels' own mean, whose variance is missing from the product of any two.
    return min(max((together + rates.labels_only_standard_error**2) / variance, 0.0), 1.0)
