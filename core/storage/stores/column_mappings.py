"""Mappings of a project's files that were made by hand, found again by the fingerprint of their columns."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from hcat.core.records.project import ColumnMapping
from hcat.core.storage.database import Database
from hcat.core.storage.tables.projects import ColumnMappingRow
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write


def saved_mapping(database: Database, project_id: int, fingerprint: str) -> ColumnMapping | None:
    """The mapping that was kept last for these columns, or None."""
    with database.read() as session:
        row = _row(session, project_id, fingerprint)
        return None if row is None else _record(row)


def save_mapping(write: Write, project_id: int, fingerprint: str, mapping: Mapping[str, str]) -> ColumnMapping:
    """Keep a mapping in the place of the one that these columns had. Of two at once, the later one stays."""
    try:
        return _save(write, project_id, fingerprint, mapping)
    except IntegrityError:  # somebody else kept the first one for these columns meanwhile
        return _save(write, project_id, fingerprint, mapping)


def _save(write: Write, project_id: int, fingerprint: str, mapping: Mapping[str, str]) -> ColumnMapping:
    with write.transaction() as session:
        row = _row(session, project_id, fingerprint) or ColumnMappingRow(
            project_id=project_id, fingerprint=fingerprint, mapping={}
        )
        row.mapping, row.created_at = dict(mapping), now()
        session.add(row)
        session.flush()
        return _record(row)


def _row(session: Session, project_id: int, fingerprint: str) -> ColumnMappingRow | None:
    return session.exec(
        select(ColumnMappingRow).where(
            ColumnMappingRow.project_id == project_id, ColumnMappingRow.fingerprint == fingerprint
        )
    ).first()


def _record(row: ColumnMappingRow) -> ColumnMapping:
    return ColumnMapping({column: str(name) for column, name in row.mapping.items()}, row.created_at)
