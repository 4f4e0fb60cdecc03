"""How a project's files are mapped by hand: remembered, and offered for the next file with the same columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.records.project import ColumnMapping, ProjectInfo
from core.storage.stores.column_mappings import save_mapping, saved_mapping
from core.workspace.open_store import OpenStore
from core.workspace.projects import Projects


@dataclass(frozen=True)
class ColumnMappings:
    """The mappings of each project, by the columns of its files."""

    store: OpenStore
    projects: Projects

    def save(self, project: ProjectInfo | str, columns: Collection[str], mapping: Mapping[str, str]) -> ColumnMapping:
        """Keep what became of each of a file's columns, instead of what was kept for these columns before."""
        from core.importers import fingerprint

        with self.store.write(self.store.actor, "mapping.save") as write:
            return save_mapping(write, self.projects.id_of(project), fingerprint(columns), mapping)

    def find(self, project: ProjectInfo | str, columns: Collection[str]) -> ColumnMapping | None:
        """What the project's last file with exactly these columns was mapped to, or None."""
        from core.importers import fingerprint

        return saved_mapping(self.store.database, self.projects.id_of(project), fingerprint(columns))
