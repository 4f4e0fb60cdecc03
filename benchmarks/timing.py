"""Ratios of two jobs' times, taken in pairs so that a busy machine slows both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Job = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Median of the pairs' ratios, and the medians of both times in seconds."""

    value: float
    lowest: float
    highest: float
    upper_seconds: float
    lower_seconds: float
    pairs: int


def interleaved(upper: Job, lower: Job, *, pairs: int) -> Ratio:
    """Time `upper` / time `lower`: the two take turns at going first, and each pair gives one ratio."""
    times: list[tuple[float, float]] = []
    for number in range(pairs):
        if number % 2 == 0:
            first = _seconds(upper)
            times.append((first, _seconds(lower)))
        else:
            second = _seconds(lower)
            times.append((_seconds(upper), second))
    ratios = [above / below for above, below in times]
    return Ratio(
        value=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        upper_seconds=statistics.median(above for above, _ in times),
        lower_seconds=statistics.median(below for _, below in times),
        pairs=pairs,
    )


def _seconds(job: Job) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start
