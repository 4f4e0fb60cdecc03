"""Labels out of a project and back into it under pseudonyms, which only the project can turn back into names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.calibration.labelled import REFERENCE_RULE
from core.labelling.pseudonyms import names_behind, new_key, pseudonym
from core.storage.records import LabelRecord, ProjectInfo
from core.types import Label
from core.workspace.projects import project_id

if TYPE_CHECKING:
    from core.workspace import Workspace


def with_pseudonyms(workspace: Workspace, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
    """The labels with each person's name replaced by their pseudonym in the project. Names of rules stay."""
    key = _key(workspace, project)
    return [replace(label, annotator=_hidden(key, label.annotator)) for label in labels]


def log_with_pseudonyms(
    workspace: Workspace, project: ProjectInfo | str, records: Iterable[LabelRecord]
) -> list[LabelRecord]:
    """The entries of a label log with pseudonyms for names."""
    key = _key(workspace, project)
    return [replace(record, annotator=_hidden(key, record.annotator)) for record in records]


def with_names(workspace: Workspace, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
    """The inverse of `with_pseudonyms` for annotators who have labelled in the project. Other names stay."""
    owner = project_id(workspace, project)
    known = {record.annotator for record in workspace.log.history(owner)}
    names = names_behind(_key(workspace, project), known)
    return [replace(label, annotator=names.get(label.annotator, label.annotator)) for label in labels]


def _key(workspace: Workspace, project: ProjectInfo | str) -> str:
    return workspace.repository.pseudonym_key(project_id(workspace, project), new_key())


def _hidden(key: str, annotator: str) -> str:
    return annotator if annotator.startswith(REFERENCE_RULE) else pseudonym(key, annotator)
