"""Projects, their criteria and their runs. Rows go in and out here; callers see records only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import and_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select, update

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.records.project import GuidelineRecord, ProjectInfo, RunInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.text_keys import key_rows
from hcat.core.storage.tables.projects import CriterionRow, GuidelineRow, ProjectRow, RunRow
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.write import Write
from hcat.core.types import Criterion


@dataclass(frozen=True)
class Repository:
    """Projects, criteria and runs of one database."""

    database: Database

    def projects(self) -> list[ProjectInfo]:
        """All projects that are not archived, by name."""
        query = select(ProjectRow).where(col(ProjectRow.archived_at).is_(None)).order_by(col(ProjectRow.name))
        with self.database.read() as session:
            return [_project(row) for row in session.exec(query)]

    def project(self, name: str) -> ProjectInfo:
        """The project of this name, or NotFoundError."""
        with self.database.read() as session:
            row = session.exec(select(ProjectRow).where(ProjectRow.name == name)).first()
            if row is None:
                raise NotFoundError(f"there is no project {name!r}: create it first")
            return _project(row)

    def project_by_id(self, project_id: int) -> ProjectInfo:
        """The project with this id, or NotFoundError."""
        with self.database.read() as session:
            row = session.get(ProjectRow, project_id)
            if row is None:
                raise NotFoundError(f"there is no project with id {project_id}")
            return _project(row)

    def add_project(self, write: Write, name: str, description: str) -> ProjectInfo:
        """A new project, or ConflictError when the name is taken."""
        try:
            with write.transaction() as session:
                row = ProjectRow(name=name, description=description)
                session.add(row)
                session.flush()
                return _project(row)
        except IntegrityError as error:
            raise ConflictError(f"there is already a project {name!r}: choose another name") from error

    def known_pseudonym_key(self, project_id: int) -> str | None:
        """The project's key for pseudonyms, None where it has none yet."""
        with self.database.read() as session:
            return session.exec(select(ProjectRow.pseudonym_key).where(ProjectRow.id == project_id)).one()

    def pseudonym_key(self, write: Write, project_id: int, fresh: str) -> str:
        """The project's key for pseudonyms: `fresh` where it has none yet. Whoever stores one first gives it to all."""
        with write.transaction() as session:
            unset = and_(col(ProjectRow.id) == project_id, col(ProjectRow.pseudonym_key).is_(None))
            session.execute(update(ProjectRow).where(unset).values(pseudonym_key=fresh))
            key = session.exec(select(ProjectRow.pseudonym_key).where(ProjectRow.id == project_id)).one()
            return key or fresh

    def criteria(self, project_id: int, *, archived: bool = False) -> list[Criterion]:
        """The project's criteria in the order in which they were added, each with its newest guideline; with those that
        are `archived` too, or without."""
        query = select(CriterionRow).where(CriterionRow.project_id == project_id).order_by(col(CriterionRow.id))
        if not archived:
            query = query.where(col(CriterionRow.archived_at).is_(None))
        with self.database.read() as session:
            return [_criterion(row, _newest_guideline(session, row.id)) for row in session.exec(query)]

    def add_criterion(self, write: Write, project_id: int, criterion: Criterion) -> Criterion:
        """A new criterion with version 1 of its guideline, or ConflictError when the name is taken."""
        try:
            with write.transaction() as session:
                row = CriterionRow(
                    project_id=project_id,
                    name=criterion.name,
                    levels=list(criterion.levels),
                    passing=criterion.passing,
                )
                session.add(row)
                session.flush()
                guideline = GuidelineRow(criterion_id=known_id(row.id), version=1, text=criterion.guideline)
                session.add(guideline)
                return _criterion(row, guideline)
        except IntegrityError as error:
            raise ConflictError(f"there is already a criterion {criterion.name!r}: choose another name") from error

    def add_guideline(self, write: Write, project_id: int, name: str, text: str, *, version: int) -> Criterion:
        """Version `version` of the guideline. It must be the next one: ConflictError when somebody else was first."""
        try:
            with write.transaction() as session:
                row = criterion_row(session, project_id, name)
                newest = _newest_guideline(session, row.id)
                if newest.version + 1 != version:
                    raise ConflictError(_GUIDELINE_MOVED.format(name=name, version=newest.version))
                guideline = GuidelineRow(criterion_id=known_id(row.id), version=version, text=text)
                session.add(guideline)
                session.flush()
                return _criterion(row, guideline)
        except IntegrityError as error:
            raise ConflictError(_GUIDELINE_MOVED.format(name=name, version=version)) from error

    def guidelines(self, project_id: int, name: str) -> list[GuidelineRecord]:
        """Every version of a criterion's guideline, oldest first."""
        with self.database.read() as session:
            owner = criterion_row(session, project_id, name)
            rows = session.exec(
                select(GuidelineRow).where(GuidelineRow.criterion_id == owner.id).order_by(col(GuidelineRow.version))
            )
            return [GuidelineRecord(row.version, row.text, row.created_at) for row in rows]

    def runs(self, project_id: int, *, archived: bool = False) -> list[RunInfo]:
        """The project's runs, oldest first; with those that are `archived` too, or without."""
        query = select(RunRow).where(RunRow.project_id == project_id).order_by(col(RunRow.id))
        if not archived:
            query = query.where(col(RunRow.archived_at).is_(None))
        with self.database.read() as session:
            return [_run(row) for row in session.exec(query)]

    def run(self, project_id: int, name: str) -> RunInfo:
        """The run of this name, or NotFoundError."""
        with self.database.read() as session:
            row = session.exec(select(RunRow).where(RunRow.project_id == project_id, RunRow.name == name)).first()
            if row is None:
                raise NotFoundError(f"the project has no run {name!r}: import it first")
            return _run(row)

    def run_by_id(self, run_id: int) -> RunInfo:
        """The run with this id, or NotFoundError."""
        with self.database.read() as session:
            row = session.get(RunRow, run_id)
            if row is None:
                raise NotFoundError(f"there is no run with id {run_id}")
            return _run(row)

    def add_run(
        self,
        write: Write,
        project_id: int,
        name: str,
        *,
        content_hash: str,
        artifact: str,
        n: int,
        filename: str,
        format: str,  # noqa: A002
        keys: KeyRing,
    ) -> RunInfo:
        """A new run with the keys of its texts, or ConflictError when the name is taken."""
        row = RunRow(
            project_id=project_id,
            name=name,
            content_hash=content_hash,
            artifact=artifact,
            n=n,
            filename=filename,
            format=format,
            key_ring=keys.name,
        )
        try:
            with write.transaction() as session:
                session.add(row)
                session.add_all(key_rows(project_id, keys))
                session.flush()
                return _run(row)
        except IntegrityError as error:
            raise ConflictError(f"the project already has a run {name!r}: choose another name") from error


