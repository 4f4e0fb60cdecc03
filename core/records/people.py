"""People, their identities, and their roles in each project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

Role = Literal["viewer", "annotator", "validator", "reviewer", "administrator"]
ROLES: tuple[Role, ...] = get_args(Role)
Reading = Literal["project", "results", "label file"]
"""The kinds of read access.

That a project exists, with its runs and queues; what people and metrics say of it; labels as a file, under
pseudonyms."""
THIS_MACHINE = "this machine"
"""The issuer of identities without a sign-in: accounts of the operating system."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The acting user. Issuer and subject identify them; `name` and `email` are only shown, and may change."""

    issuer: str
    subject: str
    name: str = ""
    email: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is an account of this machine, without a sign-in."""
        return self.issuer == THIS_MACHINE


@dataclass(frozen=True, slots=True)
class Person:
    """A person known to the installation. `name` is unique and signs what they do.

    An administrator of the installation is one in each project."""

    id: int
    issuer: str
    subject: str
    name: str
    email: str
    administrator: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    """The role of a person in a project, and since when."""

    person: Person
    project_id: int
    role: Role
    at: datetime


@dataclass(frozen=True, slots=True)
class Authorization:
    """The current rights of an identity by the database: the person, and the role in each project by its id.

    `roles_in_use` is false until the installation has its first administrator."""

    person: Person | None = None
    roles: Mapping[int, Role] = field(default_factory=dict)
    roles_in_use: bool = False
