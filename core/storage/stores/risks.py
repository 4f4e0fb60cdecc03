"""Risk registers: each new version gets the next number, and none is ever changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy.exc import IntegrityError
from sqlmodel import desc, select

from hcat.core.errors import ConflictError
from hcat.core.records.codec import JSON
from hcat.core.records.risks import RiskRegister
from hcat.core.storage.database import Database
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.risks import RiskRegisterRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class RiskTable:
    """The risk registers of one database."""

    database: Database

    def add(self, write: Write, project_id: int, register: RiskRegister) -> RiskRegister:
        """The register under its version; ConflictError where somebody else took the number meanwhile."""
        row = RiskRegisterRow(
            project_id=project_id,
            version=register.version,
            document=stored(JSON.write_object(register)),
            author=register.author,
            at=write.at,
        )
        try:
            with write.transaction() as session:
                session.add(row)
                session.flush()
                return _register(row)
        except IntegrityError as error:
            raise ConflictError("somebody else has changed the register meanwhile: read it, then change it") from error

    def all(self, project_id: int) -> list[RiskRegister]:
        """The project's registers, newest first."""
        query = select(RiskRegisterRow).where(RiskRegisterRow.project_id == project_id)
        with self.database.read() as session:
            return [_register(row) for row in session.exec(query.order_by(desc(RiskRegisterRow.version)))]


def _register(row: RiskRegisterRow) -> RiskRegister:
    register = JSON.read(RiskRegister, json_document(row.document))
    return replace(register, version=row.version, author=row.author, at=row.at)
