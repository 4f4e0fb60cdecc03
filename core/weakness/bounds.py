"""Intervals of slices within the range of a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.intervals import NO_SPREAD
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd


def bounded(rows: pd.DataFrame, overall: Estimate, within: tuple[float, float], *, level: float) -> pd.DataFrame:
    """The rows of a weakness table with low and high cut at `within`, the range of single values.

    Where not one value of the run differs from another, slices have the width of a rate by their test cases, as
    `mean_interval` gives it to the whole run. Source: Wilson 1927.
    """
    low, high = within
    if overall.method != NO_SPREAD:
        return rows.assign(low=rows["low"].clip(lower=low), high=rows["high"].clip(upper=high))
    rate = (overall.value - low) / (high - low)
    made = [rate_interval(rate, cases, n=0, level=level, method=NO_SPREAD) for cases in rows["cases"]]
    return rows.assign(
        low=[min(low + (high - low) * one.low, overall.value) for one in made],
        high=[max(low + (high - low) * one.high, overall.value) for one in made],
    )
