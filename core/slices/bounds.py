"""Intervals of slices within the range of a metric."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.slices.estimators.protocol import ScoredRows
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.intervals import NO_SPREAD


def bounded(low: Floats, high: Floats, cases: Floats, scored: ScoredRows) -> tuple[Floats, Floats]:
    """The ends of the intervals of slices (k,) with these test cases, cut at the range of single values.

    Where not one value of the run differs from another, slices have the width of a rate by their test cases, as
    `mean_interval` gives it to the whole run. Source: Wilson 1927.
    """
    (least, most), overall = scored.within, scored.overall
    if overall.method != NO_SPREAD:
        return low.clip(min=least), high.clip(max=most)
    rate, width = (overall.value - least) / (most - least), most - least
    made = [rate_interval(rate, of, n=0, level=scored.level, method=NO_SPREAD) for of in cases.tolist()]
    low, high = np.array([(least + width * one.low, least + width * one.high) for one in made]).reshape(-1, 2).T
    return np.minimum(low, overall.value), np.maximum(high, overall.value)
