"""The number of evaluators that could have been tried, by which the level of the verdict's test is divided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.maps.methods import METHODS
from hcat.core.statistics.multiplicity import independent_tests

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

LEAST_OF_A_SIDE = 10
"""With fewer passes, fails or clusters than this, rank sums are not normal enough for a joint distribution.

Each metric then counts as a whole one."""
MOST_CORRELATED = 5_000
"""The most labels that are used for correlations of metrics."""


def evaluators_tried(offered: int, chosen: int) -> int:
    """The divisor of the level for a learned map of `chosen` metrics out of those `offered`.

    The number of sets of that size, times the methods, times s (s + 1) for sets of s, whose inverses sum to 1."""
    return math.comb(max(offered, chosen), chosen) * len(METHODS) * chosen * (chosen + 1)


def independent_metrics(
    scores: ScoreTable, data: LabelledScores, metrics: Sequence[str], *, level: float
) -> tuple[int, float]:
    """The number of these metrics, and the number of independent ones that are as likely to look useful by chance.

    Under random labels, the rank sums of all metrics are correlated as the metrics' ranks are. A metric without a
    direction counts in full, and so does each metric if passes or fails are few. Each cluster has the weight of one
    sample, since the test picks one of each."""
    K = len(metrics)
    codes = data.clusters
    size = np.ones(len(data)) if codes is None else np.bincount(codes)[codes].astype(np.float64)
    if K < 2 or min(np.sum(1 / size[side]) for side in (data.passed, ~data.passed)) < LEAST_OF_A_SIDE:
        return K, float(max(K, 1))
    rows = slice(None, None, -(-len(data) // MOST_CORRELATED))
    signs = {"higher": 1.0, "lower": -1.0, "none": 0.0}
    directions = scores.directions(metrics)
    directed = [name for name in metrics if directions.get(name, "none") != "none"]
    columns = [
        signs[directions[name]] * _centred_ranks(scores.values(name)[data.positions[rows]], 1 / size[rows])
        for name in directed
    ]
    unit = [column / np.linalg.norm(column) for column in columns if np.linalg.norm(column) > 0]
    correlation = np.round(np.array(unit) @ np.array(unit).T, 9) if unit else np.zeros((0, 0))
    return K, max(1.0, independent_tests(correlation, level / K) + K - len(directed))


def _centred_ranks(values: Floats, weights: Floats) -> Floats:
    """Midranks (n,) less their mean, times the roots of the weights; 0 if unscored, so that they add nothing to a
    sum."""
    from scipy.stats import rankdata

    known, found = np.isfinite(values), np.zeros(len(values))
    if known.any():
        ranks = rankdata(values[known])
        found[known] = (ranks - np.average(ranks, weights=weights[known])) * np.sqrt(weights[known])
    return found
