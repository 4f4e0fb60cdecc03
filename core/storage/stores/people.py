"""The people whom the installation knows, and their roles. Rows go in and out here; callers see records only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select
from sqlmodel.sql.expression import SelectOfScalar

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.records.people import Authorization, Identity, Membership, Person, Role
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.tables.people import MembershipRow, NamedExportRow, PersonRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class PeopleTable:
    """The people and memberships of one database."""

    database: Database

    def authorization(self, identity: Identity) -> Authorization:
        """The person, roles and rights of an identity at this moment."""
        with self.database.read() as session:
            row = session.exec(_of(identity)).first()
            if row is None:
                return Authorization(roles_in_use=_has_administrator(session))
            of_person = select(MembershipRow).where(MembershipRow.person_id == row.id)
            roles = {each.project_id: cast("Role", each.role) for each in session.exec(of_person)}
            return Authorization(_person(row), roles, row.administrator or _has_administrator(session))

    def all(self) -> list[Person]:
        """Everybody who ever signed in or was added, by name."""
        with self.database.read() as session:
            return [_person(row) for row in session.exec(select(PersonRow).order_by(col(PersonRow.name)))]

    def members(self, project_id: int) -> list[Membership]:
        """The project's members, by name."""
        query = (
            select(MembershipRow, PersonRow)
            .join(PersonRow, col(PersonRow.id) == col(MembershipRow.person_id))
            .where(MembershipRow.project_id == project_id)
            .order_by(col(PersonRow.name))
        )
        with self.database.read() as session:
            return [
                Membership(_person(person), row.project_id, cast("Role", row.role), row.created_at)
                for row, person in session.exec(query)
            ]

    def register(self, write: Write, identity: Identity) -> Person:
        """The person of this identity, known from now on; an e-mail address that changed is noted.

        The name stays what it was at first, since it signs; one that somebody else has gets a number.
        """
        try:
            return self._register(write, identity)
        except IntegrityError:  # the same person, in another window, or somebody of the same name was quicker
            return self._register(write, identity)

    def _register(self, write: Write, identity: Identity) -> Person:
        with write.transaction() as session:
            row = session.exec(_of(identity)).first()
            if row is None:
                name = _unused_name(session, identity.name or identity.subject)
                row = PersonRow(issuer=identity.issuer, subject=identity.subject, name=name, email=identity.email)
            elif row.email != identity.email and identity.email:
                row.email = identity.email
            session.add(row)
            session.flush()
            return _person(row)

    def set_administrator(self, write: Write, person: Person, *, administrator: bool) -> None:
        """Make a person an administrator of the installation, or no longer. ConflictError for the last one."""
        with write.transaction() as session:
            row = _row(session, person)
            row.administrator = administrator
            session.add(row)
            session.flush()
            if not administrator and not _has_administrator(session):
                raise ConflictError(f"{person.name} is the last administrator: make somebody else one first")

    def set_role(self, write: Write, person: Person, project_id: int, role: Role) -> None:
        """Set the person's role in the project."""
        with write.transaction() as session:
            row = session.exec(_membership(person, project_id)).first()
            row = row or MembershipRow(project_id=project_id, person_id=person.id, role=role)
            row.role = role
            session.add(row)

    def remove(self, write: Write, person: Person, project_id: int) -> None:
        """The person is no member of the project from now on. NotFoundError where they were none."""
        with write.transaction() as session:
            if session.exec(_membership(person, project_id)).first() is None:
                raise NotFoundError(f"{person.name} is no member of the project")
            session.execute(
                delete(MembershipRow).where(
                    col(MembershipRow.person_id) == person.id, col(MembershipRow.project_id) == project_id
                )
            )

    def note_export(self, write: Write, project_id: int, criterion: str, run: str | None) -> None:
        """Note that labels leave the project under the names of people."""
        with write.transaction() as session:
            session.add(NamedExportRow(project_id=project_id, criterion=criterion, run=run, actor=write.actor))


def _of(identity: Identity) -> SelectOfScalar[PersonRow]:
    return select(PersonRow).where(PersonRow.issuer == identity.issuer, PersonRow.subject == identity.subject)


def _membership(person: Person, project_id: int) -> SelectOfScalar[MembershipRow]:
    return select(MembershipRow).where(MembershipRow.person_id == person.id, MembershipRow.project_id == project_id)


def _has_administrator(session: Session) -> bool:
    return session.exec(select(PersonRow.id).where(col(PersonRow.administrator).is_(True)).limit(1)).first() is not None


def _row(session: Session, person: Person) -> PersonRow:
    row = session.get(PersonRow, person.id)
    if row is None:
        raise NotFoundError(f"nobody here is called {person.name!r} any more")
    return row


def _unused_name(session: Session, wanted: str) -> str:
    name = "".join(character for character in wanted if character.isprintable()).strip()[:80] or "unnamed"
    taken = set(session.exec(select(PersonRow.name)))
    number = 2
    unused = name
    while unused in taken:
        unused, number = f"{name} {number}", number + 1
    return unused


def _person(row: PersonRow) -> Person:
    return Person(known_id(row.id), row.issuer, row.subject, row.name, row.email, row.administrator, row.created_at)
