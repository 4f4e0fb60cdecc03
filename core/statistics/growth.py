"""How many observations it would take until a test shows what is now seen."""

from __future__ import annotations

import math
from collections.abc import Callable

PROBABILITY = 0.8
"""With which the test is to succeed at that number, if what is seen is what is true."""
MOST = 1_000_000
"""More observations than this are no answer."""


def n_until(statistic: float, n: int, level_at: Callable[[int], float], shown: bool = False) -> float:
    """The least number at which a statistic that is this large at `n`, and grows with the root of the number, exceeds
    the normal quantile of its one-sided level often enough; infinite where none below `MOST` would do."""
    if shown:
        return n
    if not statistic > 0:
        return math.inf
    spare = normal_quantile(1 - PROBABILITY)

    def enough(at: int) -> bool:
        return statistic * math.sqrt(at / n) >= normal_quantile(level_at(at)) + spare

    few, many = n, 2 * n
    while not enough(many):
        few, many = many, 2 * many
        if few > MOST:
            return math.inf
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many


def normal_quantile(tail: float) -> float:
    """The value that a standard normal variable exceeds with this probability."""
    from scipy.special import ndtri

    return -float(ndtri(tail))
