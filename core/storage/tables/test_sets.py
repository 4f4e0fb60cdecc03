"""The tables of test sets: a name, its versions, and the log of what reviewers decided on their cases."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import NullableJson, Row, UtcDateTime, now
from hcat.core.storage.tables.versioned import NamedRow, VersionRow


class TestSetRow(NamedRow, table=True):
    __tablename__ = "test_set"
    __table_args__ = (UniqueConstraint("project_id", "name"),)
    __test__ = False


class TestSetVersionRow(VersionRow, table=True):
    __tablename__ = "test_set_version"
    __table_args__ = (UniqueConstraint("test_set_id", "version"),)
    __test__ = False

    test_set_id: int = Field(foreign_key="test_set.id")
    n_cases: int
    frozen: bool
    corpus_version_id: int | None = None
    account: dict[str, object] = Field(sa_type=JSON)


class CaseDecisionRow(Row, table=True):
    """`previous` is the entry on the same case before it; only one entry can follow another."""

    __tablename__ = "case_decision"
    __table_args__ = (UniqueConstraint("test_set_version_id", "case_id", "previous"),)

    id: int | None = Field(default=None, primary_key=True)
    test_set_version_id: int = Field(foreign_key="test_set_version.id", index=True)
    case_id: str
    previous: int
    decision: str
    reason: str
    edited: dict[str, object] | None = Field(default=None, sa_type=NullableJson)
    reviewer: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
