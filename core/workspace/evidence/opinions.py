"""What the validator concludes of each project, in versions."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import Opinion
from hcat.core.workspace.open_store import OpenStore
from hcat.core.workspace.projects import checked_name


@dataclass(frozen=True)
class Opinions:
    """The opinions on each project."""

    store: OpenStore

    def state(self, project: ProjectInfo, opinion: Opinion) -> Opinion:
        """Keep the opinion as the project's newest, signed by its author now. One that says the same stays."""
        current = self.current(project)
        if current is not None and _said(current) == _said(opinion):
            return current
        name = checked_name(opinion.author, "author")
        with self.store.write(name, "opinion.state", project.id) as write:
            version = 1 if current is None or current.version is None else current.version + 1
            return self.store.report_table.add_opinion(write, project.id, opinion, version=version)

    def current(self, project: ProjectInfo) -> Opinion | None:
        """The newest opinion; None before the first."""
        return next(iter(self.all(project)), None)

    def all(self, project: ProjectInfo) -> list[Opinion]:
        """Every opinion that was stated, newest first."""
        self.store.access.check_reading("results", project.id)
        return self.store.report_table.opinions(project.id)


def _said(opinion: Opinion) -> tuple[object, ...]:
    return opinion.rating, opinion.author, opinion.reasons, opinion.conditions, opinion.limitations
