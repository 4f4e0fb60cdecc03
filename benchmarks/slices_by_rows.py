"""Pass rates of slices, each over all rows of a run: what the sums of cells stand for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools
from hcat.core.capabilities.estimates.label_rates import Rates
from hcat.core.estimates.influence import influence
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import corrected_difference
from hcat.core.estimates.prediction_powered import estimate_labels_only, powered_rate
from hcat.core.records.samples.columns import Levels
from hcat.core.slices.estimators.labelled import LabelledSlice

if TYPE_CHECKING:
    import pandas as pd


def rates_by_rows(run: LabelledRun, levels: Mapping[str, Levels], slices: pd.DataFrame) -> Rates:
    """By labels alone."""
    found: list[LabelledSlice | None] = []
    labels = []
    for inside in _masks(levels, slices):
        by_labels = estimate_labels_only(run.part(inside))
        found.append(LabelledSlice(by_labels.rate, by_labels.standard_error))
        labels.append(int((run.labelled & inside).sum()))
    return found, labels


def corrected_by_rows(
    run: LabelledRun, levels: Mapping[str, Levels], slices: pd.DataFrame, *, corrected_from: int
) -> Rates:
    """By PPI++, and beside the rest."""
    masks = list(_masks(levels, slices))
    labels = [int((run.labelled & inside).sum()) for inside in masks]
    return [_corrected(run, inside, corrected_from) for inside in masks], labels


def _corrected(run: LabelledRun, inside: Bools, least: int) -> LabelledSlice | None:
    keys = run.keys[run.labelled]
    if min(len(np.unique(keys[side])) for side in (inside[run.labelled], ~inside[run.labelled])) < least:
        return None
    sides = influence(run.part(~inside)), influence(run.part(inside))
    difference, p = corrected_difference(sides)
    if math.isnan(p):
        return None
    own = powered_rate(sides[1])
    return LabelledSlice(own.rate, own.standard_error, difference, p)


def _masks(levels: Mapping[str, Levels], slices: pd.DataFrame) -> Iterator[Bools]:
    """Which samples (n,) are in each slice."""
    place = {name: {level: code for code, level in enumerate(of.names)} for name, of in levels.items()}
    for one, level, two, other in slices[["dimension_1", "level_1", "dimension_2", "level_2"]].itertuples(index=False):
        inside: Bools = levels[one].codes == place[one].get(level, len(place[one]))
        if isinstance(two, str):
            inside &= levels[two].codes == place[two].get(other, len(place[two]))
        yield inside
