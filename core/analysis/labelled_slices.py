"""Every slice of a run held against the rest by the labels in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.analysis.corrected_slices import corrected_by_cell
from hcat.core.analysis.estimate import prepare
from hcat.core.analysis.label_rates import comparing_weights, counts_tell_all, rates_by_cell, rates_by_labels
from hcat.core.analysis.run_data import RunData
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.methods import find_method
from hcat.core.errors import NotFoundError
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import join_labels
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.records.samples.columns import Levels
from hcat.core.types import Criterion
from hcat.core.weakness import table as tables
from hcat.core.weakness.by_labels import replace_by_label_rates
from hcat.core.weakness.keys import pass_rate_key
from hcat.core.weakness.permutation import LARGE
from hcat.core.weakness.table import LabelCounts, WeaknessTable
from hcat.core.weakness.testable import level_codes
from hcat.core.weakness.verdicts import PEOPLE

if TYPE_CHECKING:
    import pandas as pd


def find_pass_rate_weaknesses(
    run: RunData,
    criterion: Criterion,
    *,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
) -> WeaknessTable:
    """Hold every slice of the run against the rest by labels alone, under the key of `pass_rate_key`.

    Rates and intervals are those of `estimate_slices` without the metric: Hájek's ratio, by stratum where labels were
    drawn from strata, with Wilson's interval. They are compared by permutation of clusters, by the weights of labels
    where these differ; for one sample a cluster and equal weights that is Fisher's exact test. `n` counts samples with
    a label, and slice and rest take labels on `minimum_n` clusters. NotFoundError without labels.
    """
    import pandas as pd

    columns = run.columns
    sample_ids = columns.sample_ids
    labelled = labelled_samples(run, criterion, sample_ids)
    passed = labelled.passed
    counted = tables.find_weaknesses(
        columns.dimensions,
        pd.Series(passed, index=columns.dimensions.index, dtype="float64"),
        metric=pass_rate_key(criterion.name),
        direction="higher",
        within=(0.0, 1.0),
        by=by,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        test_cases=columns.cluster_codes,
        answer_states=columns.answer_states,
        design=comparing_weights(labelled),
        sum_cells=columns.sum_cells,
    )
    if counts_tell_all(labelled, clustered=columns.cluster_codes is not None):
        slices, labels = rates_by_cell(columns, labelled, criterion, counted.frame, counted.settings.by)
    else:
        only, inside = _only_labelled(labelled), columns.dimensions
        inside = inside[np.isfinite(passed)] if len(only.passed) < len(inside) else inside
        levels = {name: _levels(inside[name]) for name in counted.settings.by}
        slices, labels = rates_by_labels(only, levels, counted.frame)
    overall = estimate_pass_rate(_only_labelled(labelled)).labels_only
    by_labels = replace_by_label_rates(counted, slices, labels=labels, overall=overall, basis=PEOPLE)
    return _with_counts(by_labels, run, criterion)


def _only_labelled(run: LabelledRun) -> LabelledRun:
    """Of a large run the labelled samples alone, where the others have no part in rates by labels: they have one in the
    sizes of strata."""
    small = len(run.passed) <= LARGE
    return run if small or run.strata is not None else run.part(run.labelled)


def labelled_samples(run: RunData, criterion: Criterion, sample_ids: Sequence[str]) -> LabelledRun:
    """These samples of the run with what the labels on the criterion come to, in clusters with numbers for names."""
    labels = run.labels(criterion)
    if not len(labels.sample_ids):
        raise NotFoundError(f"run {run.name!r} has no labels on {criterion.name!r} yet: label some samples first")
    columns, clusters = run.columns, run.columns.shared_clusters
    joined = join_labels(
        labels,
        sample_ids,
        criterion=criterion,
        strata=run.strata(criterion),
        clusters=clusters,
        design=columns.design_weights,
    ).run
    numbered = joined.numbered()
    return numbered if numbered.clusters is not None else replace(numbered, clusters=np.arange(len(sample_ids)))


def compare_by_labels(
    table: WeaknessTable, run: RunData, calibration: Calibration, criterion: Criterion | None
) -> WeaknessTable:
    """The table of a calibrated probability with PPI++ estimates of slice and rest where both have labels on the
    minimum n of test cases. Each is a domain of the run, with its own labels, weights and λ; what a test case adds to
    both cancels. Source: Särndal, Swensson & Wretman, chapter 10; Angelopoulos, Duchi & Zrnic 2023.
    """
    if criterion is None or not run.labels(criterion).labels:
        return replace_by_label_rates(table, [None] * len(table.frame), labels=[0] * len(table.frame), overall=None)
    method = "combined" if find_method(calibration.method).by_level else calibration.method
    labelled = prepare(run, criterion, metrics=calibration.metrics, method=method).run
    if labelled.clusters is None:
        labelled = replace(labelled, clusters=np.arange(len(labelled.passed), dtype=np.intp))
    levels = {name: run.columns.level_codes(name) for name in table.settings.by}
    slices, labels = corrected_by_cell(labelled, levels, table.frame, minimum_n=table.settings.minimum_n)
    by_labels = replace_by_label_rates(
        table,
        slices,
        labels=labels,
        overall=estimate_pass_rate(labelled).ppi,
    )
    return _with_counts(by_labels, run, criterion)


def _levels(column: pd.Series) -> Levels:
    codes, names = level_codes(column)
    return Levels(codes.astype(np.int32), names)


def _with_counts(table: WeaknessTable, run: RunData, criterion: Criterion) -> WeaknessTable:
    """The table, with who gave the labels that it rests on."""
    labels = run.labels(criterion)
    by_people = {label.sample_id for label in labels.labels if label.source in BY_PEOPLE}
    people = len(by_people & set(labels.sample_ids))
    counts = LabelCounts(people, len(labels.sample_ids) - people, labels.ties)
    settings = replace(table.settings, labels=dict.fromkeys(table.settings.overall, counts))
    return replace(table, settings=settings)
