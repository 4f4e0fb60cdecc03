"""Items that can be renamed, archived or deleted, with their contents, and the log of these actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

ItemKind = Literal["project", "run", "criterion", "queue", "corpus", "test set"]
HousekeepingAction = Literal["rename", "archive", "restore", "delete"]


@dataclass(frozen=True, slots=True)
class Item:
    """A project, run, criterion, queue, corpus or test set, as listed. `of` is the run and criterion of a queue."""

    kind: ItemKind
    id: int
    project_id: int
    project: str
    name: str
    of: str = ""
    archived_at: datetime | None = None

    @property
    def is_archived(self) -> bool:
        """Whether it is left out of pickers and reports."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of an item, which are deleted with it, and what prevents its deletion, as counts by name.

    `gone` and `keepers` name only what exists. `active_jobs` count running work, which must end first."""

    gone: Mapping[str, int] = field(default_factory=dict)
    keepers: Mapping[str, int] = field(default_factory=dict)
    active_jobs: int = 0


@dataclass(frozen=True, slots=True)
class HousekeepingEntry:
    """One line of the log: who did what to which item, why, and what was deleted with it."""

    id: int
    action: HousekeepingAction
    kind: ItemKind
    project: str
    name: str
    new_name: str | None
    actor: str
    reason: str
    contents: Mapping[str, int]
    at: datetime
