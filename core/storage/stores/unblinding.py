"""Records of the annotators who have seen scores or others' labels, by sample, with the time of the first look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import select

from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.tables.labelling import UnblindingRow
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class Unblinding:
    """Records of scores and others' labels that annotators have seen, in one database."""

    database: Database

    def add(
        self, write: Write, project_id: int, run_id: int, criterion: str, annotator: str, sample_ids: Iterable[str]
    ) -> None:
        """Note that the annotator sees scores or labels of others of these samples; the first time is what counts."""
        with write.transaction() as session:
            owner = known_id(criterion_row(session, project_id, criterion).id)
            rows = [
                {"run_id": run_id, "criterion_id": owner, "sample_id": sample, "annotator": annotator, "at": now()}
                for sample in dict.fromkeys(sample_ids)
            ]
            if not rows:
                return
            insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
            session.execute(insert(UnblindingRow).on_conflict_do_nothing(), rows)

    def seen(self, project_id: int, run_id: int, criterion: str, annotator: str) -> frozenset[str]:
        """The samples of which the annotator has seen scores or labels of others."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            sample_ids = session.exec(
                select(UnblindingRow.sample_id).where(
                    UnblindingRow.run_id == run_id,
                    UnblindingRow.criterion_id == owner.id,
                    UnblindingRow.annotator == annotator,
                )
            )
            return frozenset(sample_ids)
