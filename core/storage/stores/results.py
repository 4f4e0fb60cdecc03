"""Results of a run's computations: score tables, topics and calibrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, desc, select

from hcat.core.errors import ConflictError
from hcat.core.records.codec import JSON
from hcat.core.records.project import CalibrationRecord, ScoringInfo, TopicsInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.stores.text_keys import key_rows
from hcat.core.storage.tables.projects import CalibrationRow, CriterionRow, RunRow, ScoringRow, TopicsRow
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue

Document = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Results:
    """Pointers to what machines computed, and the documents that people kept."""

    database: Database

    def latest_scoring(self, run_id: int) -> ScoringInfo | None:
        """The newest version of the run's score table."""
        newest_first = select(ScoringRow).where(ScoringRow.run_id == run_id).order_by(desc(ScoringRow.version))
        with self.database.read() as session:
            row = session.exec(newest_first.limit(1)).first()
            return None if row is None else _scoring(row)

    def add_scoring(
        self, write: Write, run_id: int, *, version: int, metrics: tuple[str, ...], artifact: str, provenance: Document
    ) -> ScoringInfo:
        """Version `version` of the run's score table, or ConflictError when another job stored that version first."""
        row = ScoringRow(
            run_id=run_id, version=version, metrics=list(metrics), artifact=artifact, provenance=stored(provenance)
        )
        try:
            with write.transaction() as session:
                session.add(row)
                session.flush()
                return _scoring(row)
        except IntegrityError as error:
            raise ConflictError(f"version {version} of these scores was stored meanwhile: score again") from error

    def latest_topics(self, run_id: int, source: str) -> TopicsInfo | None:
        """The newest topics found in the run's queries or contexts."""
        newest_first = (
            select(TopicsRow)
            .where(TopicsRow.run_id == run_id, TopicsRow.source == source)
            .order_by(desc(TopicsRow.id))
            .limit(1)
        )
        with self.database.read() as session:
            row = session.exec(newest_first).first()
            return None if row is None else _topics(row)

    def topics(self, run_id: int) -> list[TopicsInfo]:
        """Every search for topics in the run, oldest first."""
        query = select(TopicsRow).where(TopicsRow.run_id == run_id).order_by(col(TopicsRow.id))
        with self.database.read() as session:
            return [_topics(row) for row in session.exec(query)]

    def add_topics(
        self,
        write: Write,
        run_id: int,
        source: str,
        *,
        artifact: str,
        settings: Document,
        keys: KeyRing,
    ) -> TopicsInfo:
        """Topics of a run, with the key of their file, which is sealed."""
        row = TopicsRow(run_id=run_id, source=source, artifact=artifact, settings=stored(settings))
        with write.transaction() as session:
            session.add(row)
            session.add_all(key_rows(session.get_one(RunRow, run_id).project_id, keys))
            session.flush()
            return _topics(row)

    def add_calibration(
        self, write: Write, project_id: int, run_id: int, criterion: str, document: Document
    ) -> CalibrationRecord:
        """Keep a calibration's document."""
        with write.transaction() as session:
            owner = criterion_row(session, project_id, criterion)
            row = CalibrationRow(run_id=run_id, criterion_id=known_id(owner.id), document=stored(document))
            session.add(row)
            session.flush()
            return _calibration(row, owner.name)

    def calibrations(self, run_id: int) -> list[CalibrationRecord]:
        """The run's kept calibrations, newest first."""
        query = (
            select(CalibrationRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(CalibrationRow.criterion_id))
            .where(CalibrationRow.run_id == run_id)
            .order_by(desc(CalibrationRow.id))
        )
        with self.database.read() as session:
            return [_calibration(row, name) for row, name in session.exec(query)]


def stored(document: Document) -> dict[str, object]:
    """The document as a JSON column takes it: null for NaN and the infinities, which JSON does not have."""
    return dict(JSON.write_object(document))


def json_document(value: dict[str, object]) -> dict[str, JsonValue]:
    """A JSON column's value by its name: it was JSON when it was written."""
    return cast("dict[str, JsonValue]", value)


def _scoring(row: ScoringRow) -> ScoringInfo:
    return ScoringInfo(known_id(row.id), row.run_id, row.version, tuple(row.metrics), row.artifact, row.created_at)


def _topics(row: TopicsRow) -> TopicsInfo:
    settings = json_document(row.settings)
    return TopicsInfo(known_id(row.id), row.run_id, row.source, row.artifact, settings, row.created_at)


def _calibration(row: CalibrationRow, criterion: str) -> CalibrationRecord:
    return CalibrationRecord(known_id(row.id), row.run_id, criterion, json_document(row.document), row.created_at)
