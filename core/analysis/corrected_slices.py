"""Corrected pass rates of the slices of a table, each held against the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Bools, Codes
from core.estimates.domains import Domains, DomainSums
from core.estimates.influence import Influence, LabelledRun, influence
from core.estimates.paired_difference import corrected_difference
from core.estimates.prediction_powered import PlainLabels, plain_labels, powered_rate
from core.records.samples.columns import Levels
from core.weakness.by_labels import LabelledSlice

if TYPE_CHECKING:
    import pandas as pd

Corrected = tuple[list[LabelledSlice | None], list[int]]
"""Of each row of a table its slice, None where slice or rest have labels of fewer clusters than the minimum, or labels
that do not differ at all; and how many labels the slice has."""
_Row = tuple[int, str, str, str | None, str | None]


def corrected_slices(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame, *, minimum_n: int
) -> Corrected:
    """The slice of each row by PPI++. Without strata all slices of a dimension, or of two, come from the sums of its
    cells."""
    one_way = corrected_by_cell if run.strata is None else corrected_by_rows
    return one_way(run, levels, frame, minimum_n=minimum_n)


def corrected_by_rows(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame, *, minimum_n: int
) -> Corrected:
    """The same, one slice after another over all rows."""
    with_label = np.flatnonzero(run.labelled)
    slices, labels = [], []
    for mask in slice_masks(levels, frame):  # of a large run these do not all fit into memory
        slices.append(_corrected(run, mask, minimum_n=minimum_n))
        labels.append(int(np.count_nonzero(mask[with_label])))
    return slices, labels


def corrected_by_cell(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame, *, minimum_n: int
) -> Corrected:
    """The same by the sums of cells. The few slices of which these have lost digits go over the rows."""
    sums = DomainSums(run)
    slices: list[LabelledSlice | None] = [None] * len(frame)
    labels = [0] * len(frame)
    for codes, size, rows in cells_of_rows(levels, frame):
        domains = sums.domains(codes, size)
        for row, place in rows:
            labels[row] = int(domains.labels[place])
            if min(domains.clusters[place], domains.rest_clusters[place]) >= minimum_n:
                exact = bool(domains.certain[place])
                slices[row] = _of_domain(domains, place) if exact else _of_rows(run, codes == place)
    return slices, labels


def cells_of_rows(
    levels: Mapping[str, Levels], frame: pd.DataFrame
) -> Iterator[tuple[Codes, int, list[tuple[int, int]]]]:
    """For each dimension, or pair of dimensions, of a table: the cell of each sample (n,), −1 for none, how many cells
    there are, and the rows of the table with the number of the cell of each, without rows that no sample can be in.
    """
    for (one, two), rows in groupby(sorted(_rows(frame), key=_dimensions), key=_dimensions):
        codes, cells = _cells(levels[one], levels[two] if two else None)
        places = [(row, cells.get((first, second))) for row, _, first, _, second in rows]
        yield codes, len(cells), [(row, place) for row, place in places if place is not None]


def slice_masks(levels: Mapping[str, Levels], frame: pd.DataFrame) -> Iterator[Bools]:
    """Which samples (n,) are in the slice of each row of a table."""
    place = {name: {level: code for code, level in enumerate(of.names)} for name, of in levels.items()}
    for _, one, level, two, other in _rows(frame):
        inside: Bools = levels[one].codes == place[one].get(level, len(place[one]))
        if two is not None and other is not None:
            inside &= levels[two].codes == place[two].get(other, len(place[two]))
        yield inside


def _rows(frame: pd.DataFrame) -> Iterator[_Row]:
    names = ("dimension_1", "level_1", "dimension_2", "level_2")
    for row, (one, level, two, other) in enumerate(zip(*(frame[name].tolist() for name in names), strict=True)):
        paired = isinstance(two, str) and isinstance(other, str)
        yield row, one, level, two if paired else None, other if paired else None


def _dimensions(row: _Row) -> tuple[str, str]:
    return row[1], row[3] or ""


def _cells(one: Levels, two: Levels | None) -> tuple[Codes, dict[tuple[str, str | None], int]]:
    """The number of each sample's cell, −1 for none, and that of each level or pair of levels."""
    if two is None:
        return one.codes.astype(np.intp), {(level, None): place for place, level in enumerate(one.names)}
    count = len(two.names)
    joint = one.codes.astype(np.intp) * count + two.codes
    cells: dict[tuple[str, str | None], int] = {}
    for number, level in enumerate(one.names):
        cells |= {(level, other): number * count + place for place, other in enumerate(two.names)}
    return np.where((one.codes < 0) | (two.codes < 0), -1, joint), cells


def _of_domain(domains: Domains, place: int) -> LabelledSlice | None:
    return _compared(domains.sides(place), domains.plain(place))


def _corrected(run: LabelledRun, inside: Bools, *, minimum_n: int) -> LabelledSlice | None:
    keys = run.keys[run.labelled]
    if min(len(np.unique(keys[side])) for side in (inside[run.labelled], ~inside[run.labelled])) < minimum_n:
        return None
    return _of_rows(run, inside)


def _of_rows(run: LabelledRun, inside: Bools) -> LabelledSlice | None:
    own = run.part(inside)
    return _compared((influence(run.part(~inside)), influence(own)), plain_labels(own))


def _compared(sides: tuple[Influence, Influence], plain: PlainLabels) -> LabelledSlice | None:
    """Of the rest and the slice; None where their labels do not differ at all."""
    difference, p = corrected_difference(sides)
    if math.isnan(p):
        return None
    own = powered_rate(sides[1], plain)
    return LabelledSlice(own.rate, own.standard_error, difference, p)
