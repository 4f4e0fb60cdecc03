"""The projects of a workspace: one system under validation each."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.errors import HcatError
from hcat.core.project.open_store import OpenStore
from hcat.core.records.project import ProjectInfo, RunInfo


@dataclass(frozen=True)
class Projects:
    """Projects by name."""

    store: OpenStore

    def all(self) -> list[ProjectInfo]:
        """All projects that whoever asks is a member of but those that are archived, by name."""
        own = self.store.access.projects()
        return [each for each in self.store.repository.projects() if own is None or each.id in own]

    def get(self, name: str) -> ProjectInfo:
        """The project of this name, archived or not; NotFoundError, or NotAllowedError for who is no member."""
        return self._read(self.store.repository.project(name))

    def of(self, run: RunInfo) -> ProjectInfo:
        """The project that the run belongs to."""
        return self.by_id(run.project_id)

    def by_id(self, project_id: int) -> ProjectInfo:
        """The project with this id, or NotFoundError."""
        return self._read(self.store.repository.project_by_id(project_id))

    def id_of(self, project: ProjectInfo | str) -> int:
        """The id of a project that a verb takes as such or by its name. NotFoundError."""
        return self._read(self.store.repository.project(project) if isinstance(project, str) else project).id

    def create(self, name: str, *, description: str = "") -> ProjectInfo:
        """A new project. ConflictError when the name is taken."""
        with self.store.write(self.store.actor, "project.create", None) as write:
            return self.store.repository.add_project(write, checked_name(name, "project"), description)

    def _read(self, project: ProjectInfo) -> ProjectInfo:
        self.store.access.check_reading("project", project.id)
        return project


def checked_name(name: str, what: str) -> str:
    """The name without the blanks around it. HcatError when nothing is left, or over 200 characters."""
    trimmed = name.strip()
    if not trimmed or len(trimmed) > 200 or not trimmed.isprintable():
        raise HcatError(f"the {what} needs a name of 1 to 200 printable characters")
    return trimmed
