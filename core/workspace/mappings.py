"""How a project's files are mapped by hand: remembered, and offered for the next file with the same columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from core.storage.records import ColumnMapping, ProjectInfo
from core.storage.stores.column_mappings import save_mapping, saved_mapping
from core.workspace.projects import project_id

if TYPE_CHECKING:
    from core.workspace import Workspace


def remember_mapping(
    workspace: Workspace, project: ProjectInfo | str, columns: Collection[str], mapping: Mapping[str, str]
) -> ColumnMapping:
    """Keep what became of each of a file's columns, instead of what was kept for these columns before."""
    from core.importers import fingerprint

    return save_mapping(workspace.database, project_id(workspace, project), fingerprint(columns), mapping)


def remembered_mapping(
    workspace: Workspace, project: ProjectInfo | str, columns: Collection[str]
) -> ColumnMapping | None:
    """What the project's last file with exactly these columns was mapped to, or None."""
    from core.importers import fingerprint

    return saved_mapping(workspace.database, project_id(workspace, project), fingerprint(columns))