_GUIDELINE_MOVED = "the guideline of {name!r} was edited meanwhile (now version {version}): read it, then edit again"


def known_id(value: int | None) -> int:
    """The id of a row that was flushed."""
    if value is None:
        raise ValueError("the row was not written yet")
    return value


def criterion_row(session: Session, project_id: int, name: str) -> CriterionRow:
    """The criterion of this name in the project, or NotFoundError with the ones there are."""
    rows = session.exec(select(CriterionRow).where(CriterionRow.project_id == project_id)).all()
    for row in rows:
        if row.name == name:
            return row
    names = ", ".join(row.name for row in rows) or "none yet"
    raise NotFoundError(f"the project has no criterion {name!r} (it has: {names}): add it first")


def _newest_guideline(session: Session, criterion_id: int | None) -> GuidelineRow:
    newest_first = select(GuidelineRow).where(GuidelineRow.criterion_id == criterion_id)
    return session.exec(newest_first.order_by(desc(GuidelineRow.version)).limit(1)).one()


def _project(row: ProjectRow) -> ProjectInfo:
    return ProjectInfo(known_id(row.id), row.name, row.description, row.created_at)


def _criterion(row: CriterionRow, guideline: GuidelineRow) -> Criterion:
    return Criterion(row.name, tuple(row.levels), guideline.text, guideline.version, row.passing)


def _run(row: RunRow) -> RunInfo:
    return RunInfo(
        id=known_id(row.id),
        project_id=row.project_id,
        name=row.name,
        content_hash=row.content_hash,
        artifact=row.artifact,
        n=row.n,
        filename=row.filename,
        format=row.format,
        created_at=row.created_at,
        key_ring=str(row.key_ring),
    )
