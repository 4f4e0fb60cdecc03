"""The label log: entries are only ever added, and the last entry of each annotator on each sample is what holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from core.errors import ConflictError
from core.storage.database import Database
from core.storage.label_tables import LabelRow
from core.storage.records import LabelKind, LabelRecord
from core.storage.repository import criterion_row, known_id
from core.storage.row import now
from core.storage.tables import CriterionRow

FEW_SAMPLES = 100
"""Up to so many samples are asked for by name; beyond, the whole log of the criterion is read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What to add to the log. `at` is now where None."""

    sample_id: str
    annotator: str
    kind: LabelKind = "label"
    level: int | None = None
    rationale: str | None = None
    probability: float = 1.0
    queue: str = "none"
    seconds: float | None = None
    guideline_version: int = 1
    at: datetime | None = None


@dataclass(frozen=True)
class LabelLog:
    """The labels, skips and withdrawals of one database."""

    database: Database

    def add(self, project_id: int, run_id: int, criterion: str, entries: Iterable[Entry]) -> list[LabelRecord]:
        """Add these entries, all or none. Each supersedes its annotator's present entry on the same sample, if any.

        Writers that come at the same time follow one another. Should one slip in between all the same, the database
        refuses the second, and ConflictError says so.
        """
        entries = list(entries)
        try:
            with self.database.write() as session:
                owner = criterion_row(session, project_id, criterion)
                present = _present(session, run_id, known_id(owner.id), {entry.sample_id for entry in entries})
                added: list[LabelRow] = []
                for entry in entries:
                    key = (entry.sample_id, entry.annotator)
                    row = _row(entry, run_id, known_id(owner.id), present.get(key))
                    session.add(row)
                    session.flush()
                    present[key] = row
                    added.append(row)
                return [_record(row, owner.name, superseded=False) for row in added]
        except IntegrityError as error:
            raise ConflictError("somebody labelled the same sample at the same moment: look at it again") from error

    def history(
        self, project_id: int, *, criterion: str | None = None, run_id: int | None = None, sample_id: str | None = None
    ) -> list[LabelRecord]:
        """Every entry ever made, oldest first."""
        query = (
            select(LabelRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(LabelRow.criterion_id))
            .where(CriterionRow.project_id == project_id)
            .order_by(col(LabelRow.id))
        )
        if run_id is not None:
            query = query.where(LabelRow.run_id == run_id)
        if sample_id is not None:
            query = query.where(LabelRow.sample_id == sample_id)
        with self.database.read() as session:
            if criterion is not None:
                query = query.where(LabelRow.criterion_id == criterion_row(session, project_id, criterion).id)
            found = session.exec(query).all()
            superseded = {row.supersedes for row, _ in found}
            return [_record(row, name, superseded=row.id in superseded) for row, name in found]

    def current(
        self, project_id: int, *, criterion: str | None = None, run_id: int | None = None, annotator: str | None = None
    ) -> list[LabelRecord]:
        """The entries that hold: labels and skips, neither superseded nor withdrawn, oldest first."""
        return [
            record
            for record in self.history(project_id, criterion=criterion, run_id=run_id)
            if not record.superseded
            and record.kind != "withdrawn"
            and (annotator is None or record.annotator == annotator)
        ]


def _present(session: Session, run_id: int, criterion_id: int, samples: set[str]) -> dict[tuple[str, str], LabelRow]:
    query = select(LabelRow).where(LabelRow.run_id == run_id, LabelRow.criterion_id == criterion_id)
    if len(samples) <= FEW_SAMPLES:
        query = query.where(col(LabelRow.sample_id).in_(samples))
    # A chain's last entry is its newest.
    return {(row.sample_id, row.annotator): row for row in session.exec(query.order_by(col(LabelRow.id)))}


def _row(entry: Entry, run_id: int, criterion_id: int, present: LabelRow | None) -> LabelRow:
    return LabelRow(
        run_id=run_id,
        criterion_id=criterion_id,
        sample_id=entry.sample_id,
        annotator=entry.annotator,
        kind=entry.kind,
        level=entry.level,
        rationale=entry.rationale,
        probability=entry.probability,
        queue=entry.queue,
        seconds=entry.seconds,
        guideline_version=entry.guideline_version,
        at=entry.at or now(),
        supersedes=None if present is None else present.id,
    )


def _record(row: LabelRow, criterion: str, *, superseded: bool) -> LabelRecord:
    return LabelRecord(
        id=known_id(row.id),
        run_id=row.run_id,
        sample_id=row.sample_id,
        criterion=criterion,
        annotator=row.annotator,
        kind=_kind(row.kind),
        level=row.level,
        rationale=row.rationale,
        probability=row.probability,
        queue=row.queue,
        seconds=row.seconds,
        guideline_version=row.guideline_version,
        at=row.at,
        supersedes=row.supersedes,
        superseded=superseded,
    )


def _kind(name: str) -> LabelKind:
    return _KINDS[name]


_KINDS: dict[str, LabelKind] = {"label": "label", "skip": "skip", "withdrawn": "withdrawn"}
