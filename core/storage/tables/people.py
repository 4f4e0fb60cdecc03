"""The tables of people: whom the installation knows, and what they are in which project."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime, now


class PersonRow(Row, table=True):
    """People, identified by issuer and subject. The name signs labels and decisions, so that no two people share
    one."""

    __tablename__ = "person"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    issuer: str
    subject: str
    name: str = Field(unique=True)
    email: str = ""
    administrator: bool = False
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class MembershipRow(Row, table=True):
    """The one role of a person in a project."""

    __tablename__ = "membership"
    __table_args__ = (UniqueConstraint("project_id", "person_id"),)

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    role: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class NamedExportRow(Row, table=True):
    """Labels that left a project under the names of people, and who took them out."""

    __tablename__ = "named_export"

    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id", index=True)
    criterion: str
    run: str | None = None
    actor: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
