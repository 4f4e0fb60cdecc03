"""Test sets, their versions, and the append-only log of what reviewers decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.records.test_set import CaseDecision, ReviewDecision, TestSetInfo, TestSetVersion
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.stores.versioned import VersionedTable, VersionedWords
from hcat.core.storage.tables.test_sets import CaseDecisionRow, TestSetRow, TestSetVersionRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue

TestSetTable = VersionedTable[TestSetRow, TestSetVersionRow, TestSetVersion, TestSetInfo]


def test_set_table(database: Database) -> TestSetTable:
    """The test sets of one database."""
    words = VersionedWords("test set", "make", "made")
    return VersionedTable(database, TestSetRow, TestSetVersionRow, "test_set_id", _row, _record, words)


@dataclass(frozen=True)
class CaseDecisions:
    """Reviewers' decisions on the cases of test sets."""

    database: Database

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

    def of(self, version_id: int) -> list[CaseDecision]:
        """The whole log of a version, oldest first."""
        query = select(CaseDecisionRow).where(CaseDecisionRow.test_set_version_id == version_id)
        with self.database.read() as session:
            return [_decision(row) for row in session.exec(query.order_by(col(CaseDecisionRow.id)))]


def _row(version: TestSetVersion, test_set_id: int, number: int, write: Write) -> TestSetVersionRow:
    return TestSetVersionRow(
        test_set_id=test_set_id,
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
