"""Rename, archive, restore and delete projects, runs, criteria and queues. Items that others depend on can't be
deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.project.criteria import check_unlike
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.records.housekeeping import Contents, HousekeepingEntry, Item, ItemKind
from hcat.core.records.project import ProjectInfo
from hcat.core.wording.housekeeping import goes_text, keeps_text


@dataclass(frozen=True)
class Housekeeping:
    """Renaming, archiving, restoring and deleting of projects and of the items in them."""

    store: OpenStore
    projects: Projects

    def all(self, project: ProjectInfo | str | None = None) -> list[Item]:
        """A project's runs, criteria, queues and corpora, archived or not; or all projects."""
        visible = self.store.access.projects()
        items = self.store.housekeeping.items(None if project is None else self.projects.id_of(project))
        return [item for item in items if visible is None or item.project_id in visible]

    def get(self, kind: ItemKind, name: str, *, project: ProjectInfo | str | None = None, of: str = "") -> Item:
        """The item of this name, archived or not, or NotFoundError. `of` is a queue's "run, criterion"."""
        chosen = [item for item in self.all(project) if (item.kind, item.name, item.of) == (kind, name, of)]
        if not chosen:
            where = "" if project is None else " in the project"
            raise NotFoundError(f"there is no {kind} {name!r}{where}")
        return chosen[0]

    def contents(self, item: Item) -> Contents:
        """Counts of the rows that would be deleted with the item, and of those that depend on it."""
        self.store.access.check_reading("project", item.project_id)
        return self.store.housekeeping.contents(item)

    def rename(self, item: Item, name: str) -> Item:
        """The item by its new name. ConflictError when that is taken, or findings or saved calibrations name it."""
        name = checked_name(name, item.kind)
        if name == item.name:
            return item
        if item.kind != "queue" and (reason := keeps_text(item, self.contents(item))):
            raise ConflictError(f"{item.name!r} can't be renamed: {reason}")
        if item.kind == "criterion":
            check_unlike(name, self._others(item))
        with self.store.write(self.store.actor, "housekeeping.rename", item.project_id) as write:
            return self.store.housekeeping.rename(write, item, name, actor=self.store.actor)

    def archive(self, item: Item) -> Item:
        """Leave the item out of pickers, lists and reports; nothing of it is lost."""
        with self.store.write(self.store.actor, "housekeeping.archive", item.project_id) as write:
            return self.store.housekeeping.archive(write, item, actor=self.store.actor)

    def restore(self, item: Item) -> Item:
        """Take an archived item back into pickers, lists and reports."""
        with self.store.write(self.store.actor, "housekeeping.restore", item.project_id) as write:
            return self.store.housekeeping.archive(write, item, actor=self.store.actor, restore=True)

    def delete(self, item: Item, seen: Contents, *, confirmed: str, author: str, reason: str = "") -> None:
        """Delete the item with all that goes with it, which is what was `seen`: rows at once or not at all, then files
        that nothing else refers to. A line of the log stays.

        `confirmed` is the item's name, said again; `author` is who decides. ConflictError while something depends on it
        or a job works on it, or where it holds something else by now.
        """
        if blocked := keeps_text(item, self.contents(item)):
            raise ConflictError(f"{item.name!r} can't be deleted: {blocked}")
        if confirmed != item.name:
            raise HcatError(f"Nothing was deleted. {goes_text(item, seen)} Confirm by the name {item.name!r}")
        actor = checked_name(author, "author")
        with self.store.write(actor, "housekeeping.delete", item.project_id) as write:
            files = self.store.housekeeping.delete(write, item, seen, actor=actor, reason=reason.strip())
        for kind, artifact in files:
            self.store.artifacts.remove(kind, artifact)

    def log(self) -> list[HousekeepingEntry]:
        """Everything that was ever renamed, archived, restored or deleted in one's projects, oldest first."""
        entries, own = self.store.housekeeping.log(), {item.project for item in self.all()}
        return [entry for entry in entries if self.store.access.projects() is None or entry.project in own]

    def _others(self, item: Item) -> Sequence[str]:
        items = self.store.housekeeping.items(item.project_id)
        return [other.name for other in items if other.kind == item.kind and other.id != item.id]
