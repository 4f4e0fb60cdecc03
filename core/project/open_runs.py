"""Stored runs, opened: each part is read from the store when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.preregistrations import registered_plans
from hcat.core.project.projects import Projects
from hcat.core.project.queue_plans import QueuePlans
from hcat.core.project.runs import Runs, sample_files
from hcat.core.project.scoring import Scoring
from hcat.core.project.topics import Topics
from hcat.core.records.preregistration import RegisteredPlan
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.records.samples.searched import holds_text
from hcat.core.storage.cell_files import CellFilesOf
from hcat.core.types import Criterion, Label, Sample

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.opened.run import Labeller, Opened, RunColumns
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.topics.run_topics import RunTopics


class Annotators(Protocol):
    """The service of annotators, as far as an opened run needs it."""

    def independent_labels(self, run: RunInfo, criterion: Criterion) -> list[Label]:
        """The labels that people gave for themselves, oldest first."""


class Calibrations(Protocol):
    """The service of calibrations, as far as an opened run needs it."""

    def all(self, run: RunInfo) -> list[CalibrationRecord]:
        """The calibrations saved on the run, newest first."""

    def read(self, record: CalibrationRecord) -> Calibration:
        """A saved calibration."""


@dataclass(frozen=True)
class StoredColumns:
    """The newest samples, scores and topics of a run."""

    run: RunInfo
    runs: Runs
    scoring: Scoring
    topic_store: Topics

    def samples(self) -> tuple[Sample, ...]:
        return self.runs.samples(self.run)

    def each_sample(self) -> Iterator[Sample]:
        return self.runs.each_sample(self.run)

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        return self.runs.samples_at(self.run, rows)

    def columns(self) -> SampleColumns:
        return self.runs.columns(self.run)

    def sample(self, sample_id: str) -> Sample:
        return self.runs.sample(self.run, sample_id)

    def scores(self) -> ScoreTable | None:
        return self.scoring.table(self.run)

    def topics(self) -> RunTopics | None:
        return self.topic_store.read(self.run)


@dataclass(frozen=True)
class StoredLabels:
    """The present labels of a run, with the criteria and calibrations of its project."""

    run: RunInfo
    projects: Projects
    log: Labels
    plans: QueuePlans
    annotators: Annotators
    project_criteria: Criteria
    saved: Calibrations

    def labels(self, criterion: str, *, by: Labeller | None = None) -> list[Label]:
        return self.log.current(self.projects.of(self.run), criterion, self.run, by=by)

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:
        return self.plans.drawn_strata(self.run, criterion)

    def inclusion(self, criterion: Criterion) -> Mapping[str, float] | None:
        return self.log.sampling.inclusion(self.run, criterion.name)

    def as_first_sampled(self, labels: Sequence[Label]) -> list[Label]:
        return self.log.as_first_sampled(self.run, labels)

    def registered_plans(self, criterion: str) -> list[RegisteredPlan]:
        registered = registered_plans(self.log.store, self.projects.of(self.run).id)
        return [each for each in registered if each.criterion == criterion]

    def independent_labels(self, criterion: Criterion) -> list[Label]:
        return self.annotators.independent_labels(self.run, criterion)

    def criteria(self) -> list[Criterion]:
        return self.project_criteria.all(self.projects.of(self.run))

    def calibration(self, criterion: str | None) -> Calibration | None:
        records = (each for each in self.saved.all(self.run) if criterion in (None, each.criterion))
        newest = next(records, None)
        return None if newest is None else self.saved.read(newest)


@dataclass(frozen=True)
class OpenRuns:
    """Runs as `hcat.core.opened` takes them."""

    projects: Projects
    runs: Runs
    labels: Labels
    scoring: Scoring
    topics: Topics
    plans: QueuePlans
    annotators: Annotators
    criteria: Criteria
    calibrations: Calibrations

    def open(self, run: RunInfo, *, columns: RunColumns | None = None) -> Opened:
        """The run with its current labels, criteria and calibrations; `columns` avoid reading again what is open
        already."""
        from hcat.core.opened.run import Opened

        source = StoredLabels(
            run, self.projects, self.labels, self.plans, self.annotators, self.criteria, self.calibrations
        )
        return Opened(columns or self.columns(run), source)

    def columns(self, run: RunInfo) -> RunColumns:
        """Its samples, scores and dimensions."""
        self.projects.of(run)  # for members only
        from hcat.core.opened.run import RunColumns
        from hcat.core.slices.cells.cached import CachedCells

        source = StoredColumns(run, self.runs, self.scoring, self.topics)
        cells = CachedCells(CellFilesOf(self.runs.store.artifacts, run.artifact))
        return RunColumns(run.name, source, run.filename, run.format, run.content_hash, cells=cells)

    def holding(self, run: RunInfo, text: str) -> frozenset[str]:
        """The ids of the samples with this in a text, whatever its case; a group of rows is in memory at a time."""
        self.projects.of(run)  # for members only
        folded, texts = text.casefold().strip(), sample_files(self.runs.store, run).each_text(run.artifact)
        return frozenset(sample_id for sample_id, searched in texts if holds_text(searched, folded))
