"""The people of the installation and the members of its projects."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.errors import HcatError, NotAllowedError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects
from hcat.core.records.people import ROLES, Identity, Membership, Person
from hcat.core.records.project import ProjectInfo


@dataclass(frozen=True)
class People:
    """The people whom the installation knows, and their roles in each project."""

    store: OpenStore
    projects: Projects

    def register(self, identity: Identity) -> Person:
        """The person of this identity, known from now on; without any role where they were not known before."""
        person = self.store.people.authorization(identity).person
        if person is not None and person.email == identity.email:
            return person
        with self.store.write(self.store.actor, "person.register", None) as write:
            return self.store.people.register(write, identity)

    def all(self) -> list[Person]:
        """Everybody who is known, by name. NotAllowedError for who is no administrator, of a project at least."""
        authorization = self.store.people.authorization(self.store.identity)
        if not (
            self.store.access.may("person.set_administrator", None) or "administrator" in authorization.roles.values()
        ):
            raise NotAllowedError("only administrators see who is known here: ask one of them")
        return self.store.people.all()

    def find(self, who: str) -> Person:
        """The person with this name or subject. HcatError where that is nobody, or several, or where somebody only says
        that this is their e-mail address: providers let people write there what they like."""
        everybody = self.all()
        found = [each for each in everybody if who in (each.name, each.subject)]
        if not found and (claiming := [each.name for each in everybody if each.email == who]):
            raise HcatError(
                f"{who!r} is the e-mail address that {' and '.join(map(repr, claiming))} signed in with, which nobody "
                "verified: give the name, once you know whose account it is"
            )
        if not found:
            raise HcatError(
                f"nobody here is called {who!r}: they sign in once and are given a role then, or add an account of "
                "this machine with --account; `hcat members list` says who is known"
            )
        if len(found) > 1:
            names = ", ".join(repr(each.name) for each in found)
            raise HcatError(f"{who!r} may be any of {names}: name one of them")
        return found[0]

    def members(self, project: ProjectInfo | str) -> list[Membership]:
        """The members of a project, by name."""
        project_id = self.projects.id_of(project)
        self.store.access.check_reading("results", project_id)
        return self.store.people.members(project_id)

    def set_role(self, project: ProjectInfo | str, person: Person, role: str) -> None:
        """Make somebody a member of the project in this role, or change the role that they have."""
        chosen = next((each for each in ROLES if each == role), None)
        if chosen is None:
            raise HcatError(f"there is no role {role!r}: choose one of {', '.join(ROLES)}")
        project_id = self.projects.id_of(project)
        with self.store.write(self.store.actor, "member.set_role", project_id) as write:
            self.store.people.set_role(write, person, project_id, chosen)

    def remove(self, project: ProjectInfo | str, person: Person) -> None:
        """Let the person be no member of the project from now on; what they did stays. NotFoundError for no member."""
        project_id = self.projects.id_of(project)
        with self.store.write(self.store.actor, "member.remove", project_id) as write:
            self.store.people.remove(write, person, project_id)

    def set_administrator(self, person: Person, *, administrator: bool) -> None:
        """Make somebody an administrator of the installation, or no longer.

        With the first one roles come into use. ConflictError where it would be left without any.
        """
        with self.store.write(self.store.actor, "person.set_administrator", None) as write:
            self.store.people.set_administrator(write, person, administrator=administrator)
