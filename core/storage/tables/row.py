"""Base of all tables: names for constraints, and columns that read back as they were written."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect, MetaData
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops the zone, so it is put back on reading; a naive time is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError("a stored time needs its zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """This moment in UTC."""
    return datetime.now(UTC)


class NullableJson(TypeDecorator[object]):
    """A document, or SQL's NULL where there is none: never the JSON word null."""

    impl = JSON(none_as_null=True)
    cache_ok = True


class Row(SQLModel):
    """Base of every table: names for its constraints, so that migrations can find them again."""

    metadata = MetaData(naming_convention=NAMES)
