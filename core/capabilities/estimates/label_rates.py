"""The pass rate of each slice by its own labels, alone or corrected by predictions: from sums or counts of cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.estimates.domains import Domains, DomainSums
from hcat.core.estimates.influence import Influence, influence
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import corrected_difference
from hcat.core.estimates.prediction_powered import powered_rate, rate_at
from hcat.core.estimates.stratified_domains import StratifiedDomains, StratifiedSums
from hcat.core.opened.run import RunColumns
from hcat.core.records.samples.columns import Levels
from hcat.core.slices.cells.of_rows import cells_of_rows
from hcat.core.slices.estimators.labelled import LabelledSlice
from hcat.core.slices.marginal import Grouping
from hcat.core.slices.testable import level_codes
from hcat.core.types import Criterion

if TYPE_CHECKING:
    import pandas as pd

Rates = tuple[list[LabelledSlice | None], list[int]]
"""Of each slice its rate, and how many labels it has."""
Sides = tuple[Influence, Influence]
"""The rest of a slice, and the slice."""


def pass_rates(
    run: LabelledRun, levels: Mapping[str, Levels], slices: pd.DataFrame, *, corrected_from: int | None = None
) -> Rates:
    """The rate of each slice, which a row names by its dimensions and levels; NaN where it has no labels.

    With `corrected_from` rates are those of PPI++ and compared with the rest; None where slice or rest have labels of
    fewer clusters than that, or labels that do not differ at all. All slices of a dimension, or of two, come from the
    sums of its cells. The few of which these have lost digits go over the rows, and so do those of which some strata
    are merged, where clusters are of several strata.
    """
    nowhere = np.zeros(len(run.passed), dtype=np.bool_)
    of_none = _alone(influence(run.part(nowhere))) if corrected_from is None else None
    found = [of_none] * len(slices)
    labels = [0] * len(slices)
    for row, domains, place, codes in _domains_of_rows(run, levels, slices):
        labels[row] = int(domains.labels[place])
        if not labels[row] or min(domains.clusters[place], domains.rest_clusters[place]) < (corrected_from or 0):
            continue
        exact, inside = domains.is_certain(place), codes == place
        if corrected_from is None:
            found[row] = _alone(domains.sides(place)[1] if exact else influence(run.part(inside)))
        else:
            found[row] = _compared(domains.sides(place) if exact else _sides(run, inside))
    return found, labels


def pass_rates_of_people(columns: RunColumns, run: LabelledRun, criterion: Criterion, slices: pd.DataFrame) -> Rates:
    """The same by labels alone. With equal weights, no strata and one label a cluster, the numbers of passes and fails
    suffice: they are counted by cell, and cached for large runs."""
    drawn = run.label_weights[run.labelled]
    alike = run.strata is None and run.design is None and bool((drawn == drawn[:1]).all())
    if alike and len(np.unique(run.keys[run.labelled])) == len(drawn):
        return _from_counts(columns, run, criterion, slices)
    # Samples without a label have a part in the sizes of strata only.
    only = run if run.strata is not None else run.part(run.labelled)
    inside = columns.dimensions if only is run else columns.dimensions[run.labelled]
    levels = {}
    for name in _dimensions(slices):
        codes, names = level_codes(inside[name])
        levels[name] = Levels(codes.astype(np.int32), names)
    return pass_rates(only, levels, slices)


def _domains_of_rows(
    run: LabelledRun, levels: Mapping[str, Levels], slices: pd.DataFrame
) -> Iterator[tuple[int, Domains | StratifiedDomains, int, Codes]]:
    """Each row of a table whose levels occur, with the domains of its dimension or dimensions. The tuple has the row's
    number, the domains, the place of the slice among them, and the domain of each sample (n,), −1 for none."""
    sums = DomainSums(run) if run.strata is None else StratifiedSums(run)
    for codes, size, rows in cells_of_rows(levels, slices):
        domains = sums.domains(codes, size)
        for row, place in rows:
            yield row, domains, place, codes


def _sides(run: LabelledRun, inside: Bools) -> Sides:
    return influence(run.part(~inside)), influence(run.part(inside))


def _alone(of: Influence) -> LabelledSlice:
    """By the labels of the slice."""
    by_labels = rate_at(of)
    return LabelledSlice(by_labels.rate, by_labels.standard_error)


def _compared(sides: Sides) -> LabelledSlice | None:
    """The rate by PPI++ and its difference from the rest; None where their labels do not differ at all."""
    difference, p = corrected_difference(sides)
    if math.isnan(p):
        return None
    own = powered_rate(sides[1])
    return LabelledSlice(own.rate, own.standard_error, difference, p)


def _from_counts(columns: RunColumns, run: LabelledRun, criterion: Criterion, slices: pd.DataFrame) -> Rates:
    groupings = [Grouping(name, *level_codes(columns.dimensions[name])) for name in _dimensions(slices)]
    pairs = combinations(groupings, 2) if slices["dimension_2"].notna().any() else ()
    of = [*((one, None) for one in groupings), *pairs]
    states = np.where(run.labelled, 1 + (run.passed == 1), 0).astype(np.uint8)
    counted = columns.count_labels(of, criterion.name, states)
    cells: dict[tuple[str, str, str | None, str | None], tuple[int, int]] = {}
    for (one, two), (fails, passes) in zip(of, counted, strict=True):
        of_levels = [(a, b) for a in one.levels for b in ((None,) if two is None else two.levels)]
        name = None if two is None else two.name
        both = zip(of_levels, fails.tolist(), passes.tolist(), strict=True)
        cells |= {(one.name, a, name, b): (failed, passed) for (a, b), failed, passed in both}
    names = ("dimension_1", "level_1", "dimension_2", "level_2")
    second = slices["dimension_2"].notna().tolist()
    rows = zip(*(slices[name].tolist() for name in names), second, strict=True)
    of_rows = [cells[d, a, e if two else None, b if two else None] for d, a, e, b, two in rows]
    return [_of_counts(*counts) for counts in of_rows], [sum(counts) for counts in of_rows]


@lru_cache(maxsize=65_536)
def _of_counts(fails: int, passes: int) -> LabelledSlice:
    labels = np.repeat([0.0, 1.0], [fails, passes])
    by_labels = rate_at(influence(LabelledRun(labels, np.full(len(labels), np.nan), clusters=np.arange(len(labels)))))
    return LabelledSlice(by_labels.rate, by_labels.standard_error)


def _dimensions(slices: pd.DataFrame) -> list[str]:
    """The dimensions that slices are of, in their order."""
    names = [*slices["dimension_1"].tolist(), *slices["dimension_2"].dropna().tolist()]
    return list(dict.fromkeys(map(str, names)))


def comparing_weights(run: LabelledRun) -> Floats | None:
    """The inverse probability weights of labels (N,), 1 where there is none; None where all are equal. The labels of a
    stratum count as all its samples do."""
    weights = np.where(run.labelled, run.label_weights, 1.0)
    if run.strata is not None:
        _, strata = np.unique(np.asarray(run.strata), return_inverse=True)
        drawn = np.bincount(strata, weights=weights * run.labelled)
        weights = weights * np.where(drawn > 0, np.bincount(strata, weights=run.sample_weights), 1.0)[strata]
        weights = weights / np.where(drawn > 0, drawn, 1.0)[strata]
        weights = np.where(run.labelled, weights, 1.0)
    of_labels = weights[run.labelled]
    return weights if float(of_labels.max()) > float(of_labels.min()) * (1 + 1e-9) else None
