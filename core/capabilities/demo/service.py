"""The bundled demo project, made step by step; what is there already is kept, so that it can be loaded again."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.errors import NotFoundError
from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.project.topics import Topics
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion, OnProgress

PROJECT = "Demo: Pellmarsh Bank"

DESCRIPTION = (
    "A bank that does not exist. Two configurations of a small reference system answer questions about its handbook; "
    "a rule labelled half of the answers. A third run asks variants of some questions; in a fourth, “safety probes”, "
    "faults were built in on purpose. Claims are verified by the entailment model, not by a language model. See "
    "data/demo/README.md."
)

SOURCE = "data/demo/tests.jsonl"
CORPUS = "handbook"
"""The folder of the demo's documents, and the name of their corpus."""

VARIANTS = "candidate, variants"
"""The run of variants: it is scored on few metrics, and has no topics of its own."""

METRICS: str | None = None
"""The metrics, or None for all that take no more than a minute (`Demo._metrics`)."""


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
    corpora: Corpora

    def load(self, *, on_progress: OnProgress | None = None) -> ProjectInfo:
        """Make the demo project in this process: the handbook as its corpus, four runs, rule labels, scores, topics.

        Steps that are done are not repeated.
        """
        project = self._project()
        self._make_corpus(project)
        criterion = self._criterion(project)
        self._make_runs(project, on_progress)
        for run in self._answering_runs(project):
            self._label(project, run.name, criterion)
            if self.scoring.table(run) is None:
                self.scoring.score(run, METRICS or self._metrics(), on_progress=on_progress)
            if self.topics.read(run) is None:
                self.topics.find(run, on_progress=on_progress)
        self._make_variants(project, criterion, on_progress)
        self._make_probes(project, on_progress)
        return project

    def _project(self) -> ProjectInfo:
        try:
            return self.projects.get(PROJECT)
        except NotFoundError:
            return self.projects.create(PROJECT, description=DESCRIPTION)

    def _criterion(self, project: ProjectInfo) -> Criterion:
        from hcat.core.capabilities.demo.bank import correctness

        try:
            return self.criteria.get(project, correctness().name)
        except NotFoundError:
            return self.criteria.add(project, correctness())

    def _make_corpus(self, project: ProjectInfo) -> None:
        """The handbook's files, read and cut as anybody's."""
        from hcat.core.capabilities.corpus.corpus_import import corpus_of_documents
        from hcat.core.capabilities.demo.bank import FOLDER
        from hcat.core.importers.documents import read_documents

        if CORPUS in self.store.corpus_table.names(project.id):
            return
        documents, problems = read_documents([FOLDER / CORPUS])
        self.corpora.add(project, CORPUS, corpus_of_documents(documents, problems, source=f"data/demo/{CORPUS}"))

    def _make_runs(self, project: ProjectInfo, on_progress: OnProgress | None) -> None:
        from hcat.core.capabilities.demo.bank import demo_runs
        from hcat.core.capabilities.demo.reference_rag import BASELINE, CANDIDATE

        stored = self.store.repository.runs(project.id, archived=True)
        names = {run.name for run in stored}
        if {BASELINE.name, CANDIDATE.name} <= names:
            return
        encoder, store = self.scoring.encoder_and_store()
        for run in demo_runs(encoder, store, on_progress=on_progress):
            if run.name not in names:
                self.runs.add(project, run.name, run.samples, source=SOURCE)

    def _answering_runs(self, project: ProjectInfo) -> list[RunInfo]:
        """The runs that answer the test cases, as far as they are not archived."""
        from hcat.core.capabilities.demo.reference_rag import BASELINE, CANDIDATE

        return [run for run in self.runs.all(project) if run.name in (BASELINE.name, CANDIDATE.name)]

    def _make_probes(self, project: ProjectInfo, on_progress: OnProgress | None) -> None:
        """The run whose system has planted faults; scored without entailment, whose distances are not stored."""
        from hcat.core.capabilities.demo.planted.table import RUN, planted_run

        stored = {run.name: run for run in self.store.repository.runs(project.id, archived=True)}
        run = stored.get(RUN)
        if run is None:
            samples = planted_run(*self.scoring.encoder_and_store()).samples
            run = self.runs.add(project, RUN, samples, source="safety probes (built in)")
        if self.scoring.table(run) is None:
            metrics = METRICS or (*_without({"entailment", "verifier", "language"}), *_on_request())
            self.scoring.score(run, metrics, on_progress=on_progress)

    def _make_variants(self, project: ProjectInfo, criterion: Criterion, on_progress: OnProgress | None) -> None:
        """Store a run of variants with their origins, labels of the rule, and the scores that take seconds."""
        from hcat.core.capabilities.demo import variants

        if VARIANTS not in {run.name for run in self.store.repository.runs(project.id, archived=True)}:
            encoder, store = self.scoring.encoder_and_store()
            samples = variants.answered_variants(encoder, store, on_progress=on_progress)
            self.runs.add(project, VARIANTS, samples, source=variants.SOURCE)
        run = next((run for run in self.runs.all(project) if run.name == VARIANTS), None)
        if run is None:
            return  # archived by somebody
        if not self.labels.current(project, run=run, by="rule"):
            labels = variants.variant_labels(self.runs.samples(run), run=run.name)
            self.labels.add(run, criterion, labels, queue="rule")
        if self.scoring.table(run) is None:
            self.scoring.score(run, variants.METRICS, on_progress=on_progress)

    def _label(self, project: ProjectInfo, name: str, criterion: Criterion) -> None:
        from hcat.core.capabilities.demo.bank import rule_labels
        from hcat.core.capabilities.demo.reference_rag import BASELINE, CANDIDATE

        run = self.runs.get(project, name)
        if name not in (BASELINE.name, CANDIDATE.name) or self.labels.current(project, run=run, by="rule"):
            return
        labels = rule_labels(self.runs.samples(run), run=name, seed=self.store.settings.seed)
        self.labels.add(run, criterion, labels, queue="rule")

    def _metrics(self) -> str | tuple[str, ...]:
        """All metrics but those that would ask a language model; without entailment where its distances are not stored.

        There are some 12,000 distinct pairs, minutes of work: models other than the packaged ones do it by one click.
        """
        skipped = set() if self._store_distances() else {"entailment", "verifier"}
        settings = self.store.settings
        if not skipped and settings.llm_base_url is None and settings.llm_model is None:
            return "all"  # so that the scores say why the metrics of a language model are left out
        return _without({*skipped, "language"})

    def _store_distances(self) -> bool:
        """Put the distances that come with the demo where scoring looks for them, if they are of the models in use."""
        from hcat.core.capabilities.demo.distances import ROLES, read_distances
        from hcat.core.models.cache import ParquetEmbeddings
        from hcat.core.models.model_set import load_models
        from hcat.core.models.nli.cached import KIND

        settings = self.store.settings
        if (settings.embedder, settings.nli) != ("default", "default"):
            return False
        distances = read_distances()
        if distances is None or not distances.are_of(load_models(settings, ROLES)):
            return False
        store = ParquetEmbeddings(settings.artifacts, revision=distances.entailment, kind=KIND)
        store.put(distances.keys, distances.rows)
        return True


def _without(roles: set[str]) -> tuple[str, ...]:
    """The metrics that need none of these roles."""
    from hcat.core.metrics.registry import metrics

    return tuple(metric.name for metric in metrics() if not metric.on_request and not roles & set(metric.models))


def _on_request() -> tuple[str, ...]:
    """The metrics that are scored only where they are named: those of safety."""
    from hcat.core.metrics.registry import metrics

    return tuple(metric.name for metric in metrics() if metric.on_request)
