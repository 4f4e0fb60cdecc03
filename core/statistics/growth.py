"""The number of observations at which a test would show the effect that is observed now."""

from __future__ import annotations

import math
from collections.abc import Callable

PROBABILITY = 0.8
"""The power of the test at that number, if the observed effect is the true one."""
MOST = 1_000_000
"""Larger numbers of observations are not given as an answer."""


def n_until(statistic: float, n: int, level_at: Callable[[int], float], shown: bool = False) -> float:
    """The least number of observations at which the test is significant with probability `PROBABILITY`.

    `statistic` is its value at `n` and grows with the root of the number. It must exceed the normal quantile of the
    one-sided level `level_at` that number. Infinite if no number below `MOST` suffices."""
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
