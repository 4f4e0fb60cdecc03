"""Corrected pass rates of opened runs by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.methods import find_method
from hcat.core.estimates import learning, prediction_powered, run_estimates, slices, verdict_errors
from hcat.core.estimates.learning import LearningPoint
from hcat.core.estimates.level_clusters import LevelClusters, clusters_by_level, level_clusters
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.run_estimates import PreparedRun, prepare_run
from hcat.core.estimates.slices import SliceEstimate
from hcat.core.estimates.systems import SystemDifference, SystemEstimates
from hcat.core.estimates.verdict_errors import VerdictErrors, machine_verdicts
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.labelling.ties import TieBounds, tie_bounds
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.clusters import clusters_across_columns
from hcat.core.scoring.domain import outside_domain_in
from hcat.core.statistics.multiplicity import holm
from hcat.core.types import Criterion, Estimate

VARIANTS_NOTE = (
    "One run asks variants of test cases and the other does not: the difference is one of the questions too, not of "
    "the system alone."
)


def prepare(
    run: Opened,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    labels: ConsensusLabels | None = None,
    cluster_by: str | None = None,
) -> PreparedRun:
    """The run joined with its labels, or with these: strata that they were drawn from, clusters together. `cluster_by`
    makes one cluster of the samples of each level of a dimension, too. HcatError for an unknown one."""
    return prepare_run(
        run.labels(criterion) if labels is None else labels,
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=run.strata(criterion),
        clusters=clusters_of(run.columns, cluster_by),
        design=run.columns.design_weights,
    )


def clusters_of(columns: RunColumns, cluster_by: str | None = None) -> Mapping[str, str] | None:
    """The clusters of scored samples by their ids, joined with the levels of a dimension where one is named; None where
    samples are independent of one another."""
    if cluster_by is None:
        return columns.shared_clusters
    ids = columns.scores.sample_ids
    return clusters_by_level(columns.shared_clusters, ids, columns.levels(cluster_by))


def likely_clusters(columns: RunColumns, prepared: PreparedRun) -> tuple[LevelClusters, ...]:
    """The stated dimensions whose levels may be clusters, such as the document that a question is about."""
    if columns.given_columns is None:
        return ()
    names = columns.given_columns.dimension_names()
    return level_clusters(prepared.run, ((name, columns.levels(name)) for name in names))


def estimate_pass_rate(
    run: Opened, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> PassRateEstimates:
    """The pass rate of the run by its labels: naive, labels only, and prediction-powered."""
    prepared = prepare(run, criterion, metrics=metrics, method=method)
    return prediction_powered.estimate_pass_rate(prepared.run, note=prepared.note)


def ties_of_pass_rate(
    run: Opened, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> TieBounds | None:
    """Between what the PPI++ rate lies once the samples on which annotators tie are decided; None without any."""

    def estimate(labels: ConsensusLabels) -> Estimate:
        prepared = prepare(run, criterion, metrics=metrics, method=method, labels=labels)
        return prediction_powered.estimate_pass_rate(prepared.run).ppi

    return tie_bounds(run.labels(criterion), criterion, estimate)


def estimate_by_calibration(run: Opened, calibration: Calibration, criterion: Criterion) -> PassRateEstimates:
    """The pass rate by labels and the calibration's metrics; its method predicts, or the combined one of levels."""
    return estimate_pass_rate(run, criterion, metrics=calibration.metrics, method=predicting_method(calibration))


def predicting_method(calibration: Calibration) -> str:
    """The method by which the calibration's metrics predict labels: its own, or the combined one of levels."""
    return "combined" if find_method(calibration.method).by_level else calibration.method


