"""Corrected pass rates of the slices of a table, each held against the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes
from hcat.core.estimates.domains import Domains, DomainSums
from hcat.core.estimates.influence import Influence, influence
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import corrected_difference
from hcat.core.estimates.prediction_powered import powered_rate
from hcat.core.estimates.stratified_domains import StratifiedDomains, StratifiedSums
from hcat.core.records.samples.columns import Levels
from hcat.core.weakness.by_labels import LabelledSlice
from hcat.core.weakness.cells.of_rows import cells_of_rows, slice_masks

if TYPE_CHECKING:
    import pandas as pd

Corrected = tuple[list[LabelledSlice | None], list[int]]
"""Of each row of a table its slice, None where slice or rest have labels of fewer clusters than the minimum, or labels
that do not differ at all; and how many labels the slice has."""


def corrected_by_cell(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame, *, minimum_n: int
) -> Corrected:
    """The slice of each row by PPI++: all slices of a dimension, or of two, come from the sums of its cells. The few of
    which these have lost digits go over the rows, and so do those of which some strata are merged, where clusters are
    of several strata."""
    slices: list[LabelledSlice | None] = [None] * len(frame)
    labels = [0] * len(frame)
    for row, domains, place, codes in domains_of_rows(run, levels, frame):
        labels[row] = int(domains.labels[place])
        if min(domains.clusters[place], domains.rest_clusters[place]) >= minimum_n:
            exact = domains.is_certain(place)
            slices[row] = _of_domain(domains, place) if exact else _of_rows(run, codes == place)
    return slices, labels


def corrected_by_rows(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame, *, minimum_n: int
) -> Corrected:
    """The same, each slice over all rows: what the sums come to."""
    with_label = np.flatnonzero(run.labelled)
    slices, labels = [], []
    for mask in slice_masks(levels, frame):  # of a large run these do not all fit into memory
        slices.append(_corrected(run, mask, minimum_n=minimum_n))
        labels.append(int(np.count_nonzero(mask[with_label])))
    return slices, labels


def domains_of_rows(
    run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame
) -> Iterator[tuple[int, Domains | StratifiedDomains, int, Codes]]:
    """For each row of a table whose levels occur: its number, the domains of its dimension, or of two, which of them is
    its slice, and the domain of each sample (n,), −1 for none."""
    sums = DomainSums(run) if run.strata is None else StratifiedSums(run)
    for codes, size, rows in cells_of_rows(levels, frame):
        domains = sums.domains(codes, size)
        for row, place in rows:
            yield row, domains, place, codes


def _of_domain(domains: Domains | StratifiedDomains, place: int) -> LabelledSlice | None:
    return _compared(domains.sides(place))


def _corrected(run: LabelledRun, inside: Bools, *, minimum_n: int) -> LabelledSlice | None:
    keys = run.keys[run.labelled]
    if min(len(np.unique(keys[side])) for side in (inside[run.labelled], ~inside[run.labelled])) < minimum_n:
        return None
    return _of_rows(run, inside)


def _of_rows(run: LabelledRun, inside: Bools) -> LabelledSlice | None:
    return _compared((influence(run.part(~inside)), influence(run.part(inside))))


def _compared(sides: tuple[Influence, Influence]) -> LabelledSlice | None:
    """Of the rest and the slice; None where their labels do not differ at all."""
    difference, p = corrected_difference(sides)
    if math.isnan(p):
        return None
    own = powered_rate(sides[1])
    return LabelledSlice(own.rate, own.standard_error, difference, p)
