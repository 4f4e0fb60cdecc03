"""The table of the audit log. Rows are only ever added: the database itself refuses to change or delete one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field

from hcat.core.storage.tables.row import Row, UtcDateTime


class AuditRow(Row, table=True):
    """One write. `sequence` counts up without gaps; `previous` is the hash of the row before. It refers to no other
    table, since it outlives what it names."""

    __tablename__ = "audit"

    sequence: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_type=UtcDateTime)
    actor: str
    role: str = ""
    action: str = Field(index=True)
    project: str = ""
    subject: str = Field(default="", sa_type=Text)
    before: str = ""
    after: str = ""
    digests: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    previous: str
    hash: str
