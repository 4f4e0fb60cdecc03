"""Plain labels: the reference for the standard error of a pass rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hcat.core.estimates.labelled_run import LabelledRun, sum_by
from hcat.core.statistics.clusters import as_seen, equal_clusters
from hcat.core.statistics.effective_n import kish_n

NEGLIGIBLE = 1e-10
"""A share of the variance below which it is rounding, or a prediction without information."""


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """The reference labels for a standard error.

    `n` is their number, `rate` their weighted pass rate (NaN without any), `samples` the number of all samples,
    `independent` Kish's number of independent labels by weight and cluster, and `alike` the number of equally weighted
    clusters with as many degrees of freedom. They are worth `most` plain labels: their number if all weights are equal.
    `varying` is the share of labels whose draw matters: below 1 if N is finite."""

    n: int
    rate: float
    samples: int
    independent: Callable[[], float]
    alike: Callable[[], float]
    most: float
    varying: float = 1.0

    @property
    def spread(self) -> float:
        """The variance of one plain label; NaN for fewer than two."""
        return self.rate * (1 - self.rate) * self.n / (self.n - 1) if self.n > 1 else math.nan

    def effective_n(self, error: float) -> float:
        """The number of plain labels with this standard error, as far as these labels show it.

        Failures with small weights, as from a queue that looks for them, make the standard error too small if they are
        few (`as_seen`)."""
        if math.isnan(error):
            return math.nan
        if self.spread > NEGLIGIBLE and error**2 > NEGLIGIBLE * self.spread / self.samples:
            precise, n = self.spread / error**2, self.n * self.varying
            return as_seen(precise, self.independent(), rate=self.rate, n=n)
        # All labels agree, or all clusters: only weights and clusters are informative.
        return self.independent()


def plain_labels(run: LabelledRun) -> PlainLabels:
    """The reference labels for the errors of this run."""
    drawn = run.labelled
    y, weights = run.passed[drawn], run.label_weights[drawn]
    rate = float(np.average(y, weights=weights)) if y.size else math.nan
    by_cluster = lru_cache(maxsize=1)(lambda: sum_by(run.keys[drawn], weights))
    return PlainLabels(
        y.size,
        rate,
        len(run.passed),
        lambda: kish_n(by_cluster()),
        lambda: equal_clusters(by_cluster()),
        most_of_labels(y.size, kish_n(weights)),
    )


def most_of_labels(n: int, kish: float) -> float:
    """The most plain labels that n labels with this Kish's number can be worth: n if all weights are equal, else
    infinite.

    There is no bound for unequal weights, since labels with large weights may hardly vary."""
    return n if kish >= n * (1 - NEGLIGIBLE) else math.inf
