"""The margins by which groups of people in a project's runs are compared, set beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.records.fairness import FairnessSettings, SettledFairness
from hcat.core.records.project import ProjectInfo
from hcat.core.workspace.open_store import OpenStore
from hcat.core.workspace.projects import checked_name


@dataclass(frozen=True)
class SettledMargins:
    """Margins, reference groups and outcomes of each project."""

    store: OpenStore

    def settle(self, project: ProjectInfo, settings: FairnessSettings, *, author: str) -> SettledFairness:
        """Keep margins, reference groups and outcomes as the project's newest, signed by its author now."""
        with self.store.write(checked_name(author, "author"), "fairness.settle", project.id) as write:
            return self.store.fairness_table.add(write, project.id, settings)

    def settled(self, project: ProjectInfo) -> list[SettledFairness]:
        """All that was settled on, newest first: this holds."""
        self.store.access.check_reading("results", project.id)
        return self.store.fairness_table.all(project.id)
