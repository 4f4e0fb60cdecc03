"""Reference judgements: examples of a criterion's levels, gold items, and decided disagreements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.labelling.records import Adjudication, CriterionExample, GoldItem
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.tables.labelling import AdjudicationRow, CriterionExampleRow, GoldRow
from hcat.core.storage.tables.projects import CriterionRow
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class Standards:
    """Examples, gold items and adjudications of one database."""

    database: Database

    def examples(self, project_id: int, criterion: str) -> list[CriterionExample]:
        """The examples that are shown, by level from worst to best."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            rows = session.exec(
                select(CriterionExampleRow)
                .where(CriterionExampleRow.criterion_id == owner.id, col(CriterionExampleRow.removed_at).is_(None))
                .order_by(col(CriterionExampleRow.level), col(CriterionExampleRow.id))
            )
            return [_example(row) for row in rows]

    def add_example(
        self, write: Write, project_id: int, criterion: str, text: str, level: int, comment: str
    ) -> CriterionExample:
        """A further example."""
        with write.transaction() as session:
            owner = known_id(criterion_row(session, project_id, criterion).id)
            row = CriterionExampleRow(criterion_id=owner, text=text, level=level, comment=comment)
            session.add(row)
            session.flush()
            return _example(row)

    def project_of(self, example_id: int) -> int:
        """The project that an example belongs to, or NotFoundError."""
        query = (
            select(CriterionRow.project_id)
            .join(CriterionExampleRow, col(CriterionExampleRow.criterion_id) == col(CriterionRow.id))
            .where(CriterionExampleRow.id == example_id)
        )
        with self.database.read() as session:
            project_id = session.exec(query).first()
            if project_id is None:
                raise NotFoundError(f"there is no example with id {example_id}")
            return project_id

    def remove_example(self, write: Write, example_id: int) -> None:
        """Show the example no longer. It stays in the database, since annotators have read it."""
        with write.transaction() as session:
            row = session.get(CriterionExampleRow, example_id)
            if row is None:
                raise NotFoundError(f"there is no example with id {example_id}")
            row.removed_at = row.removed_at or now()

    def gold(self, project_id: int, run_id: int, criterion: str) -> list[GoldItem]:
        """The run's gold items on the criterion, oldest first."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, criterion)
            rows = session.exec(
                select(GoldRow)
                .where(GoldRow.run_id == run_id, GoldRow.criterion_id == owner.id)
                .order_by(col(GoldRow.id))
            )
            return [_gold(row) for row in rows]

    def add_gold(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        criterion: str,
        items: Sequence[tuple[str, int]],
        *,
        rationale: str,
        author: str,
    ) -> None:
        """Gold items as (sample id, level), all or none. ConflictError where one of the samples is gold already."""
        try:
            with write.transaction() as session:
                owner = known_id(criterion_row(session, project_id, criterion).id)
                for sample_id, level in items:
                    session.add(
                        GoldRow(
                            run_id=run_id,
                            criterion_id=owner,
                            sample_id=sample_id,
                            level=level,
                            rationale=rationale,
                            author=author,
                        )
                    )
        except IntegrityError as error:
            raise ConflictError("one of these samples is a gold item already: leave it out") from error

    def adjudicate(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        criterion: str,
        sample_id: str,
        level: int,
        *,
        rationale: str,
        author: str,
        label_ids: Sequence[int],
        guideline_version: int,
    ) -> Adjudication:
        """A decision, which supersedes the present one on the sample, if any."""
        try:
            with write.transaction() as session:
                owner = criterion_row(session, project_id, criterion)
                present = _newest_decision(session, run_id, known_id(owner.id), sample_id)
                row = AdjudicationRow(
                    run_id=run_id,
                    criterion_id=known_id(owner.id),
                    sample_id=sample_id,
                    level=level,
                    rationale=rationale,
                    author=author,
                    label_ids=list(label_ids),
                    guideline_version=guideline_version,
                    supersedes=None if present is None else present.id,
                )
                session.add(row)
                session.flush()
                return _adjudication(row, owner.name)
        except IntegrityError as error:
            raise ConflictError("somebody decided on the same sample at the same moment: look at it again") from error

    def adjudications(self, project_id: int, run_id: int, criterion: str | None = None) -> list[Adjudication]:
        """Every decision ever made on the run, oldest first; a later one on the same sample is what holds."""
        query = (
            select(AdjudicationRow, CriterionRow.name)
            .join(CriterionRow, col(CriterionRow.id) == col(AdjudicationRow.criterion_id))
            .where(CriterionRow.project_id == project_id, AdjudicationRow.run_id == run_id)
            .order_by(col(AdjudicationRow.id))
        )
        with self.database.read() as session:
            return [_adjudication(row, name) for row, name in session.exec(query) if criterion in (None, name)]


def _newest_decision(session: Session, run_id: int, criterion_id: int, sample_id: str) -> AdjudicationRow | None:
    return session.exec(
        select(AdjudicationRow)
        .where(
            AdjudicationRow.run_id == run_id,
            AdjudicationRow.criterion_id == criterion_id,
            AdjudicationRow.sample_id == sample_id,
        )
        .order_by(desc(AdjudicationRow.id))
        .limit(1)
    ).first()


def _example(row: CriterionExampleRow) -> CriterionExample:
    return CriterionExample(known_id(row.id), row.text, row.level, row.comment, row.created_at, row.removed_at)


def _gold(row: GoldRow) -> GoldItem:
    return GoldItem(row.sample_id, row.level, row.rationale, row.author, row.created_at)


def _adjudication(row: AdjudicationRow, criterion: str) -> Adjudication:
    return Adjudication(
        id=known_id(row.id),
        run_id=row.run_id,
        criterion=criterion,
        sample_id=row.sample_id,
        level=row.level,
        rationale=row.rationale,
        author=row.author,
        label_ids=tuple(row.label_ids),
        guideline_version=row.guideline_version,
        at=row.at,
        supersedes=row.supersedes,
    )