def errors_of_verdicts(run: Opened, criterion: Criterion, *, metrics: Sequence[str]) -> tuple[VerdictErrors, ...]:
    """The machine verdicts among the metrics against the labels; none where no sample is labelled.

    Verdicts on samples outside the machine's domain are left out, as they are of its means.
    """
    found, scores, columns = [], run.columns.scores, run.columns.given_columns
    outside = {} if columns is None else outside_domain_in(columns, scores.provenance)
    for metric in metrics:
        facts = scores.facts(metric)
        inside = np.where(scores.are_in(outside.get(metric, ())), np.nan, scores.values(metric))
        verdicts = machine_verdicts(inside, within=facts.range, direction=facts.direction)
        if verdicts is None or not facts.judged or not len(run.labels(criterion).sample_ids):
            continue
        joined = prepare(run, criterion, metrics=(metric,)).run
        if joined.labelled.any():
            found.append(verdict_errors.verdict_errors(joined, verdicts, metric=metric, criterion=criterion.name))
    return tuple(found)


def estimate_levels(columns: RunColumns, prepared: PreparedRun, dimension: str) -> tuple[SliceEstimate, ...]:
    """The same at each level of a dimension. HcatError for an unknown one."""
    return slices.estimate_slices(prepared.run, columns.levels(dimension), note=prepared.note)


def learning_curve(
    run: Opened, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> tuple[LearningPoint, ...]:
    """The estimates after the first labels, in order of time, each by the queues that had drawn by then."""
    return learning.learning_curve(
        run.labels(criterion).labels,
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=run.strata(criterion),
        clusters=run.columns.shared_clusters,
        design=run.columns.design_weights,
        alone=run.as_first_sampled,
    )


def compare_runs(
    first: Opened, second: Opened, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> DifferenceEstimates:
    """The difference in pass rate, second run less first, paired by cluster.

    Its note says so where one of them asks variants of test cases and the other does not.
    """
    runs = (first, second)
    cases = clusters_of_both(first.columns, second.columns)
    drawn = tuple(run.strata(criterion) for run in runs)
    whole = tuple(dict.fromkeys(of_run, "all") for of_run in cases)
    estimates = run_estimates.compare_runs(
        (first.labels(criterion), first.columns.scores),
        (second.labels(criterion), second.columns.scores),
        criterion=criterion,
        metrics=metrics,
        method=method,
        clusters=(cases[0], cases[1]),
        strata=(drawn[0] or whole[0], drawn[1] or whole[1]) if any(drawn) else None,
        designs=(first.columns.design_weights, second.columns.design_weights),
    )
    if not one_asks_variants(first, second):
        return estimates
    return replace(estimates, note=f"{estimates.note} {VARIANTS_NOTE}".strip())


def compare_systems(
    runs: Sequence[tuple[str, Opened]], criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> tuple[tuple[SystemEstimates, ...], tuple[SystemDifference, ...]]:
    """Several runs by name, each alone and each two compared as `compare_runs` does, the later less the earlier."""
    systems = tuple(
        SystemEstimates(
            name,
            len(run.columns.scores.sample_ids),
            estimate_pass_rate(run, criterion, metrics=metrics, method=method),
            run.columns.scores.summary(run.columns.clusters, columns=run.columns.given_columns),
        )
        for name, run in runs
    )
    pairs = [
        (one, other, compare_runs(first, second, criterion, metrics=metrics, method=method))
        for (one, first), (other, second) in combinations(runs, 2)
    ]
    adjusted = holm([found.p for *_, found in pairs])
    return systems, tuple(SystemDifference(*pair, float(p)) for pair, p in zip(pairs, adjusted, strict=True))


def one_asks_variants(first: Opened, second: Opened) -> bool:
    """Whether one run asks variants of test cases, and the other does not."""
    given = (first.columns.given_columns, second.columns.given_columns)
    asks = {columns.levels("variant_family").is_given for columns in given if columns is not None}
    return len(asks) > 1


def clusters_of_both(first: RunColumns, second: RunColumns) -> tuple[Mapping[str, str], ...]:
    """The clusters of each run by sample id: what either run ties together is tied in both."""
    if first.given_columns is not None and second.given_columns is not None:
        return clusters_across_columns(first.given_columns, second.given_columns)
    return tuple(columns.clusters or {name: name for name in columns.scores.sample_ids} for columns in (first, second))
