"""The weak slices of an opened run, on a metric's scores or on the calibrated probability of a pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from hcat.core.arrays import Floats
from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.calibrate import refit
from hcat.core.capabilities.weaknesses.labelled_slices import corrected_by_labels, find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.slice_metrics import most_labelled
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.samples.by_sample import codes_by_name, levels_at, numbers_at
from hcat.core.slices import table
from hcat.core.slices.beside_labels import beside_labels
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.slices.table import Labels, WeaknessTable
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Criterion, Direction

CALIBRATED = CORRECTED


def find_weaknesses(
    run: Opened,
    metric: str,
    *,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """Hold every slice of the run against the rest, on a metric's scores.

    `by` names the dimensions (default: all). HcatError for an unknown one, NotFoundError before the first scoring.
    """
    facts = run.columns.scores.facts(metric)
    compared = _hold(
        run.columns,
        run.columns.scores.values(metric),
        metric=metric,
        direction=run.columns.scores.direction_of(metric),
        within=facts.range,
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
    )
    return replace(compared, settings=replace(compared.settings, machine=(metric,) if facts.judged else ()))


def compare_slices(
    run: Opened,
    metric: str,
    *,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """Comparison of slices by any of `slice_metrics`. For a metric's scores, it includes the pass rates by labels of
    the same slices.

    NotFoundError for the corrected pass rate without a calibration, and for a criterion that there is not.
    """
    if metric == CALIBRATED:
        calibration = run.in_force()
        on = next((criterion for criterion in run.criteria if criterion.name == calibration.criterion), None)
        return find_calibrated_weaknesses(run, calibration, on, by=by, pairs=pairs, minimum_n=minimum_n, q=q)
    if (name := criterion_of(metric)) is not None:
        return find_pass_rate_weaknesses(run, run.criterion(name), by=by, pairs=pairs, minimum_n=minimum_n, q=q)
    table = find_weaknesses(run, metric, by=by, pairs=pairs, minimum_n=minimum_n, q=q)
    criterion = most_labelled(run)
    if criterion is None:
        return table
    return beside_labels(table, find_pass_rate_weaknesses(run, criterion, by=by, pairs=pairs, minimum_n=minimum_n, q=q))


def find_calibrated_weaknesses(
    run: Opened,
    calibration: Calibration,
    criterion: Criterion | None,
    *,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """The same on the probability of a pass by a calibration.

    Where slice and rest have labels on the calibration's `criterion`, they are compared by these, corrected by the
    metric. Other slices are compared by the probabilities alone and are never called weak. Their intervals carry the
    calibration's own error, by refits to the labels; without a criterion they do not.
    """
    return _hold(
        run.columns,
        calibration.probability(run.columns.scores),
        metric=CALIBRATED,
        direction="higher",
        within=(0.0, 1.0),
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        refits=None if criterion is None or not run.labels(criterion).labels else refit(run, calibration, criterion),
        labels=corrected_by_labels(run, calibration, criterion, minimum_n=minimum_n),
    )


def _hold(
    columns: RunColumns,
    values: Floats,
    *,
    metric: str,
    direction: Direction,
    within: tuple[float, float],
    by: Sequence[str] | None,
    pairs: bool,
    minimum_n: int,
    q: float,
    refits: Refitted | None = None,
    labels: Labels | None = None,
) -> WeaknessTable:
    # Refits are ordered as clusters are; without them and without shared clusters each sample is its own cluster.
    design, ids = columns.design_weights, columns.sample_ids
    clusters = columns.cluster_codes
    if clusters is None and refits is not None:
        clusters = codes_by_name(levels_at(columns.clusters or {}, ids))
    return table.find_weaknesses(
        columns.dimensions,
        pd.Series(values, index=columns.scores.frame.index, dtype="float64"),
        metric=metric,
        direction=direction,
        within=within,
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        test_cases=clusters,
        refits=refits,
        answer_states=columns.answer_states,
        design=None if design is None else numbers_at(design, ids),
        sum_cells=columns.sum_cells,
        labels=labels,
    )
