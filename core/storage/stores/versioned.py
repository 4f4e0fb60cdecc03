"""Things with a name in a project, and versions: each new one gets the next number, and none is ever changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, desc, select

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.tables.versioned import NamedRow, VersionRow
from hcat.core.storage.write import Write

Owner = TypeVar("Owner", bound=NamedRow)
Version = TypeVar("Version", bound=VersionRow)
New = TypeVar("New")
Info = TypeVar("Info")


@dataclass(frozen=True, slots=True)
class VersionedWords:
    """Words for a kind of versioned thing and for adding one: "corpus", "import", "imported"."""

    noun: str
    verb: str
    done: str


@dataclass(frozen=True)
class VersionedTable(Generic[Owner, Version, New, Info]):
    """The names and versions of one kind of thing in one database.

    `owner_key` is the column of `versions_in` that holds the owner's id. `row` makes the row of a version out of what
    it consists of, for an owner of this id, under this number; `record` reads both rows back.
    """

    database: Database
    owners: type[Owner]
    versions_in: type[Version]
    owner_key: str
    row: Callable[[New, int, int, Write], Version]
    record: Callable[[Owner, Version], Info]
    words: VersionedWords

    def names(self, project_id: int) -> set[str]:
        """The names that are taken in the project, also by what is archived."""
        with self.database.read() as session:
            return set(session.exec(select(self.owners.name).where(self.owners.project_id == project_id)))

    def add(self, write: Write, project_id: int, name: str, version: New) -> Info:
        """A new name with its first version, or ConflictError when the name is taken."""
        try:
            with write.transaction() as session:
                owner = self.owners(project_id=project_id, name=name)
                session.add(owner)
                session.flush()
                return self._add_version(session, write, owner, version, number=1)
        except IntegrityError as error:
            raise ConflictError(f"the project already has a {self.words.noun} {name!r}: choose another name") from error

    def add_version(self, write: Write, owner_id: int, version: New, *, number: int) -> Info:
        """The version under this number; ConflictError where somebody else stored one meanwhile."""
        noun, verb, done = self.words.noun, self.words.verb, self.words.done
        try:
            with write.transaction() as session:
                owner = session.get(self.owners, owner_id)
                if owner is None:
                    raise NotFoundError(f"this {noun} was deleted meanwhile: {verb} it anew")
                return self._add_version(session, write, owner, version, number=number)
        except IntegrityError as error:
            raise ConflictError(f"version {number} of this {noun} was {done} meanwhile: look at it first") from error

    def newest(self, project_id: int) -> list[Info]:
        """The newest version of each thing of the project that is not archived, the oldest thing first."""
        owners = select(self.owners).where(self.owners.project_id == project_id, col(self.owners.archived_at).is_(None))
        with self.database.read() as session:
            return [self._versions(session, owner)[0] for owner in session.exec(owners.order_by(col(self.owners.id)))]

    def versions(self, project_id: int, name: str) -> list[Info]:
        """The versions under a name, archived or not, newest first; or NotFoundError."""
        query = select(self.owners).where(self.owners.project_id == project_id, self.owners.name == name)
        with self.database.read() as session:
            owner = session.exec(query).first()
            if owner is None:
                raise NotFoundError(f"the project has no {self.words.noun} {name!r}: {self.words.verb} it first")
            return self._versions(session, owner)

    def _add_version(self, session: Session, write: Write, owner: Owner, version: New, *, number: int) -> Info:
        row = self.row(version, known_id(owner.id), number, write)
        session.add(row)
        session.flush()
        return self.record(owner, row)

    def _versions(self, session: Session, owner: Owner) -> list[Info]:
        of_owner = col(getattr(self.versions_in, self.owner_key)) == owner.id
        rows = session.exec(select(self.versions_in).where(of_owner).order_by(desc(self.versions_in.version)))
        return [self.record(owner, row) for row in rows]
