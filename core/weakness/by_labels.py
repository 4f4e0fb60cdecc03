"""Slices of a calibrated probability that rest on the slice's own labels, where it has enough of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.shrinkage import shrink
from core.types import Estimate
from core.weakness.table import WeaknessTable, judged
from core.weakness.verdicts import LABELS, METRIC

_OF_PROBABILITIES = (
    *("effect", "effect_low", "effect_high"),
    *("interaction", "interaction_low", "interaction_high"),
)


@dataclass(frozen=True, slots=True)
class LabelledSlice:
    """The pass rate of a slice corrected by its own labels, its standard error, the difference from the corrected rate
    of the rest, and p."""

    rate: Estimate
    error: float
    difference: Estimate
    p: float


def rest_on_labels(
    table: WeaknessTable, slices: Sequence[LabelledSlice | None], *, labels: Sequence[int], overall: Estimate | None
) -> WeaknessTable:
    """The table with each row's numbers by its labels; None where a slice has too few, and keeps those by the metric.

    A calibration that is right over the run may be wrong in a slice, so its probabilities never show a slice to be
    weak: "lower score" says what they do show. `overall` is the corrected rate of the whole run.
    """
    frame, settings = table.frame.copy(), table.settings
    chosen = np.array([one is not None for one in slices], dtype=bool)
    found = [one for one in slices if one is not None]
    columns = {
        "mean": [one.rate.value for one in found],
        "low": [one.rate.low for one in found],
        "high": [one.rate.high for one in found],
        "difference": [one.difference.value for one in found],
        "difference_low": [one.difference.low for one in found],
        "difference_high": [one.difference.high for one in found],
        "p": [one.p for one in found],
        **{name: [np.nan] * len(found) for name in _OF_PROBABILITIES},
    }
    for name, numbers in columns.items():
        frame.loc[chosen, name] = np.array(numbers, dtype=np.float64)
    frame["basis"] = np.where(chosen, LABELS, METRIC)
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
    if overall is not None and found:
        settings = settings.with_overall(overall)
    return judged(frame, settings)
