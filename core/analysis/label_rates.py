"""Pass rates of slices by labels alone: from counts of cells, or where weights, clusters or strata tell too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.analysis.corrected_slices import domains_of_rows
from hcat.core.analysis.run_data import RunColumns
from hcat.core.arrays import Bools, Floats
from hcat.core.estimates.domains import Domains
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_labels_only, estimate_pass_rate, rate_at
from hcat.core.estimates.stratified_domains import StratifiedDomains
from hcat.core.records.samples.columns import Levels
from hcat.core.types import Criterion
from hcat.core.weakness.by_labels import LabelledSlice
from hcat.core.weakness.cells.of_rows import slice_masks
from hcat.core.weakness.marginal import Grouping
from hcat.core.weakness.permutation import LARGE
from hcat.core.weakness.testable import level_codes

if TYPE_CHECKING:
    import pandas as pd

Rates = tuple[list[LabelledSlice], list[int]]
"""Of each row of a table its slice, and how many labels that has."""


def rates_by_labels(run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame) -> Rates:
    """The slice of each row. Of many labels all slices of a dimension, or of two, come from the sums of its cells."""
    return (rates_by_cell_sums if len(run.passed) > LARGE else rates_by_rows)(run, levels, frame)


def rates_by_rows(run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame) -> Rates:
    """The same, one slice after another over all rows."""
    slices, labels = [], []
    for inside in slice_masks(levels, frame):
        slices.append(_of_rows(run, inside))
        labels.append(int((run.labelled & inside).sum()))
    return slices, labels


def rates_by_cell_sums(run: LabelledRun, levels: Mapping[str, Levels], frame: pd.DataFrame) -> Rates:
    """The same by the sums of cells. The few slices of which these have lost digits go over the rows."""
    nothing = np.zeros(len(run.passed), dtype=np.bool_)
    slices: list[LabelledSlice | None] = [None] * len(frame)
    labels = [0] * len(frame)
    for row, domains, place, codes in domains_of_rows(run, levels, frame):
        labels[row] = int(domains.labels[place])
        exact = labels[row] > 0 and domains.is_certain(place)
        slices[row] = _of_domain(domains, place) if exact else _of_rows(run, codes == place)
    return [one or _of_rows(run, nothing) for one in slices], labels


def _of_domain(domains: Domains | StratifiedDomains, place: int) -> LabelledSlice:
    alone = rate_at(domains.sides(place)[1])
    return LabelledSlice(alone.rate, alone.standard_error)


def _of_rows(run: LabelledRun, inside: Bools) -> LabelledSlice:
    by_labels = estimate_labels_only(run.part(inside))
    return LabelledSlice(by_labels.rate, by_labels.standard_error)


def comparing_weights(run: LabelledRun) -> Floats | None:
    """By which labels are compared (N,), 1 where there is none: the inverse of the probability of each, so that the
    labels of a stratum count as all its samples do; None where all count alike."""
    weights = np.where(run.labelled, run.label_weights, 1.0)
    if run.strata is not None:
        _, strata = np.unique(np.asarray(run.strata), return_inverse=True)
        drawn = np.bincount(strata, weights=weights * run.labelled)
        weights = weights * np.where(drawn > 0, np.bincount(strata, weights=run.sample_weights), 1.0)[strata]
        weights = weights / np.where(drawn > 0, drawn, 1.0)[strata]
        weights = np.where(run.labelled, weights, 1.0)
    of_labels = weights[run.labelled]
    return weights if float(of_labels.max()) > float(of_labels.min()) * (1 + 1e-9) else None


def counts_tell_all(run: LabelledRun, *, clustered: bool) -> bool:
    """Whether nothing but the number of labels and of passes says what the labels of a slice come to, in a large run:
    each label counts alike, and each sample is on its own."""
    drawn = run.label_weights[run.labelled]
    alike = run.strata is None and run.design is None and bool((drawn == drawn[:1]).all())
    return len(run.passed) > LARGE and alike and not clustered


def rates_by_cell(
    columns: RunColumns, run: LabelledRun, criterion: Criterion, frame: pd.DataFrame, by: Sequence[str]
) -> tuple[list[LabelledSlice], list[int]]:
    """The pass rate of each slice of the frame by its own labels, and how many these are."""
    groupings = [Grouping(name, *level_codes(columns.dimensions[name])) for name in by]
    paired = bool(frame["dimension_2"].notna().any())
    of = [*((one, None) for one in groupings), *(combinations(groupings, 2) if paired else ())]
    states = np.where(run.labelled, 1 + (run.passed == 1), 0).astype(np.uint8)
    counted = columns.count_labels(of, criterion.name, states)
    cells: dict[tuple[str, str, str | None, str | None], tuple[int, int]] = {}
    for (one, two), (fails, passes) in zip(of, counted, strict=True):
        levels = [(a, b) for a in one.levels for b in ((None,) if two is None else two.levels)]
        of_levels = zip(levels, fails.tolist(), passes.tolist(), strict=True)
        name = None if two is None else two.name
        cells |= {(one.name, a, name, b): (failed, passed) for (a, b), failed, passed in of_levels}
    names = ("dimension_1", "level_1", "dimension_2", "level_2")
    second = frame["dimension_2"].notna().to_numpy()
    rows = zip(*(frame[name].to_numpy() for name in names), second.tolist(), strict=True)
    of_rows = [cells[d, a, e if two else None, b if two else None] for d, a, e, b, two in rows]
    return [_rate(*counts) for counts in of_rows], [sum(counts) for counts in of_rows]


@lru_cache(maxsize=65_536)
def _rate(fails: int, passes: int) -> LabelledSlice:
    labels = np.repeat([0.0, 1.0], [fails, passes])
    alone = estimate_pass_rate(LabelledRun(labels, np.full(len(labels), np.nan), clusters=np.arange(len(labels))))
    return LabelledSlice(alone.labels_only, alone.labels_only_standard_error)
