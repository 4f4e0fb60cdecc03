"""The table of looks at what labels show of a policy. Rows are never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class PolicyLookRow(Row, table=True):
    """Somebody saw what a run's labels show of a promise, by these maps: the first time is what counts."""

    __tablename__ = "policy_look"
    __table_args__ = (UniqueConstraint("run_id", "criterion_id", "statement", "labels_hash"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    statement: str
    document: dict[str, object] = Field(sa_type=JSON)
    labels_hash: str
    labels: int
    actor: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
