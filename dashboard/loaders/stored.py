"""Present content of the store on a project and a run, read once a view. Callers must not modify it."""

from __future__ import annotations

from hcat.core.project.topics import Source
from hcat.core.records.project import CalibrationRecord, ProjectInfo, RunInfo, ScoringInfo, TopicsInfo
from hcat.core.records.report import ReportVersion
from hcat.core.types import Criterion, Label
from hcat.dashboard.loaders.view import once_a_view
from hcat.dashboard.loaders.workspace import workspace


@once_a_view
def project_named(name: str) -> ProjectInfo:
    """The project of this name, archived or not; NotFoundError, or NotAllowedError for who is no member."""
    return workspace().projects.get(name)


@once_a_view
def project_of(run: RunInfo) -> ProjectInfo:
    """The project that the run belongs to."""
    return workspace().projects.of(run)


@once_a_view
def runs_of(project: ProjectInfo) -> list[RunInfo]:
    """The project's runs but those that are archived, oldest first."""
    return workspace().runs.all(project)


@once_a_view
def criteria_of(project: ProjectInfo) -> list[Criterion]:
    """The project's criteria but those that are archived."""
    return workspace().criteria.all(project)


@once_a_view
def labels_of(run: RunInfo, criterion: str) -> list[Label]:
    """The labels on the criterion that hold, oldest first, with decisions on disagreements."""
    return workspace().labels.current(project_of(run), criterion, run)


@once_a_view
def given_labels(run: RunInfo) -> list[Label]:
    """The labels on all criteria that hold, without decisions on disagreements."""
    return workspace().labels.current(project_of(run), run=run, decisions=False)


@once_a_view
def newest_scoring(run: RunInfo) -> ScoringInfo | None:
    """The run's newest scoring; None before the first."""
    return workspace().scoring.latest(run)


@once_a_view
def newest_topics(run: RunInfo, on: Source = "query") -> TopicsInfo | None:
    """The newest search for the run's topics; None before the first."""
    return workspace().topics.latest(run, on=on)


@once_a_view
def calibrations_of(run: RunInfo) -> list[CalibrationRecord]:
    """The run's saved calibrations, newest first."""
    return workspace().calibrations.all(run)


@once_a_view
def reports_of(project: ProjectInfo) -> list[ReportVersion]:
    """The versions of the project's report, oldest first."""
    return workspace().reports.versions(project)
