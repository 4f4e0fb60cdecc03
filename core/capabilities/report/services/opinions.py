"""The validator's opinion on each project, in versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.codec import JSON
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import Opinion, Rating
from hcat.core.storage.stores.documents import StatedDocument

_PARTS = ("rating", "reasons", "conditions", "limitations")
"""Fields of an opinion, without its signature and date."""


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
            document = JSON.write_object({name: getattr(opinion, name) for name in _PARTS})
            return _opinion(
                self.store.documents.add(write, project.id, "opinion", document, author=opinion.author, version=version)
            )

    def current(self, project: ProjectInfo) -> Opinion | None:
        """The newest opinion; None before the first."""
        return next(iter(self.all(project)), None)

    def all(self, project: ProjectInfo) -> list[Opinion]:
        """Every opinion that was stated, newest first."""
        self.store.access.check_reading("results", project.id)
        return [_opinion(each) for each in self.store.documents.all(project.id, "opinion")]


def _said(opinion: Opinion) -> tuple[object, ...]:
    return opinion.author, *(getattr(opinion, name) for name in _PARTS)


def _opinion(stated: StatedDocument) -> Opinion:
    said = stated.document
    return Opinion(
        rating=cast("Rating", said["rating"]),
        author=stated.author,
        reasons=str(said["reasons"]),
        conditions=tuple(cast("list[str]", said["conditions"])),
        limitations=str(said["limitations"]),
        version=stated.version,
        at=stated.at,
    )
