"""The rubrics of a project, each with all its versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.errors import ConflictError, NotFoundError
from hcat.core.project.open_store import OpenStore
from hcat.core.records.codec import JSON
from hcat.core.records.judging import RubricVersion
from hcat.core.records.project import ProjectInfo
from hcat.core.storage.stores.documents import StatedDocument

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.rubric import Rubric


@dataclass(frozen=True)
class Rubrics:
    """The rubrics that a project's judges judge by. Version 0 of the first one comes with hcat."""

    store: OpenStore

    def versions(self, project: ProjectInfo) -> list[RubricVersion]:
        """All versions that were saved, newest first."""
        self.store.access.check_reading("results", project.id)
        return [_version(each) for each in self.store.documents.all(project.id, "rubric")]

    def newest(self, project: ProjectInfo, name: str | None = None) -> tuple[Rubric, int]:
        """The newest version of the rubric of this name, or of the one saved last, with its number.

        The rubric that comes with hcat, version 0, where none of it was saved. NotFoundError for another name.
        """
        self.store.access.check_reading("results", project.id)
        from hcat.core.capabilities.judges.funnel import FUNNEL
        from hcat.core.capabilities.judges.rubric import Rubric

        saved = next((each for each in self.versions(project) if name in (None, each.name)), None)
        if saved is not None:
            return JSON.read(Rubric, dict(saved.document)), saved.version
        if name not in (None, FUNNEL.name):
            raise NotFoundError(f"project {project.name!r} has no rubric {name!r}")
        return FUNNEL, 0

    def by_number(self, project: ProjectInfo, name: str, version: int) -> Rubric | None:
        """The rubric of this name as it was in this version, 0 for the one that comes with hcat; None without one."""
        self.store.access.check_reading("results", project.id)
        from hcat.core.capabilities.judges.funnel import FUNNEL
        from hcat.core.capabilities.judges.rubric import Rubric

        if version == 0:
            return FUNNEL
        saved = (each for each in self.versions(project) if (each.name, each.version) == (name, version))
        return next((JSON.read(Rubric, dict(each.document)) for each in saved), None)

    def save(self, project: ProjectInfo, rubric: Rubric, *, author: str, note: str = "") -> RubricVersion:
        """The rubric as its next version. ConflictError where nothing changed since the newest one."""
        from hcat.core.capabilities.judges.funnel import FUNNEL
        from hcat.core.capabilities.judges.rubric import checked

        document = JSON.write_object(checked(rubric))
        last = next((each for each in self.versions(project) if each.name == rubric.name), None)
        before = dict(last.document) if last is not None else JSON.write_object(FUNNEL)
        if document == before:
            raise ConflictError("nothing in the rubric was changed: there is no new version to save")
        with self.store.write(author, "rubric.save", project.id) as write:
            return _version(
                self.store.documents.add(
                    write,
                    project.id,
                    "rubric",
                    document,
                    series=rubric.name,
                    version=1 if last is None else last.version + 1,
                    note=note.strip(),
                    author=author,
                )
            )


def _version(stated: StatedDocument) -> RubricVersion:
    return RubricVersion(
        name=stated.series,
        version=stated.version,
        document=stated.document,
        note=stated.note,
        author=stated.author,
        at=stated.at,
    )
