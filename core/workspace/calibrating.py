"""A run's calibrations by its present labels, and whether those labels are like the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.records.test_cases import all_cases
from core.storage.records import RunInfo
from core.types import Criterion, Sample
from core.workspace.estimates import drawn_strata
from core.workspace.projects import project_of

if TYPE_CHECKING:
    import pandas as pd

    from core.calibration.calibration import Calibration
    from core.calibration.checks.comparison import Comparison
    from core.calibration.checks.exchangeability import ExchangeabilityCheck
    from core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation, ScoredRun
    from core.labelling.consensus import Labels
    from core.scoring.score_table import ScoreTable
    from core.workspace import Workspace


def calibrate(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    method: str = "logistic",
    alpha: float = 0.1,
    conditional: str = "none",
    dimensions: pd.DataFrame | None = None,
    test_cases: Mapping[str, str] | None = None,
) -> Calibration:
    """Calibrate metrics against the run's present labels. Nothing is stored.

    `conditional` asks for thresholds by "class" or by one of the run's dimensions; coverage is measured within the
    levels of `dimensions` (as `Workspace.dimensions` gives them, which is also what is read where they are needed and
    not given). `test_cases` by sample id spare reading the run's. NotEnoughLabelsError says how many labels are
    missing.
    """
    from core.calibration.calibrate import calibrate as fit
    from core.calibration.conformal.mondrian import BY_CLASS
    from core.calibration.conformal.stage_2 import NOT_CONDITIONAL, groups_of
    from core.workspace.analysis import required_scores

    labels = workspace.labels(project_of(workspace, run), criterion.name, run)
    if dimensions is None and conditional not in (NOT_CONDITIONAL, BY_CLASS):
        dimensions = workspace.dimensions(run)
    groups = None if dimensions is None else groups_of(dimensions, [label.sample_id for label in labels])
    return fit(
        labels,
        required_scores(workspace, run),
        criterion=criterion,
        metrics=metrics,
        method=method,
        alpha=alpha,
        conditional=conditional,
        groups=groups,
        test_cases=all_cases(workspace.samples(run)) if test_cases is None else test_cases,
    )


def scored_run(
    workspace: Workspace,
    run: RunInfo,
    *,
    scores: ScoreTable | None = None,
    samples: Sequence[Sample] | None = None,
    dimensions: pd.DataFrame | None = None,
) -> ScoredRun:
    """What every calibration and estimate of the run starts from; what the caller holds of it is not read again."""
    from core.calibration.conformal.stage_2 import groups_of
    from core.estimates.label_evaluation import ScoredRun
    from core.workspace.analysis import required_scores

    table = scores or required_scores(workspace, run)
    frame = workspace.dimensions(run) if dimensions is None else dimensions
    cases = all_cases(workspace.samples(run) if samples is None else samples)
    return ScoredRun(table, cases, groups_of(frame, table.sample_ids))


def evaluate_labels(
    workspace: Workspace, run: RunInfo, spec: CalibrationSpec, *, labels: Labels, known: ScoredRun, replicates: int
) -> LabelEvaluation:
    """The standing of the spec by these labels of the run, drawn from the strata of the queue that drew them."""
    from core.estimates.label_evaluation import evaluate_labels

    strata = drawn_strata(workspace, run, spec.criterion)
    return evaluate_labels(labels, known, spec, strata=strata, replicates=replicates)


def compare_methods(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    *,
    metrics: Sequence[str],
    known: ScoredRun | None = None,
) -> Comparison:
    """Each metric alone and all together by every method, cross-validated on the labels that fit the map."""
    from core.calibration.checks.comparison import compare_methods

    known = known or scored_run(workspace, run)
    labels = workspace.labels(project_of(workspace, run), criterion.name, run)
    return compare_methods(
        labels,
        known.scores,
        criterion=criterion,
        metrics=metrics,
        test_cases=known.test_cases,
        seed=workspace.settings.seed,
    )


def exchangeability(
    workspace: Workspace, run: RunInfo, criterion: Criterion, *, dimensions: pd.DataFrame | None = None
) -> ExchangeabilityCheck:
    """Whether the labelled samples, weighted by how they were drawn, can be told from the run by its scores and
    `dimensions`."""
    from core.calibration.checks.exchangeability import check_labels
    from core.calibration.conformal.stage_2 import groups_of
    from core.workspace.analysis import required_scores

    scores = required_scores(workspace, run)
    labels = workspace.labels(project_of(workspace, run), criterion.name, run)
    groups = None if dimensions is None else groups_of(dimensions, scores.sample_ids)
    return check_labels(
        labels,
        scores,
        criterion=criterion,
        groups=groups,
        test_cases=all_cases(workspace.samples(run)),
        seed=workspace.settings.seed,
    )


def group_levels(workspace: Workspace, run: RunInfo, calibration: Calibration) -> dict[str, str | None] | None:
    """The level by sample id of the dimension that the calibration's thresholds are by; None where they are not."""
    from core.calibration.conformal.stage_2 import groups_of

    made = calibration.thresholds
    if made is None or made.by_class:
        return None
    frame = workspace.dimensions(run)
    ids = [str(sample_id) for sample_id in frame.index]
    return groups_of(frame[[made.by]], ids)[made.by] if made.by in frame else {}
