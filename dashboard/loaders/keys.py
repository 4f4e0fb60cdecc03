"""Identifiers of the present state of a run in the keys of caches."""

from __future__ import annotations

from hcat.core.labelling.consensus import labels_hash
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.core.types import Label
from hcat.dashboard.loaders.stored import labels_of, newest_scoring, newest_topics

MOST_HASHED = 64
_HASHED: dict[tuple[str, str], tuple[list[Label], str]] = {}
"""The labels that were hashed last, by run and criterion."""


def scored_as(run: RunInfo) -> str:
    """Names the run's newest scores in cache keys."""
    latest = newest_scoring(run)
    return "" if latest is None else latest.artifact


def sliced_as(run: RunInfo) -> str:
    """Names the run's newest topics of queries in cache keys."""
    latest = newest_topics(run)
    return "" if latest is None else latest.artifact


def labelled_as(run: RunInfo, criterion: str) -> str:
    """Names the present labels on a criterion in cache keys."""
    labels = labels_of(run, criterion)
    kept = _HASHED.get((identity(run), criterion))
    if kept is None or kept[0] != labels:  # quick where they are the same: so are the labels themselves
        if len(_HASHED) >= MOST_HASHED:
            _HASHED.clear()
        kept = _HASHED[identity(run), criterion] = labels, labels_hash(labels)
    return kept[1]


def identity(record: RunInfo | CalibrationRecord) -> str:
    """Identifies a row in cache keys: the database may reuse the id of a deleted one, but not its time too."""
    return f"{record.id} {record.created_at.isoformat()}"
