"""`python -m benchmarks.million STEP SIZE step FOLDER`: one step of the pages over a made-up run of so many samples.

Each step stands beside what it took the place of, where that can still be run: over rows, one slice at a time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.calibrated_steps import (
    alike,
    alike_by_all_columns,
    refit_sums,
    refit_sums_of_all,
    refitted_slices,
    refitted_slices_by_rows,
)
from benchmarks.growth_rows import from_size, growth
from benchmarks.made_run import METRIC, Columns, made_columns
from benchmarks.rows import Measured
from benchmarks.slices_by_rows import corrected_by_rows, rates_by_rows
from hcat.core.arrays import Bools, Floats
from hcat.core.capabilities.estimates.label_rates import Rates, pass_rates
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.labelling.queue import draw_random
from hcat.core.records.samples.columns import Levels
from hcat.core.slices.cells.cached import CachedCells, LabelStates, count_labels
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import Pair, sum_cells
from hcat.core.slices.marginal import Grouping
from hcat.core.slices.table import find_weaknesses, ranked
from hcat.core.statistics.exact_sums import exact_values
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.cell_files import CellFilesOf

MOST_EXPONENT = 1.3
"""Sorting and memory cost a little more than their share; a quadratic step has 2."""
BY_SUMS = 50_000
"""Samples from which on slices follow from sums: the scores of smaller runs are compared by permutation."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is timed, made ready before: `baseline` does the same row by row, or slice by slice; whether it `compares`
    slices by all their scores."""

    ready: Callable[[Columns], Callable[[], object]]
    baseline: Callable[[Columns], Callable[[], object]] | None = None
    compares: bool = False


def _kernel(columns: Columns) -> Callable[[], object]:
    """The sums of one heatmap: 400 cells of two dimensions."""
    scored = np.isfinite(columns.scores)
    exact = exact_values(columns.scores[scored]).spread(scored)
    one, two = columns.dimensions[:2]
    return lambda: exact.moments(one * 20 + two, 400)


def _kernel_by_slice(columns: Columns) -> Callable[[], object]:
    """A mask for each cell, as slices of one row of a table were found before."""
    one, two = columns.dimensions[:2]

    def masks() -> list[float]:
        cells = ((one == i) & (two == j) for i in range(20) for j in range(20))
        return [float(np.nanmean(columns.scores[cell])) for cell in cells]

    return masks


def _pairs(columns: Columns) -> list[Pair]:
    """All dimensions, and all pairs of them."""
    own = [Grouping(f"d{k:02d}", codes, tuple(columns.levels)) for k, codes in enumerate(columns.dimensions)]
    return [*((one, None) for one in own), *combinations(own, 2)]


def _cells(columns: Columns) -> Callable[[], object]:
    """The sums of the 76,400 cells of 20 dimensions and their pairs."""
    scored = np.isfinite(columns.scores)
    exact, rows = exact_values(columns.scores[scored]).spread(scored), rows_of(len(scored), None)
    return lambda: sum_cells(_pairs(columns), rows, exact)


def _cells_by_pair(columns: Columns) -> Callable[[], object]:
    """The same one pair after another, each by passes over all rows."""
    scored = np.isfinite(columns.scores)
    exact, rows = exact_values(columns.scores[scored]).spread(scored), rows_of(len(scored), None)
    return lambda: [sum_cells([pair], rows, exact) for pair in _pairs(columns)]


def _stored_cells(columns: Columns) -> Callable[[], object]:
    """The same, of a run of which they are on disk."""
    scored = np.isfinite(columns.scores)
    exact, rows = exact_values(columns.scores[scored]).spread(scored), rows_of(len(scored), None)
    cached = CachedCells(_cell_files())
    cached.sum_cells(_pairs(columns), rows, exact)
    return lambda: cached.sum_cells(_pairs(columns), rows, exact)


def _label(columns: Columns) -> Callable[[], object]:
    """The counts of labels in all cells after one more, where each sample has a label."""
    cached, states = CachedCells(_cell_files()), _label_states(columns)
    cached.count_labels(_pairs(columns), "correctness", states)

    def one_more() -> object:
        states[0] = 3 - states[0]
        return cached.count_labels(_pairs(columns), "correctness", states)

    return one_more


def _labels_anew(columns: Columns) -> Callable[[], object]:
    states = _label_states(columns)
    return lambda: count_labels(_pairs(columns), states)


def _label_states(columns: Columns) -> LabelStates:
    return np.random.default_rng(3).integers(1, 3, len(columns.scores)).astype(np.uint8)


def _cell_files() -> CellFilesOf:
    """In the child's folder, of which what is written counts."""
    artifacts = ArtifactStore(sys.argv[-1])
    return CellFilesOf(artifacts, artifacts.put("samples", b"made up"))


