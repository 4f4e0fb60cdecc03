"""The bundled demo project, made step by step; what is there already is kept, so that it can be loaded again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.storage.records import ProjectInfo
from core.types import Criterion
from core.workspace.scoring import OnProgress, encoder_and_store

if TYPE_CHECKING:
    from core.workspace import Workspace

PROJECT = "Demo: Pellmarsh Bank"
DESCRIPTION = (
    "A bank that does not exist. Two configurations of a small reference system answer questions about its handbook; "
    "a rule labelled half of the answers. See data/demo/README.md."
)
SOURCE = "data/demo/tests.jsonl"
METRICS: str | None = None
"""Which metrics, or None for all but those of entailment: of their 12,000 distinct pairs groundedness and faithfulness
alone ask 4,400, some 80 seconds on two cores at the least. They can be had by one click."""


def load_demo(workspace: Workspace, *, on_progress: OnProgress | None = None) -> ProjectInfo:
    """Make the demo project in this process: two runs, rule labels, scores and topics. Done steps are not repeated."""
    project = _project(workspace)
    criterion = _criterion(workspace, project)
    _make_runs(workspace, project, on_progress)
    for run in workspace.runs(project):
        _label(workspace, project, run.name, criterion)
        if workspace.scores(run) is None:
            workspace.score_run(run, METRICS or _quick_metrics(), on_progress=on_progress)
        if workspace.topics(run) is None:
            workspace.find_topics(run, on_progress=on_progress)
    return project


def _quick_metrics() -> tuple[str, ...]:
    from core.metrics.registry import metrics

    return tuple(metric.name for metric in metrics() if not {"entailment", "verifier", "language"} & set(metric.models))


def _project(workspace: Workspace) -> ProjectInfo:
    try:
        return workspace.project(PROJECT)
    except NotFoundError:
        return workspace.create_project(PROJECT, description=DESCRIPTION)


def _criterion(workspace: Workspace, project: ProjectInfo) -> Criterion:
    from core.demo.bank import correctness

    for known in workspace.criteria(project):
        if known.name == correctness().name:
            return known
    return workspace.add_criterion(project, correctness())


def _make_runs(workspace: Workspace, project: ProjectInfo, on_progress: OnProgress | None) -> None:
    from core.demo.bank import demo_runs
    from core.demo.reference_rag import BASELINE, CANDIDATE

    held = {run.name for run in workspace.runs(project)}
    if {BASELINE.name, CANDIDATE.name} <= held:
        return
    encoder, store = encoder_and_store(workspace)
    for run in demo_runs(encoder, store, on_progress=on_progress):
        if run.name not in held:
            workspace.import_run(project, run.name, run.samples, source=SOURCE)


def _label(workspace: Workspace, project: ProjectInfo, name: str, criterion: Criterion) -> None:
    from core.demo.bank import rule_labels
    from core.demo.reference_rag import BASELINE, CANDIDATE

    run = workspace.run(project, name)
    if name not in (BASELINE.name, CANDIDATE.name) or workspace.labels(project, run=run, by="rule"):
        return
    labels = rule_labels(workspace.samples(run), run=name, seed=workspace.settings.seed)
    workspace.import_labels(run, criterion, labels, queue="rule")
