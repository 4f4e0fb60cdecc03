"""Results of judge runs, which are only ever added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sqlmodel import col, desc, select

from hcat.core.records.judging import JudgeRun, JudgeWork
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.stores.text_keys import key_rows
from hcat.core.storage.tables.judging import JudgeRunRow
from hcat.core.storage.tables.projects import RunRow
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue


@dataclass(frozen=True)
class JudgingTable:
    """The judge runs of one database."""

    database: Database

    def add_run(
        self,
        write: Write,
        run_id: int,
        *,
        work: JudgeWork,
        judge: str,
        version: str,
        rubric: str,
        rubric_version: int,
        n: int,
        artifact: str,
        settings: Mapping[str, JsonValue],
        usage: Mapping[str, JsonValue],
        keys: KeyRing,
    ) -> JudgeRun:
        """Store a judge's results on a run, with the key of their file."""
        row = JudgeRunRow(
            run_id=run_id,
            work=work,
            judge=judge,
            version=version,
            rubric=rubric,
            rubric_version=rubric_version,
            n=n,
            artifact=artifact,
            settings=stored(settings),
            usage=stored(usage),
            actor=write.actor,
            created_at=write.at,
        )
        with write.transaction() as session:
            session.add(row)
            session.add_all(key_rows(session.get_one(RunRow, run_id).project_id, keys))
            session.flush()
            return _run(row)

    def runs(self, run_id: int) -> list[JudgeRun]:
        """The judge runs on a run, newest first."""
        query = select(JudgeRunRow).where(JudgeRunRow.run_id == run_id).order_by(desc(col(JudgeRunRow.id)))
        with self.database.read() as session:
            return [_run(row) for row in session.exec(query)]


def _run(row: JudgeRunRow) -> JudgeRun:
    return JudgeRun(
        id=known_id(row.id),
        run_id=row.run_id,
        work=cast("JudgeWork", row.work),
        judge=row.judge,
        version=row.version,
        rubric=row.rubric,
        rubric_version=row.rubric_version,
        n=row.n,
        artifact=row.artifact,
        settings=json_document(row.settings),
        usage=json_document(row.usage),
        actor=row.actor,
        created_at=row.created_at,
    )
