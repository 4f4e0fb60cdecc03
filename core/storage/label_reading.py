"""Label logs as they were read last, brought up to date by what was added since: entries never change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypedDict, cast

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.labelling.evidence import EvidenceSpan, LabelDetails, Part
from core.labelling.queue import PURPOSES
from core.storage.label_tables import LabelRow
from core.storage.records import LabelKind, LabelRecord
from core.storage.repository import criterion_row, known_id
from core.storage.tables import CriterionRow

Place = tuple[int, str]
"""A run, and the name of a criterion."""


@dataclass(frozen=True)
class LabelReader:
    """The label logs of one database's projects. Threads share it."""

    _kept: dict[int, KeptLog] = field(default_factory=dict)

    def history(
        self,
        session: Session,
        project_id: int,
        *,
        criterion: str | None = None,
        run_id: int | None = None,
        sample_id: str | None = None,
    ) -> list[LabelRecord]:
        """Every entry ever made, oldest first. NotFoundError where the project has no such criterion."""
        if criterion is not None:
            criterion_row(session, project_id, criterion)
        return [
            record
            for record in self._log(project_id).read(session)
            if criterion in (None, record.criterion)
            and run_id in (None, record.run_id)
            and sample_id in (None, record.sample_id)
        ]

    def current(
        self,
        session: Session,
        project_id: int,
        *,
        criterion: str | None = None,
        run_id: int | None = None,
        annotator: str | None = None,
    ) -> list[LabelRecord]:
        """The entries that hold: labels and skips, neither superseded nor withdrawn, oldest first. Errors as above."""
        if criterion is not None:
            criterion_row(session, project_id, criterion)
        found = self._log(project_id).current(session, criterion=criterion, run_id=run_id)
        return found if annotator is None else [record for record in found if record.annotator == annotator]

    def _log(self, project_id: int) -> KeptLog:
        return self._kept.setdefault(project_id, KeptLog(project_id))


@dataclass
class KeptLog:
    """The entries of one project by id, oldest first."""

    project_id: int
    _records: dict[int, LabelRecord] = field(default_factory=dict)
    _holding: dict[Place, dict[int, LabelRecord]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def read(self, session: Session) -> list[LabelRecord]:
        """All entries as the session sees them."""
        with self._lock:
            self._update(session)
            return list(self._records.values())

    def current(self, session: Session, *, criterion: str | None, run_id: int | None) -> list[LabelRecord]:
        """Those that hold, as the session sees them."""
        with self._lock:
            self._update(session)
            found = [
                held
                for (run, name), held in self._holding.items()
                if run_id in (None, run) and criterion in (None, name)
            ]
            if len(found) == 1:
                return list(found[0].values())
            return sorted((record for held in found for record in held.values()), key=lambda record: record.id)

    def _update(self, session: Session) -> None:
        self._take(_rows(session, self.project_id, after=self._last))
        # Writers of PostgreSQL can commit in another order than that of their ids: then one was passed over.
        if len(self._records) != _count(session, self.project_id, up_to=self._last):
            self._records, self._holding = {}, {}
            self._take(_rows(session, self.project_id, after=0))

    @property
    def _last(self) -> int:
        return next(reversed(self._records), 0)  # they stand in the order of their ids

    def _take(self, rows: Sequence[tuple[LabelRow, str]]) -> None:
        for row, criterion in rows:
            record = as_record(row, criterion)
            self._records[record.id] = record
            holding = self._holding.setdefault((record.run_id, record.criterion), {})
            if record.kind != "withdrawn":
                holding[record.id] = record
            if row.supersedes is not None and (earlier := self._records.get(row.supersedes)) is not None:
                self._records[row.supersedes] = replace(earlier, superseded=True)
                holding.pop(row.supersedes, None)


def as_record(row: LabelRow, criterion: str) -> LabelRecord:
    """The row as the entry that it is while none supersedes it."""
    return LabelRecord(
        id=known_id(row.id),
        run_id=row.run_id,
        sample_id=row.sample_id,
        criterion=criterion,
        annotator=row.annotator,
        kind=_KINDS[row.kind],
        level=row.level,
        rationale=row.rationale,
        probability=row.probability,
        queue=row.queue,
        seconds=row.seconds,
        guideline_version=row.guideline_version,
        at=row.at,
        supersedes=row.supersedes,
        superseded=False,
        occurrence=row.occurrence,
        purpose=PURPOSES[row.purpose],
        details=_details(row),
    )


def _rows(session: Session, project_id: int, *, after: int) -> Sequence[tuple[LabelRow, str]]:
    query = (
        select(LabelRow, CriterionRow.name)
        .join(CriterionRow, col(CriterionRow.id) == col(LabelRow.criterion_id))
        .where(CriterionRow.project_id == project_id, col(LabelRow.id) > after)
        .order_by(col(LabelRow.id))
    )
    return session.exec(query).all()


def _count(session: Session, project_id: int, *, up_to: int) -> int:
    query = (
        select(func.count(col(LabelRow.id)))
        .join(CriterionRow, col(CriterionRow.id) == col(LabelRow.criterion_id))
        .where(CriterionRow.project_id == project_id, col(LabelRow.id) <= up_to)
    )
    return session.exec(query).one()


def _details(row: LabelRow) -> LabelDetails:
    return LabelDetails(
        confidence=row.confidence,
        spans=tuple(EvidenceSpan(**cast("_Span", span)) for span in row.spans or ()),
        flagged=row.flagged,
        comment=row.comment,
        shown=tuple(row.shown or ()),
        blind=row.blind,
    )


class _Span(TypedDict):
    part: Part
    start: int
    end: int
    passage: str | None


_KINDS: dict[str, LabelKind] = {
    "label": "label",
    "skip": "skip",
    "cannot_judge": "cannot_judge",
    "withdrawn": "withdrawn",
}
