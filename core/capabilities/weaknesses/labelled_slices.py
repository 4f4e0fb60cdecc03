"""Comparison of every slice of a run with the rest by the labels in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.methods import find_method
from hcat.core.capabilities.estimates.estimate import prepare
from hcat.core.capabilities.estimates.label_rates import Rates, comparing_weights, pass_rates, pass_rates_of_people
from hcat.core.errors import NotFoundError
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_labels_only, estimate_pass_rate
from hcat.core.estimates.run_estimates import join_labels
from hcat.core.labelling.label_source import BY_PEOPLE as SOURCES_OF_PEOPLE
from hcat.core.opened.run import Opened
from hcat.core.slices import table as tables
from hcat.core.slices.keys import pass_rate_key
from hcat.core.slices.table import LabelCounts, Labels, WeaknessTable
from hcat.core.slices.verdicts import LABELS, PEOPLE
from hcat.core.types import Criterion

if TYPE_CHECKING:
    import pandas as pd


def find_pass_rate_weaknesses(
    run: Opened,
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
    labelled = labelled_samples(run, criterion, columns.sample_ids)
    by_people = Labels(
        rates=lambda slices: pass_rates_of_people(columns, labelled, criterion, slices),
        overall=estimate_labels_only(labelled).rate,
        basis=PEOPLE,
        counts=_counts(run, criterion),
    )
    return tables.find_weaknesses(
        columns.dimensions,
        pd.Series(labelled.passed, index=columns.dimensions.index, dtype="float64"),
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
        labels=by_people,
    )


def labelled_samples(run: Opened, criterion: Criterion, sample_ids: Sequence[str]) -> LabelledRun:
    """These samples of the run with the joined labels on the criterion, in clusters with numbers for names."""
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


def corrected_by_labels(
    run: Opened, calibration: Calibration, criterion: Criterion | None, *, minimum_n: int
) -> Labels:
    """PPI++ estimates of slices and their rests where both have labels on the minimum n of test cases. Each is a domain
    of the run, with its own labels, weights and λ; the common contribution of a test case to both cancels. Source:
    Särndal, Swensson & Wretman, chapter 10; Angelopoulos, Duchi & Zrnic 2023.
    """
    if criterion is None or not run.labels(criterion).labels:
        return Labels(lambda slices: ([None] * len(slices), [0] * len(slices)), None, LABELS, None)
    method = "combined" if find_method(calibration.method).by_level else calibration.method
    labelled = prepare(run, criterion, metrics=calibration.metrics, method=method).run
    if labelled.clusters is None:
        labelled = replace(labelled, clusters=np.arange(len(labelled.passed), dtype=np.intp))

    def rates(slices: pd.DataFrame) -> Rates:
        names = dict.fromkeys([*slices["dimension_1"], *slices["dimension_2"].dropna()])
        levels = {name: run.columns.level_codes(name) for name in names}
        return pass_rates(labelled, levels, slices, corrected_from=minimum_n)

    return Labels(rates, estimate_pass_rate(labelled).ppi, LABELS, _counts(run, criterion))


def _counts(run: Opened, criterion: Criterion) -> LabelCounts:
    """Number of labels on a criterion by people and by others, and of ties."""
    labels = run.labels(criterion)
    by_people = {label.sample_id for label in labels.labels if label.source in SOURCES_OF_PEOPLE}
    people = len(by_people & set(labels.sample_ids))
    return LabelCounts(people, len(labels.sample_ids) - people, labels.ties)
