"""How many evaluators could have been tried, which the level of the verdict's test is shared by."""

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
"""Fewer passes or fails than this, or so few clusters, and sums of ranks are not normal enough to be dealt with
jointly: each metric then counts as a whole one."""
MOST_CORRELATED = 5_000
"""Correlations of metrics are taken over so many labels at most."""


def evaluators_tried(offered: int, chosen: int) -> int:
    """By how much the level of a learned map of `chosen` metrics is divided: the sets of as many among those `offered`,
    times the methods, times s (s + 1) for sets of s, of which the inverses add up to 1."""
    return math.comb(max(offered, chosen), chosen) * len(METHODS) * chosen * (chosen + 1)


def independent_metrics(
    scores: ScoreTable, data: LabelledScores, metrics: Sequence[str], *, level: float
) -> tuple[int, float]:
    """How many metrics these are, and how many independent ones are as likely to look useful by chance.

    The rank sums of all metrics, if labels are dealt out anew, are correlated as the metrics' ranks are. A metric
    without a direction counts in full, and so does each of them where passes or fails are few. Of clusters each has the
    weight of one sample, since the test picks one of each.
    """
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
    """Midranks (n,) less their mean, times the roots of the weights; 0 where unscored, as in a sum over the others."""
    from scipy.stats import rankdata

    known, found = np.isfinite(values), np.zeros(len(values))
    if known.any():
        ranks = rankdata(values[known])
        found[known] = (ranks - np.average(ranks, weights=weights[known])) * np.sqrt(weights[known])
    return found
