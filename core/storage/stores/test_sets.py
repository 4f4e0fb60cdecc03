"""Test sets, their versions, and the append-only log of what reviewers decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from core.errors import ConflictError, NotFoundError
from core.records.test_set import CaseDecision, ReviewDecision, TestSetInfo, TestSetVersion
from core.storage.database import Database
from core.storage.stores.projects import known_id
from core.storage.stores.results import json_document, stored
from core.storage.tables.test_sets import CaseDecisionRow, TestSetRow, TestSetVersionRow
from core.storage.write import Write
from core.types import JsonValue


@dataclass(frozen=True)
class TestSetTable:
    """The test sets of one database."""

    __test__ = False

    database: Database

    def names(self, project_id: int) -> set[str]:
        """The names that the project's test sets have, archived or not."""
        with self.database.read() as session:
            return set(session.exec(select(TestSetRow.name).where(TestSetRow.project_id == project_id)))

    def add(self, write: Write, project_id: int, name: str, version: TestSetVersion) -> TestSetInfo:
        """A new test set with its first version, or ConflictError when the name is taken."""
        try:
            with write.transaction() as session:
                owner = TestSetRow(project_id=project_id, name=name)
                session.add(owner)
                session.flush()
                return _add_version(session, write, owner, version, number=1)
        except IntegrityError as error:
            raise ConflictError(f"the project already has a test set {name!r}: choose another name") from error

    def add_version(self, write: Write, test_set_id: int, version: TestSetVersion, *, number: int) -> TestSetInfo:
        """The version under this number; ConflictError where somebody else made it meanwhile."""
        try:
            with write.transaction() as session:
                owner = session.get(TestSetRow, test_set_id)
                if owner is None:
                    raise NotFoundError("this test set was deleted meanwhile: make it anew")
                return _add_version(session, write, owner, version, number=number)
        except IntegrityError as error:
            raise ConflictError(f"version {number} of this test set was made meanwhile: look at it first") from error

    def newest(self, project_id: int) -> list[TestSetInfo]:
        """The newest version of each test set of the project that is not archived, oldest test set first."""
        owners = select(TestSetRow).where(TestSetRow.project_id == project_id, col(TestSetRow.archived_at).is_(None))
        with self.database.read() as session:
            return [_versions(session, owner)[0] for owner in session.exec(owners.order_by(col(TestSetRow.id)))]

    def versions(self, project_id: int, name: str) -> list[TestSetInfo]:
        """The versions of a test set, archived or not, newest first; or NotFoundError."""
        query = select(TestSetRow).where(TestSetRow.project_id == project_id, TestSetRow.name == name)
        with self.database.read() as session:
            owner = session.exec(query).first()
            if owner is None:
                raise NotFoundError(f"the project has no test set {name!r}: make it first")
            return _versions(session, owner)

    def decide(
        self,
        write: Write,
        version_id: int,
        case_id: str,
        decision: ReviewDecision,
        *,
        previous: int,
        reason: str,
        edited: Mapping[str, JsonValue] | None,
    ) -> CaseDecision:
        """Append to the log after the entry that the reviewer saw; ConflictError where another one came between."""
        row = CaseDecisionRow(
            test_set_version_id=version_id,
            case_id=case_id,
            previous=previous,
            decision=decision,
            reason=reason,
            edited=None if edited is None else stored(edited),
            reviewer=write.actor,
            at=write.at,
        )
        try:
            with write.transaction() as session:
                if session.get(TestSetVersionRow, version_id) is None:
                    raise NotFoundError("this test set was deleted meanwhile")
                session.add(row)
                session.flush()
                return _decision(row)
        except IntegrityError as error:
            raise ConflictError("somebody else decided on this case meanwhile: look at it again") from error

    def decisions(self, version_id: int) -> list[CaseDecision]:
        """The whole log of a version, oldest first."""
        query = select(CaseDecisionRow).where(CaseDecisionRow.test_set_version_id == version_id)
        with self.database.read() as session:
            return [_decision(row) for row in session.exec(query.order_by(col(CaseDecisionRow.id)))]


def _add_version(
    session: Session, write: Write, owner: TestSetRow, version: TestSetVersion, *, number: int
) -> TestSetInfo:
    row = TestSetVersionRow(
        test_set_id=known_id(owner.id),
        version=number,
        content_hash=version.content_hash,
        artifact=version.artifact,
        n_cases=version.n_cases,
        frozen=version.frozen,
        corpus_version_id=version.corpus_version_id,
        account=stored(version.account),
        source=version.source,
        actor=write.actor,
        created_at=write.at,
    )
    session.add(row)
    session.flush()
    return _record(owner, row)


def _versions(session: Session, owner: TestSetRow) -> list[TestSetInfo]:
    query = select(TestSetVersionRow).where(TestSetVersionRow.test_set_id == owner.id)
    return [_record(owner, row) for row in session.exec(query.order_by(desc(TestSetVersionRow.version)))]


def _record(owner: TestSetRow, row: TestSetVersionRow) -> TestSetInfo:
    return TestSetInfo(
        id=known_id(row.id),
        test_set_id=row.test_set_id,
        project_id=owner.project_id,
        name=owner.name,
        version=row.version,
        content_hash=row.content_hash,
        artifact=row.artifact,
        n_cases=row.n_cases,
        frozen=row.frozen,
        corpus_version_id=row.corpus_version_id,
        account=json_document(row.account),
        source=row.source,
        actor=row.actor,
        created_at=row.created_at,
    )


def _decision(row: CaseDecisionRow) -> CaseDecision:
    return CaseDecision(
        id=known_id(row.id),
        case_id=row.case_id,
        decision=cast("ReviewDecision", row.decision),
        reviewer=row.reviewer,
        at=row.at,
        reason=row.reason,
        edited=None if row.edited is None else json_document(row.edited),
    )
