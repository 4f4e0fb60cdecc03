"""Does a map go the way in which its metrics are registered as better?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.types import Direction

_NOTHING = 1e-9


def backward_metrics(fitted: ProbabilityMap, X: Floats, directions: Sequence[Direction]) -> tuple[str, ...]:
    """The metrics with which the probability moves against their direction, on average over samples X (n, metrics).

    By how much it changes from one standard deviation below a sample's score to one above, all others staying.
    """
    against = []
    for column, (name, direction) in enumerate(zip(fitted.metrics, directions, strict=True)):
        sign = {"higher": 1.0, "lower": -1.0, "none": 0.0}[direction]
        if sign * _change(fitted, X, column) < -_NOTHING:
            against.append(name)
    return tuple(against)


def _change(fitted: ProbabilityMap, X: Floats, column: int) -> float:
    rows = X[np.isfinite(X[:, column])]
    step = np.zeros(X.shape[1])
    step[column] = rows[:, column].std() if len(rows) else 0.0
    change = fitted.probability(rows + step) - fitted.probability(rows - step)
    known = change[np.isfinite(change)]
    return float(known.mean()) if len(known) else 0.0
