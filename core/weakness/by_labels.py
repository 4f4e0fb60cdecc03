"""Slices of a calibrated probability that rest on the slice's own labels, where it has enough of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.statistics.shrinkage import shrink
from hcat.core.types import Estimate
from hcat.core.weakness.table import WeaknessTable, judged
from hcat.core.weakness.verdicts import LABELS, METRIC

if TYPE_CHECKING:
    import pandas as pd

_OF_PROBABILITIES = (
    *("effect", "effect_low", "effect_high"),
    *("interaction", "interaction_low", "interaction_high"),
)


@dataclass(frozen=True, slots=True)
class LabelledSlice:
    """The pass rate of a slice by its own labels, its standard error, and the difference from the rate of the rest with
    its p; without these where slice or rest have too few labels."""

    rate: Estimate
    error: float
    difference: Estimate | None = None
    p: float = math.nan


def replace_by_label_rates(
    table: WeaknessTable,
    slices: Sequence[LabelledSlice | None],
    *,
    labels: Sequence[int],
    overall: Estimate | None,
    basis: str = LABELS,
) -> WeaknessTable:
    """The table with each row's numbers by its labels; None where a slice has too few, and keeps those by the metric.
    A row without a difference of its own keeps that of the table.

    A calibration that is right over the run may be wrong in a slice, so its probabilities never show a slice to be
    weak: "lower score" says what they do show. `overall` is the corrected rate of the whole run,
    also where no slice has labels enough: the same name is never said of a mean of probabilities.
    """
    frame, settings = table.frame.copy(), table.settings
    chosen = np.array([one is not None for one in slices], dtype=bool)
    found = [one for one in slices if one is not None]
    columns = {
        "mean": [one.rate.value for one in found],
        "low": [one.rate.low for one in found],
        "high": [one.rate.high for one in found],
    }
    for name, numbers in columns.items():
        frame.loc[chosen, name] = np.array(numbers, dtype=np.float64)
    _compare(frame, slices)
    frame["basis"] = np.where(chosen, basis, METRIC)
    frame["labels"] = np.asarray(labels, dtype=np.int64)
    errors = np.array([np.nan if one is None else one.error for one in slices], dtype=np.float64)
    for rows in frame[chosen].groupby(["dimension_1", "dimension_2"], dropna=False).groups.values():
        places = frame.index.get_indexer(rows)
        towards = shrink(frame["mean"].to_numpy(dtype=np.float64)[places], errors[places] ** 2)
        for name, values in (
            ("shrunken", towards.values),
            ("shrunken_low", towards.low),
            ("shrunken_high", towards.high),
        ):
            frame.loc[rows, name] = values
    if overall is not None and math.isfinite(overall.value):
        settings = settings.with_overall(overall)
    return judged(frame, settings)


def _compare(frame: pd.DataFrame, slices: Sequence[LabelledSlice | None]) -> None:
    """Put the differences of slices that have them in the place of those of the table, which then no longer holds."""
    compared = [(one.difference, one.p) if one is not None and one.difference is not None else None for one in slices]
    rows = np.array([one is not None for one in compared], dtype=bool)
    differences = [one for one in compared if one is not None]
    frame.loc[rows, "difference"] = np.array([one.value for one, _ in differences], dtype=np.float64)
    frame.loc[rows, "difference_low"] = np.array([one.low for one, _ in differences], dtype=np.float64)
    frame.loc[rows, "difference_high"] = np.array([one.high for one, _ in differences], dtype=np.float64)
    frame.loc[rows, "p"] = np.array([p for _, p in differences], dtype=np.float64)
    frame.loc[rows, list(_OF_PROBABILITIES)] = np.nan
