"""Corrected pass rates of runs, and scores over repeated trials, from what the workspace holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from core.errors import HcatError
from core.records.test_cases import all_cases, repeated_cases
from core.storage.records import RunInfo
from core.types import Criterion, Sample
from core.workspace.analysis import required_scores
from core.workspace.projects import project_of
from core.workspace.queue_plans import queue_plan, strata

if TYPE_CHECKING:
    from core.estimates.learning import LearningPoint
    from core.estimates.paired_difference import DifferenceEstimates
    from core.estimates.prediction_powered import PassRateEstimates
    from core.estimates.run_estimates import PreparedRun
    from core.scoring.score_table import ScoreTable
    from core.workspace import Workspace


def prepare_estimates(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    scores: ScoreTable | None = None,
    samples: Sequence[Sample] | None = None,
) -> PreparedRun:
    """The run joined with its present labels: strata of the queue that drew them, trials of one test case together.

    `scores` and `samples` spare reading them again where the caller holds the run's.
    """
    from core.estimates.run_estimates import prepare_run

    return prepare_run(
        workspace.labels(project_of(workspace, run), criterion.name, run),
        scores or required_scores(workspace, run),
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=drawn_strata(workspace, run, criterion),
        clusters=repeated_cases(samples or workspace.samples(run)),
    )


def estimate_pass_rate(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    scores: ScoreTable | None = None,
    samples: Sequence[Sample] | None = None,
) -> PassRateEstimates:
    """The pass rate of the run by its present labels: naive, labels only, and prediction-powered."""
    from core.estimates.prediction_powered import estimate_pass_rate

    prepared = prepare_estimates(
        workspace, run, criterion, metrics=metrics, method=method, scores=scores, samples=samples
    )
    return estimate_pass_rate(prepared.run, note=prepared.note)


def learning_curve(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    scores: ScoreTable | None = None,
    samples: Sequence[Sample] | None = None,
) -> tuple[LearningPoint, ...]:
    """The estimates as they stood after the first labels, in order of time, by the queues that had drawn by then."""
    from core.estimates.learning import learning_curve

    return learning_curve(
        workspace.labels(project_of(workspace, run), criterion.name, run),
        scores or required_scores(workspace, run),
        criterion=criterion,
        metrics=metrics,
        method=method,
        strata=drawn_strata(workspace, run, criterion),
        clusters=repeated_cases(samples or workspace.samples(run)),
        alone=partial(workspace.as_first_sampled, run),
    )


def compare_runs(
    workspace: Workspace,
    first: RunInfo,
    second: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
) -> DifferenceEstimates:
    """The difference in pass rate, second run less first, paired by test case."""
    from core.estimates.run_estimates import compare_runs

    project = project_of(workspace, first)
    cases = [all_cases(workspace.samples(run)) for run in (first, second)]
    drawn = [drawn_strata(workspace, run, criterion) for run in (first, second)]
    whole = [dict.fromkeys(of_run, "all") for of_run in cases]
    return compare_runs(
        (workspace.labels(project, criterion.name, first), required_scores(workspace, first)),
        (workspace.labels(project, criterion.name, second), required_scores(workspace, second)),
        criterion=criterion,
        metrics=metrics,
        method=method,
        clusters=(cases[0], cases[1]),
        strata=(drawn[0] or whole[0], drawn[1] or whole[1]) if any(drawn) else None,
    )


def answer_kinds(workspace: Workspace, run: RunInfo, *, alike: float | None = None) -> list[str]:
    """The kind of each sample's answer within its test case, by meaning; in the order of the samples."""
    from core.estimates.trials import ALIKE, answer_kinds
    from core.models.cache import embed_texts
    from core.workspace.scoring import encoder_and_store

    samples = workspace.samples(run)
    encoder, store = encoder_and_store(workspace)
    texts = sorted({sample.answer.strip() for sample in samples if sample.answer and sample.answer.strip()})
    vectors = embed_texts(texts, encoder=encoder, store=store)
    return answer_kinds(samples, vectors, alike=ALIKE if alike is None else alike)


def drawn_strata(workspace: Workspace, run: RunInfo, criterion: Criterion) -> dict[str, str] | None:
    """The stratum of each sample, where one stratified queue drew every label; else None: the weights tell all."""
    by_stratum = [queue for queue in workspace.queue_table.of_run(run.id, criterion.name) if queue.dimension]
    if not by_stratum:
        return None
    held = workspace.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
    names = {record.queue for record in held if record.level is not None}
    queue = next((queue for queue in by_stratum if names == {queue.name}), None)
    if queue is None or queue.dimension is None:
        return None
    try:  # as they were at the draw, also where topics were found anew since; of an old plan, as they are now
        return dict(queue_plan(workspace, queue).strata) or strata(workspace, run, queue.dimension)
    except HcatError:  # the dimension is gone: the stored probabilities still tell how labels were drawn
        return None
