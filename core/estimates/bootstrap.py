"""The corrected pass rate over samples drawn anew: an interval that leans on no formula."""

from __future__ import annotations

import math

import numpy as np

from core.errors import HcatError
from core.estimates.influence import LabelledRun, influence, tune
from core.types import Estimate

REPLICATES = 200


def bootstrap_pass_rate(
    run: LabelledRun, *, generator: np.random.Generator, replicates: int = REPLICATES, level: float = 0.95
) -> Estimate:
    """PPI++ with the percentile interval of its linearised replicates, clusters weighted anew each time.

    Each replicate multiplies every cluster's influence by a standard exponential weight less 1, λ as tuned on the run:
    one matrix product for all of them. NaN bounds where a single label, or none, leaves nothing to draw from.
    Source: Rubin 1981, The Bayesian Bootstrap; Shao & Tu 1995, section 10.2 (multiplier bootstrap).
    """
    if replicates < 2:
        raise HcatError(f"an interval takes at least two replicates, not {replicates}")
    run = run.numbered()
    parts = influence(run)
    lambda_ = tune([parts]).lambdas[0]
    value = parts.labels_only + lambda_ * parts.correction
    method = f"PPI++, multiplier bootstrap of {replicates}"
    if parts.degrees < 1:
        return Estimate(value, math.nan, math.nan, parts.n, level, method)
    moved = parts.by_cluster(lambda_)
    draws = value + (generator.standard_exponential((replicates, len(moved))) - 1) @ moved
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, max(0.0, float(low)), min(1.0, float(high)), parts.n, level, method)
