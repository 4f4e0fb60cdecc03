"""What names the present state of a run in the keys of caches."""

from __future__ import annotations

from core.labelling.consensus import labels_hash
from core.records.project import CalibrationRecord, RunInfo
from dashboard.loaders.workspace import workspace


def scored_as(run: RunInfo) -> str:
    """Names the run's newest scores in cache keys."""
    latest = workspace().scoring.latest(run)
    return "" if latest is None else latest.artifact


def sliced_as(run: RunInfo) -> str:
    """Names the run's newest topics of queries in cache keys."""
    latest = workspace().topics.latest(run)
    return "" if latest is None else latest.artifact


def labelled_as(run: RunInfo, criterion: str) -> str:
    """Names the present labels on a criterion in cache keys."""
    return labels_hash(workspace().labels.current(workspace().projects.of(run), criterion, run))


def identity(record: RunInfo | CalibrationRecord) -> str:
    """Names a row in cache keys: the database may give the id of a deleted one anew, not its time too."""
    return f"{record.id} {record.created_at.isoformat()}"
