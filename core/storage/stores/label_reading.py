"""Label logs as they were read last, brought up to date by what was added since: entries never change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypedDict, cast

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from hcat.core.labelling.label_details import EvidenceSpan, LabelDetails, Part
from hcat.core.labelling.label_source import LABEL_SOURCES
from hcat.core.labelling.queue import PURPOSES
from hcat.core.labelling.records import LabelKind, LabelRecord
from hcat.core.storage.stores.housekeeping import last_entry
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.storage.tables.projects import CriterionRow

ROWS = 1_000
"""Number of entries that are read at a time where all are gone through once."""
Place = tuple[int, str]
"""A run, and the name of a criterion."""


@dataclass(frozen=True)
class LabelReader:
    """The label logs of one database's projects. Threads share it."""

    _kept: dict[int, CachedLog] = field(default_factory=dict)

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
        with self._log(project_id).up_to_date(session, criterion) as log:
            return [
                record
                for record in log.records.values()
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
        with self._log(project_id).up_to_date(session, criterion) as log:
            records = log.current(criterion=criterion, run_id=run_id)
        return records if annotator is None else [record for record in records if record.annotator == annotator]

    def _log(self, project_id: int) -> CachedLog:
        return self._kept.setdefault(project_id, CachedLog(project_id))


@dataclass
class CachedLog:
    """The entries of one project by id, oldest first, and those of them that hold."""

    project_id: int
    records: dict[int, LabelRecord] = field(default_factory=dict)
    _housekept: int = 0
    _holding: dict[Place, dict[int, LabelRecord]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def up_to_date(self, session: Session, criterion: str | None) -> Iterator[CachedLog]:
        """The log as the session sees it, for the one thread that has it.

        The session's first statement, which may fix what it sees, should come in here: else the log can be ahead of it,
        and is read again. It has its connection before: who waits for one must not keep the log from the others.
        """
        session.connection()
        with self._lock:
            if criterion is not None:
                criterion_row(session, self.project_id, criterion)
            if (housekept := last_entry(session)) != self._housekept:  # names changed, or ids are reused
                self.records, self._holding, self._housekept = {}, {}, housekept
            self._take(_rows(session, self.project_id, after=self._last))
            # Writers of PostgreSQL can commit in another order than that of their ids: then one was passed over.
            if len(self.records) != _count(session, self.project_id, up_to=self._last):
                self.records, self._holding = {}, {}
                self._take(_rows(session, self.project_id, after=0))
            yield self

    def current(self, *, criterion: str | None, run_id: int | None) -> list[LabelRecord]:
        """The entries that hold, oldest first."""
        holding = [
            records
            for (run, name), records in self._holding.items()
            if run_id in (None, run) and criterion in (None, name)
        ]
        if len(holding) == 1:
            return list(holding[0].values())
        return sorted((record for records in holding for record in records.values()), key=lambda record: record.id)

    @property
    def _last(self) -> int:
        return next(reversed(self.records), 0)  # they are in the order of their ids

    def _take(self, rows: Sequence[tuple[LabelRow, str]]) -> None:
        for row, criterion in rows:
            record = as_record(row, criterion)
            self.records[record.id] = record
            holding = self._holding.setdefault((record.run_id, record.criterion), {})
            if record.kind != "withdrawn":
                holding[record.id] = record
            if row.supersedes is not None and (earlier := self.records.get(row.supersedes)) is not None:
                self.records[row.supersedes] = replace(earlier, superseded=True)
                holding.pop(row.supersedes, None)


def each_record(session: Session, project_id: int, criterion: str, run_id: int) -> Iterator[LabelRecord]:
    """Every entry ever made on a run and criterion, oldest first, a part in memory at a time. NotFoundError where the
    project has no such criterion."""
    owner = known_id(criterion_row(session, project_id, criterion).id)
    later = aliased(LabelRow)
    query = (
        select(LabelRow, col(later.id))
        .outerjoin(later, col(later.supersedes) == col(LabelRow.id))
        .where(LabelRow.criterion_id == owner, LabelRow.run_id == run_id)
        .order_by(col(LabelRow.id))
    )
    for row, superseded_by in session.exec(query.execution_options(yield_per=ROWS)):
        record = as_record(row, criterion)
        yield record if superseded_by is None else replace(record, superseded=True)


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
        restores=row.restores,
        source=LABEL_SOURCES[row.source],
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
