"""Report versions: each new one gets the next number, and none is ever changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from hcat.core.errors import ConflictError
from hcat.core.records.report import ReportVersion
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.stores.text_keys import key_rows
from hcat.core.storage.tables.reports import ReportVersionRow
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class ReportTable:
    """The report versions of one database."""

    database: Database

    def add_version(
        self,
        write: Write,
        project_id: int,
        *,
        version: int,
        hash: str,  # noqa: A002
        content: str,
        artifact: str,
        author: str,
        note: str,
        contents: Mapping[str, JsonValue],
        keys: KeyRing,
    ) -> ReportVersion:
        """A report under this number, with the key of its file; ConflictError where another one was built meanwhile."""
        row = ReportVersionRow(
            project_id=project_id,
            version=version,
            hash=hash,
            content=content,
            artifact=artifact,
            author=author,
            note=note,
            contents=stored(contents),
            at=write.at,
        )
        try:
            with write.transaction() as session:
                session.add(row)
                session.add_all(key_rows(project_id, keys))
                session.flush()
                return _version(row)
        except IntegrityError as error:
            raise ConflictError(f"version {version} of this report was built meanwhile: build it again") from error

    def versions(self, project_id: int) -> list[ReportVersion]:
        """The project's reports, oldest first."""
        query = select(ReportVersionRow).where(ReportVersionRow.project_id == project_id)
        with self.database.read() as session:
            return [_version(row) for row in session.exec(query.order_by(col(ReportVersionRow.version)))]


def _version(row: ReportVersionRow) -> ReportVersion:
    return ReportVersion(
        id=known_id(row.id),
        project_id=row.project_id,
        version=row.version,
        hash=row.hash,
        content=row.content,
        artifact=row.artifact,
        author=row.author,
        note=row.note,
        contents=json_document(row.contents),
        at=row.at,
    )