def _table(columns: Columns, dimensions: int) -> Callable[[], object]:
    frame = columns.frame()
    scores = pd.Series(columns.scores, index=frame.index)
    by = list(frame.columns[:dimensions])

    def find() -> object:
        return ranked(
            find_weaknesses(frame, scores, metric=METRIC, direction="higher", by=by, pairs=True, within=(0.0, 1.0))
        )

    return find


def _welch(columns: Columns, dimensions: int) -> Callable[[], object]:
    """Every slice against the rest by SciPy, one by one."""
    from scipy import stats

    scored = np.isfinite(columns.scores)
    y, levels = columns.scores[scored], [codes[scored] for codes in columns.dimensions[:dimensions]]

    def slices() -> Iterator[Bools]:
        for codes in levels:
            yield from (codes == level for level in range(20))
        for one, two in combinations(levels, 2):
            yield from ((one == i) & (two == j) for i in range(20) for j in range(20))

    return lambda: [stats.ttest_ind(y[inside], y[~inside], equal_var=False).pvalue for inside in slices()]


def _labelled_run(columns: Columns, *, per_cluster: int = 1, all_labelled: bool = False) -> LabelledRun:
    """The labels and, as predictions, the scores of all samples; clusters of so many samples each."""
    rows, passed = columns.labelled()
    labels = np.full(len(columns.scores), np.nan)
    labels[rows] = passed
    if all_labelled:
        labels = (np.random.default_rng(4).random(len(labels)) < 0.8).astype(np.float64)
    scores = np.full(len(labels), np.nan) if all_labelled else columns.scores
    return LabelledRun(labels, scores, clusters=np.arange(len(labels)) // per_cluster)


def _one_dimension(columns: Columns) -> tuple[dict[str, Levels], pd.DataFrame]:
    """The levels of the first dimension, and a table with a row for each."""
    levels = columns.levels
    rows = {"dimension_1": "d00", "level_1": levels, "dimension_2": None, "level_2": None}
    return {"d00": Levels(columns.dimensions[0].astype(np.int32), tuple(levels))}, pd.DataFrame(rows)


def _corrected(
    columns: Columns, of: Callable[..., Rates], *, per_cluster: int = 1, strata: int = 0
) -> Callable[[], object]:
    """The corrected rate of each level of a dimension against the rest."""
    run, (levels, frame) = _labelled_run(columns, per_cluster=per_cluster), _one_dimension(columns)
    if strata:
        run = replace(run, strata=np.char.add("s", (columns.dimensions[5] % strata).astype(np.str_)))
    return lambda: of(run, levels, frame, corrected_from=10)


def _rates(columns: Columns, of: Callable[..., Rates]) -> Callable[[], object]:
    """The rate by labels of each level, where all samples are labelled, in clusters of three."""
    run, (levels, frame) = _labelled_run(columns, per_cluster=3, all_labelled=True), _one_dimension(columns)
    return lambda: of(run, levels, frame)


def _weighted(columns: Columns) -> tuple[pd.DataFrame, pd.Series[float], Floats]:
    frame = columns.frame()
    return frame, pd.Series(columns.scores, index=frame.index), np.random.default_rng(5).choice([1.0, 3.0], len(frame))


def _by_design(columns: Columns) -> Callable[[], object]:
    """The levels of a dimension by design weights."""
    frame, scores, design = _weighted(columns)
    own = {"metric": METRIC, "direction": "higher", "within": (0.0, 1.0), "by": ["d00"]}
    return lambda: find_weaknesses(frame, scores, design=design, **own)  # type: ignore[arg-type]


def _clustered(columns: Columns) -> Callable[[], object]:
    """The levels of two dimensions, and their pairs, of clusters of three."""
    frame, scores, _ = _weighted(columns)
    own = {"metric": METRIC, "direction": "higher", "within": (0.0, 1.0), "by": ["d00", "d01"], "pairs": True}
    cases = np.arange(len(frame)) // 3
    return lambda: find_weaknesses(frame, scores, test_cases=cases, **own)  # type: ignore[arg-type]


def _pass_rate(columns: Columns) -> Callable[[], object]:
    """PPI++ of the labels and the scores of all samples."""
    run = _labelled_run(columns)
    return lambda: estimate_pass_rate(run)


def _queue(columns: Columns) -> Callable[[], object]:
    ids = columns.ids
    return lambda: draw_random(ids, planned=200, rng=np.random.default_rng(1))


STEPS: dict[str, Step] = {
    "sums of one heatmap": Step(_kernel, _kernel_by_slice),
    "four dimensions and pairs": Step(lambda columns: _table(columns, 4), compares=True),
    "two dimensions, Welch by slice": Step(
        lambda columns: _table(columns, 2), lambda columns: _welch(columns, 2), compares=True
    ),
    "20 dimensions and pairs": Step(lambda columns: _table(columns, 20), compares=True),
    "all cells of 20 dimensions": Step(_cells, _cells_by_pair),
    "all cells from disk": Step(_stored_cells, _cells),
    "a label in all cells": Step(_label, _labels_anew),
    "corrected rates of 20 levels": Step(
        lambda columns: _corrected(columns, pass_rates), lambda columns: _corrected(columns, corrected_by_rows)
    ),
    "corrected rates of 20 levels, clusters of three": Step(
        lambda columns: _corrected(columns, pass_rates, per_cluster=3),
        lambda columns: _corrected(columns, corrected_by_rows, per_cluster=3),
    ),
    "corrected rates of 20 levels, five strata": Step(
        lambda columns: _corrected(columns, pass_rates, strata=5),
        lambda columns: _corrected(columns, corrected_by_rows, strata=5),
    ),
    "corrected rates of 20 levels, five strata, clusters of three": Step(
        lambda columns: _corrected(columns, pass_rates, strata=5, per_cluster=3),
        lambda columns: _corrected(columns, corrected_by_rows, strata=5, per_cluster=3),
    ),
    "rates by labels of 20 levels, clusters of three": Step(
        lambda columns: _rates(columns, pass_rates), lambda columns: _rates(columns, rates_by_rows)
    ),
    "20 levels by design weights": Step(_by_design, compares=True),
    "two dimensions and pairs, clusters of three": Step(_clustered, compares=True),
    "sums of 100 refits": Step(refit_sums, refit_sums_of_all),
    "slices under 100 refits": Step(refitted_slices, refitted_slices_by_rows),
    "labels compared with the run": Step(alike, alike_by_all_columns),
    "pass rate of all (PPI++)": Step(_pass_rate),
    "queue of 200": Step(_queue),
}


def rows(sizes: Sequence[int]) -> Iterator[Measured]:
    """Each step at each size, with its exponent; what compares slices at two sizes or more from `BY_SUMS` on."""
    large = from_size(sizes, BY_SUMS)
    for name, step in STEPS.items():
        baseline = None if step.baseline is None else _command(name, baseline=True)
        own = large if step.compares else sizes
        yield from growth("million", _command(name), own, MOST_EXPONENT, what=name, baseline=baseline)


def _command(name: str, *, baseline: bool = False) -> Callable[[int, Path], Sequence[str]]:
    kind = "baseline" if baseline else "step"
    return lambda size, folder: [sys.executable, "-m", "benchmarks.million", name, str(size), kind, str(folder)]


def main() -> None:
    """The child's work: the first time what is loaded on first use, then the least of three."""
    name, size = sys.argv[1], int(sys.argv[2])
    step = STEPS[name]
    ready = step.ready if sys.argv[3] == "step" or step.baseline is None else step.baseline
    job = ready(made_columns(size))
    seconds = [_seconds(job) for _ in range(3 if ready is step.ready else 1)]
    print(json.dumps({"seconds": min(seconds)}))


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()  # one thread: what else the machine does is left out
    job()
    return time.process_time() - start


if __name__ == "__main__":
    main()
