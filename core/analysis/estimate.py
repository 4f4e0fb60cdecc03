"""Corrected pass rates of opened runs by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.run_data import RunColumns, RunData
from core.estimates import learning, prediction_powered, run_estimates, slices
from core.estimates.learning import LearningPoint
from core.estimates.paired_difference import DifferenceEstimates
from core.estimates.prediction_powered import PassRateEstimates
from core.estimates.run_estimates import PreparedRun, prepare_run
from core.estimates.slices import SliceEstimate
from core.records.clusters import clusters_across
from core.types import Criterion


def prepare(run: RunData, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic") -> PreparedRun:
    """The run joined with its labels: strata that they were drawn from, clusters together."""
    return prepare_run(
        run.labels(criterion),
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=run.strata(criterion),
        clusters=run.columns.shared_clusters,
    )


def estimate_pass_rate(
    run: RunData, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> PassRateEstimates:
    """The pass rate of the run by its labels: naive, labels only, and prediction-powered."""
    prepared = prepare(run, criterion, metrics=metrics, method=method)
    return prediction_powered.estimate_pass_rate(prepared.run, note=prepared.note)


def estimate_levels(columns: RunColumns, prepared: PreparedRun, dimension: str) -> tuple[SliceEstimate, ...]:
    """The same at each level of a dimension. HcatError for an unknown one."""
    return slices.estimate_slices(prepared.run, columns.levels(dimension), note=prepared.note)


def learning_curve(
    run: RunData, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> tuple[LearningPoint, ...]:
    """The estimates as they stood after the first labels, in order of time, by the queues that had drawn by then."""
    return learning.learning_curve(
        run.labels(criterion).labels,
        run.columns.scores,
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=run.strata(criterion),
        clusters=run.columns.shared_clusters,
        alone=run.as_first_sampled,
    )


def compare_runs(
    first: RunData, second: RunData, criterion: Criterion, *, metrics: Sequence[str], method: str = "logistic"
) -> DifferenceEstimates:
    """The difference in pass rate, second run less first, paired by cluster."""
    runs = (first, second)
    cases = _clusters_of_both(first.columns, second.columns)
    drawn = tuple(run.strata(criterion) for run in runs)
    whole = tuple(dict.fromkeys(of_run, "all") for of_run in cases)
    return run_estimates.compare_runs(
        (first.labels(criterion), first.columns.scores),
        (second.labels(criterion), second.columns.scores),
        criterion=criterion,
        metrics=metrics,
        method=method,
        clusters=(cases[0], cases[1]),
        strata=(drawn[0] or whole[0], drawn[1] or whole[1]) if any(drawn) else None,
    )


def _clusters_of_both(first: RunColumns, second: RunColumns) -> tuple[Mapping[str, str], ...]:
    """The clusters of each run by sample id: what either run ties together is tied in both."""
    if first.given_samples is not None and second.given_samples is not None:
        return clusters_across(first.given_samples, second.given_samples)
    return tuple(columns.clusters or {name: name for name in columns.scores.sample_ids} for columns in (first, second))
