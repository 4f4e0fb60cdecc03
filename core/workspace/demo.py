"""The bundled demo project, made step by step; what is there already is kept, so that it can be loaded again."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import NotFoundError
from core.records.project import ProjectInfo
from core.types import Criterion
from core.workspace.criteria import Criteria
from core.workspace.labels import Labels
from core.workspace.open_store import OpenStore
from core.workspace.projects import Projects
from core.workspace.runs import Runs
from core.workspace.scoring import OnProgress, Scoring
from core.workspace.topics import Topics

PROJECT = "Demo: Pellmarsh Bank"

DESCRIPTION = (
    "A bank that does not exist. Two configurations of a small reference system answer questions about its handbook; "
    "a rule labelled half of the answers. See data/demo/README.md."
)

SOURCE = "data/demo/tests.jsonl"

METRICS: str | None = None
"""Which metrics, or None for all but those of entailment: of their 12,000 distinct pairs groundedness and faithfulness
alone ask 4,400, some 80 seconds on two cores at the least. They can be had by one click."""


@dataclass(frozen=True)
class Demo:
    """The demo project."""

    store: OpenStore
    projects: Projects
    criteria: Criteria
    runs: Runs
    labels: Labels
    scoring: Scoring
    topics: Topics

    def load(self, *, on_progress: OnProgress | None = None) -> ProjectInfo:
        """Make the demo project in this process: two runs, rule labels, scores, topics. Done steps are not repeated."""
        project = self._project()
        criterion = self._criterion(project)
        self._make_runs(project, on_progress)
        for run in self.runs.all(project):
            self._label(project, run.name, criterion)
            if self.scoring.table(run) is None:
                self.scoring.score(run, METRICS or _quick_metrics(), on_progress=on_progress)
            if self.topics.read(run) is None:
                self.topics.find(run, on_progress=on_progress)
        return project

    def _project(self) -> ProjectInfo:
        try:
            return self.projects.get(PROJECT)
        except NotFoundError:
            return self.projects.create(PROJECT, description=DESCRIPTION)

    def _criterion(self, project: ProjectInfo) -> Criterion:
        from core.demo.bank import correctness

        for criterion in self.criteria.all(project):
            if criterion.name == correctness().name:
                return criterion
        return self.criteria.add(project, correctness())

    def _make_runs(self, project: ProjectInfo, on_progress: OnProgress | None) -> None:
        from core.demo.bank import demo_runs
        from core.demo.reference_rag import BASELINE, CANDIDATE

        names = {run.name for run in self.runs.all(project)}
        if {BASELINE.name, CANDIDATE.name} <= names:
            return
        encoder, store = self.scoring.encoder_and_store()
        for run in demo_runs(encoder, store, on_progress=on_progress):
            if run.name not in names:
                self.runs.add(project, run.name, run.samples, source=SOURCE)

    def _label(self, project: ProjectInfo, name: str, criterion: Criterion) -> None:
        from core.demo.bank import rule_labels
        from core.demo.reference_rag import BASELINE, CANDIDATE

        run = self.runs.get(project, name)
        if name not in (BASELINE.name, CANDIDATE.name) or self.labels.current(project, run=run, by="rule"):
            return
        labels = rule_labels(self.runs.samples(run), run=name, seed=self.store.settings.seed)
        self.labels.add(run, criterion, labels, queue="rule")


def _quick_metrics() -> tuple[str, ...]:
    from core.metrics.registry import metrics

    return tuple(metric.name for metric in metrics() if not {"entailment", "verifier", "language"} & set(metric.models))
