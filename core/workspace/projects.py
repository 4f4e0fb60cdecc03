"""Projects and the criteria that their samples are judged on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import ConflictError, HcatError, NotFoundError
from core.storage.records import GuidelineRecord, ProjectInfo, RunInfo
from core.types import Criterion

if TYPE_CHECKING:
    from core.workspace import Workspace


def projects(workspace: Workspace) -> list[ProjectInfo]:
    """All projects, by name."""
    return workspace.repository.projects()


def project(workspace: Workspace, name: str) -> ProjectInfo:
    """The project of this name, or NotFoundError."""
    return workspace.repository.project(name)


def project_of(workspace: Workspace, run: RunInfo) -> ProjectInfo:
    """The project that the run belongs to."""
    return workspace.repository.project_by_id(run.project_id)


def create_project(workspace: Workspace, name: str, *, description: str = "") -> ProjectInfo:
    """A new project. ConflictError when the name is taken."""
    return workspace.repository.add_project(checked_name(name, "project"), description)


def project_id(workspace: Workspace, project: ProjectInfo | str) -> int:
    """The id of a project that a verb takes as such or by its name. NotFoundError."""
    return workspace.repository.project(project).id if isinstance(project, str) else project.id


def criteria(workspace: Workspace, project: ProjectInfo | str) -> list[Criterion]:
    """The project's criteria in the order in which they were added, each with its newest guideline."""
    return workspace.repository.criteria(project_id(workspace, project))


def criterion(workspace: Workspace, project: ProjectInfo | str, name: str) -> Criterion:
    """The criterion of this name, or NotFoundError."""
    for known in criteria(workspace, project):
        if known.name == name:
            return known
    raise NotFoundError(f"the project has no criterion {name!r}: add it first")


def add_criterion(workspace: Workspace, project: ProjectInfo | str, criterion: Criterion) -> Criterion:
    """Add a criterion with version 1 of its guideline.

    ConflictError when the name is taken, be it in other case or with other spaces.
    """
    name = checked_name(criterion.name, "criterion")
    for known in criteria(workspace, project):
        if known.name != name and _without_case_or_spaces(known.name) == _without_case_or_spaces(name):
            raise ConflictError(
                f"there is already a criterion {known.name!r}, and {name!r} differs from it only by case or spaces: "
                "choose another name"
            )
    levels = criterion.levels
    if len(levels) < 2 or len(set(levels)) < len(levels) or not all(level.strip() for level in levels):
        raise HcatError(f"criterion {name!r} needs at least two levels, from worst to best, each named differently")
    if not 1 <= criterion.passing < len(levels):
        raise HcatError(f"criterion {name!r}: the lowest level that passes must be one of {', '.join(levels[1:])}")
    return workspace.repository.add_criterion(
        project_id(workspace, project), replace(criterion, name=name, guideline_version=1)
    )


def edit_guideline(workspace: Workspace, project: ProjectInfo | str, criterion: Criterion, text: str) -> Criterion:
    """A new version of the guideline; older labels keep the version that their annotators read.

    ConflictError when somebody else edited it since `criterion` was read. The same text changes nothing.
    """
    if text == criterion.guideline:
        return criterion
    version = criterion.guideline_version + 1
    return workspace.repository.add_guideline(project_id(workspace, project), criterion.name, text, version=version)


def guidelines(workspace: Workspace, project: ProjectInfo | str, criterion: str) -> list[GuidelineRecord]:
    """Every version of a criterion's guideline, oldest first."""
    return workspace.repository.guidelines(project_id(workspace, project), criterion)


def _without_case_or_spaces(name: str) -> str:
    return "".join(name.split()).casefold()


def checked_name(name: str, what: str) -> str:
    """The name without the blanks around it. HcatError when nothing is left, or over 200 characters."""
    trimmed = name.strip()
    if not trimmed or len(trimmed) > 200 or not trimmed.isprintable():
        raise HcatError(f"the {what} needs a name of 1 to 200 printable characters")
    return trimmed
