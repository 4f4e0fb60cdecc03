"""Pass rates by labels of all slices of a large run, from how many labels of each kind are in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.run_data import RunColumns
from core.estimates.influence import LabelledRun
from core.estimates.prediction_powered import estimate_pass_rate
from core.types import Criterion
from core.weakness.by_labels import LabelledSlice
from core.weakness.marginal import Grouping
from core.weakness.permutation import LARGE
from core.weakness.testable import level_codes

if TYPE_CHECKING:
    import pandas as pd


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
