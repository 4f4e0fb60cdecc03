"""Every slice of a weakness table held against the rest by the labels in both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.analysis.estimate import prepare
from core.analysis.run_data import RunData
from core.arrays import Bools
from core.calibration.calibration import Calibration
from core.calibration.maps.methods import find_method
from core.estimates.influence import LabelledRun
from core.estimates.paired_difference import estimate_difference
from core.estimates.prediction_powered import estimate_pass_rate
from core.types import Criterion, Slice
from core.weakness.by_labels import LabelledSlice, rest_on_labels
from core.weakness.slices import row_slice
from core.weakness.table import WeaknessTable


def compare_by_labels(
    table: WeaknessTable, run: RunData, calibration: Calibration, criterion: Criterion | None
) -> WeaknessTable:
    """The table of a calibrated probability with PPI++ estimates of slice and rest where both have labels on the
    minimum n of test cases. Each is a domain of the run, with its own labels, weights and λ; what a test case adds to
    both cancels. Source: Särndal, Swensson & Wretman, chapter 10; Angelopoulos, Duchi & Zrnic 2023.
    """
    if criterion is None or not run.labels(criterion).labels:
        return rest_on_labels(table, [None] * len(table.frame), labels=[0] * len(table.frame), overall=None)
    method = "combined" if find_method(calibration.method).by_level else calibration.method
    labelled = prepare(run, criterion, metrics=calibration.metrics, method=method).run
    if labelled.clusters is None:
        labelled = replace(labelled, clusters=np.arange(len(labelled.passed), dtype=np.intp))
    levels = {name: np.array(run.columns.levels(name)) for name in table.settings.by}
    masks = [_inside(levels, row_slice(row)) for _, row in table.frame.iterrows()]
    return rest_on_labels(
        table,
        [_compared(labelled, mask, minimum_n=table.settings.minimum_n) for mask in masks],
        labels=[int((labelled.labelled & mask).sum()) for mask in masks],
        overall=estimate_pass_rate(labelled).ppi,
    )


def _inside(levels: dict[str, np.ndarray[tuple[int], np.dtype[np.str_]]], chosen: Slice) -> Bools:
    inside = levels[chosen.dimension_1] == chosen.level_1
    if chosen.dimension_2 is not None:
        inside = inside & (levels[chosen.dimension_2] == chosen.level_2)
    return np.asarray(inside, dtype=np.bool_)


def _compared(run: LabelledRun, inside: Bools, *, minimum_n: int) -> LabelledSlice | None:
    """None where slice or rest have too few labelled test cases, or labels that do not differ at all."""
    sides = [run.part(~inside), run.part(inside)]
    if min(len(np.unique(side.keys[side.labelled])) for side in sides) < minimum_n:
        return None
    found = estimate_difference(*sides)
    if np.isnan(found.p):
        return None
    return LabelledSlice(found.second.ppi, found.second.standard_error, found.ppi, found.p)
