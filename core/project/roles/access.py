"""Whether whoever acts may do so. Changes ask the database each time: a role that is taken away ends at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import cache

from hcat.core.errors import NotAllowedError
from hcat.core.project.actions import Action
from hcat.core.project.roles.permissions import ANYBODY, MAY_DO, MAY_READ
from hcat.core.records.people import THIS_MACHINE, Authorization, Identity, Person, Reading, Role
from hcat.core.storage.stores.people import PeopleTable
from hcat.core.storage.stores.projects import Repository

Authorize = Callable[[Identity], Authorization]
"""Returns the person, roles and rights that an identity has now."""
NOBODY_YET = "nobody gives roles yet: run `hcat members add NAME --administrator` on the server"


@cache
def local_account() -> Identity:
    """The account of the operating system that this process runs under, whatever the environment says."""
    name = _account_name()
    return Identity(THIS_MACHINE, name, name)


def _account_name() -> str:
    try:
        import pwd
    except ImportError:  # Windows
        return os.getlogin()
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


@dataclass(frozen=True)
class Access:
    """The permissions of an identity.

    Until the installation has an administrator, accounts of this machine may do all, and nobody else anything.
    """

    people: PeopleTable
    repository: Repository
    identity: Identity
    authorize: Authorize

    def person(self) -> Person | None:
        """The person of the identity, where the installation knows them."""
        return self.authorize(self.identity).person

    def signing_name(self) -> str | None:
        """The one name that they can sign with; None where they may give any, as a local user without roles."""
        authorization = self.authorize(self.identity)
        if _is_free(self.identity, authorization):
            return None
        return self.identity.name if authorization.person is None else authorization.person.name

    def check_action(self, action: Action, project_id: int | None, *, actor: str, own: str) -> str:
        """The role in which `actor` does this, empty without roles. NotAllowedError where none allows it.

        With roles in use nobody signs for somebody else: `actor` is their name, or `own`, which the program gave.
        """
        if action in ANYBODY:
            return ""
        authorization = self.authorize(self.identity)
        if _is_free(self.identity, authorization):
            return ""
        role = self._allowed(authorization, MAY_DO[action], project_id)
        name = "" if authorization.person is None else authorization.person.name
        if actor not in (name, own):
            raise NotAllowedError(f"you are {name!r} here and can't sign as {actor!r}: sign with your own name")
        return role

    def check_reading(self, what: Reading, project_id: int) -> None:
        """NotAllowedError where whoever asks may not read this of the project."""
        authorization = self.authorize(self.identity)
        if not _is_free(self.identity, authorization):
            self._allowed(authorization, MAY_READ[what], project_id)

    def check_reading_of(self, what: Reading, run_id: int) -> None:
        """The same, of what belongs to a run."""
        if not _is_free(self.identity, self.authorize(self.identity)):
            self.check_reading(what, self.repository.run_by_id(run_id).project_id)

    def check_installation(self) -> None:
        """NotAllowedError where whoever asks is no administrator of the installation, with roles in use."""
        authorization = self.authorize(self.identity)
        if not _is_free(self.identity, authorization):
            self._allowed(authorization, frozenset({"administrator"}), None)

    def check_own(self, name: str, project_id: int) -> None:
        """NotAllowedError where this is somebody else's work in the project, and results are not theirs to read."""
        authorization = self.authorize(self.identity)
        if _is_free(self.identity, authorization):
            return
        own = authorization.person is not None and authorization.person.name == name
        self._allowed(authorization, MAY_READ["project" if own else "results"], project_id)

    def may(self, action: Action, project_id: int | None) -> bool:
        """Whether the role of whoever asks allows the action."""
        authorization = self.authorize(self.identity)
        return _is_free(self.identity, authorization) or _role(authorization, project_id) in MAY_DO[action]

    def may_read(self, what: Reading, project_id: int) -> bool:
        """Whether whoever asks may read this of the project."""
        authorization = self.authorize(self.identity)
        return _is_free(self.identity, authorization) or _role(authorization, project_id) in MAY_READ[what]

    def role(self, project_id: int) -> Role | None:
        """Their role in the project, where they have one."""
        return _role(self.authorize(self.identity), project_id)

    def labels_only(self) -> bool:
        """Whether they are an annotator in each of their projects."""
        authorization = self.authorize(self.identity)
        person = authorization.person
        return person is not None and not person.administrator and set(authorization.roles.values()) == {"annotator"}

    def is_outsider(self) -> bool:
        """Whether they have no role anywhere, though roles are in use for them."""
        return self.projects() == set()

    def projects(self) -> Set[int] | None:
        """The ids of the projects that they are members of; None for all."""
        authorization = self.authorize(self.identity)
        if _is_free(self.identity, authorization) or (
            authorization.person is not None and authorization.person.administrator
        ):
            return None
        return set(authorization.roles)

    def _allowed(self, authorization: Authorization, roles: Set[Role], project_id: int | None) -> Role:
        role = _role(authorization, project_id)
        if role is not None and role in roles:
            return role
        if project_id is None:
            raise NotAllowedError(f"only an administrator of the installation does this: {self._ask(None)}")
        project = self.repository.project_by_id(project_id).name
        ask = self._ask(project_id)
        if role is None:
            raise NotAllowedError(f"you are no member of project {project!r}: {ask}")
        needed = " or ".join(sorted(roles))
        raise NotAllowedError(f"this takes the role {needed} in project {project!r}, and yours is {role}: {ask}")

    def _ask(self, project_id: int | None) -> str:
        names = self.administrators(project_id)
        return f"ask {' or '.join(names)}" if names else NOBODY_YET

    def administrators(self, project_id: int | None = None) -> list[str]:
        """Names of the people who give roles: a project's administrators, else the installation's; empty at first."""
        own = [] if project_id is None else self.people.members(project_id)
        names = [member.person.name for member in own if member.role == "administrator"]
        return names or [person.name for person in self.people.all() if person.administrator]


def _is_free(identity: Identity, authorization: Authorization) -> bool:
    return identity.is_local and not authorization.roles_in_use


def _role(authorization: Authorization, project_id: int | None) -> Role | None:
    if authorization.person is None:
        return None
    if authorization.person.administrator:
        return "administrator"
    return None if project_id is None else authorization.roles.get(project_id)
