"""The criteria on which a project's samples are judged, with their guidelines and examples of their levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.labelling.records import CriterionExample
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.records.project import GuidelineRecord, ProjectInfo
from hcat.core.types import Criterion


@dataclass(frozen=True)
class Criteria:
    """The criteria of each project."""

    store: OpenStore
    projects: Projects

    def all(self, project: ProjectInfo | str) -> list[Criterion]:
        """The project's criteria in the order in which they were added, each with its newest guideline.

        Without those that are archived.
        """
        return self.store.repository.criteria(self.projects.id_of(project))

    def get(self, project: ProjectInfo | str, name: str) -> Criterion:
        """The criterion of this name, archived or not, or NotFoundError."""
        for criterion in self.store.repository.criteria(self.projects.id_of(project), archived=True):
            if criterion.name == name:
                return criterion
        raise NotFoundError(
            f"the project has no criterion {name!r}: add it first, on the page Labelling or by `hcat criteria add`"
        )

    def add(self, project: ProjectInfo | str, criterion: Criterion) -> Criterion:
        """Add a criterion with version 1 of its guideline.

        ConflictError when the name is taken, be it in other case or with other spaces.
        """
        name = checked_name(criterion.name, "criterion")
        others = self.store.repository.criteria(self.projects.id_of(project), archived=True)
        check_unlike(name, [other.name for other in others])
        levels = criterion.levels
        if len(levels) < 2 or len(set(levels)) < len(levels) or not all(level.strip() for level in levels):
            raise HcatError(f"criterion {name!r} needs at least two levels, from worst to best, each named differently")
        if not 1 <= criterion.passing < len(levels):
            raise HcatError(f"criterion {name!r}: the lowest level that passes must be one of {', '.join(levels[1:])}")
        with self.store.write(self.store.actor, "criterion.add", self.projects.id_of(project)) as write:
            return self.store.repository.add_criterion(
                write, self.projects.id_of(project), replace(criterion, name=name, guideline_version=1)
            )

    def edit_guideline(self, project: ProjectInfo | str, criterion: Criterion, text: str) -> Criterion:
        """A new version of the guideline; older labels keep the version that their annotators read.

        ConflictError when somebody else edited it since `criterion` was read. The same text changes nothing.
        """
        if text == criterion.guideline:
            return criterion
        version = criterion.guideline_version + 1
        with self.store.write(self.store.actor, "criterion.edit_guideline", self.projects.id_of(project)) as write:
            return self.store.repository.add_guideline(
                write, self.projects.id_of(project), criterion.name, text, version=version
            )

    def guidelines(self, project: ProjectInfo | str, criterion: str) -> list[GuidelineRecord]:
        """Every version of a criterion's guideline, oldest first."""
        return self.store.repository.guidelines(self.projects.id_of(project), criterion)

    def examples(self, project: ProjectInfo | str, criterion: str) -> list[CriterionExample]:
        """The criterion's examples, by level from worst to best."""
        return self.store.standards.examples(self.projects.id_of(project), criterion)

    def add_example(
        self, project: ProjectInfo | str, criterion: Criterion, text: str, level: int, *, comment: str = ""
    ) -> CriterionExample:
        """A text that shows what a level means, and why. HcatError for an empty text or a level that there is not."""
        check_level(criterion, level)
        if not text.strip():
            raise HcatError("an example needs a text: write what an annotator would see")
        with self.store.write(self.store.actor, "criterion.add_example", self.projects.id_of(project)) as write:
            return self.store.standards.add_example(
                write, self.projects.id_of(project), criterion.name, text, level, comment
            )

    def remove_example(self, example: CriterionExample) -> None:
        """Show the example no longer; the database keeps it."""
        with self.store.write(
            self.store.actor, "criterion.remove_example", self.store.standards.project_of(example.id)
        ) as write:
            self.store.standards.remove_example(write, example.id)


def check_unlike(name: str, others: Iterable[str]) -> None:
    """ConflictError where the name differs from another criterion's only by case or spaces."""
    for other in others:
        if other != name and _without_case_or_spaces(other) == _without_case_or_spaces(name):
            raise ConflictError(
                f"there is already a criterion {other!r}, and {name!r} differs from it only by case or "
                "spaces: choose another name"
            )


def _without_case_or_spaces(name: str) -> str:
    return "".join(name.split()).casefold()


def check_level(criterion: Criterion, level: int) -> None:
    """HcatError with the levels there are, where this is none of them."""
    if not 0 <= level < len(criterion.levels):
        levels = ", ".join(f"{number} ({name})" for number, name in enumerate(criterion.levels))
        raise HcatError(f"criterion {criterion.name!r} has no level {level}: it has {levels}")
