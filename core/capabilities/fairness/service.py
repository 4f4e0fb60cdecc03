"""The margins by which groups of people in a project's runs are compared, set beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.codec import JSON
from hcat.core.records.fairness import FairnessSettings, SettledFairness
from hcat.core.records.project import ProjectInfo
from hcat.core.storage.stores.documents import StatedDocument


@dataclass(frozen=True)
class SettledMargins:
    """Margins, reference groups and outcomes of each project."""

    store: OpenStore

    def settle(self, project: ProjectInfo, settings: FairnessSettings, *, author: str) -> SettledFairness:
        """Keep margins, reference groups and outcomes as the project's newest, signed by its author now."""
        name = checked_name(author, "author")
        with self.store.write(name, "fairness.settle", project.id) as write:
            document = JSON.write_object(settings)
            return _settled(self.store.documents.add(write, project.id, "fairness", document, author=name))

    def settled(self, project: ProjectInfo) -> list[SettledFairness]:
        """All settings of the project, newest first: the first is in force."""
        self.store.access.check_reading("results", project.id)
        return settled_fairness(self.store, project.id)


def settled_fairness(store: OpenStore, project_id: int) -> list[SettledFairness]:
    """The same for who may use it without reading it."""
    return [_settled(each) for each in store.documents.all(project_id, "fairness")]


def _settled(stated: StatedDocument) -> SettledFairness:
    return SettledFairness(JSON.read(FairnessSettings, dict(stated.document)), stated.author, stated.at)
