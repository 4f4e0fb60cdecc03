"""How a project's files are mapped by hand: remembered, and offered for the next file of the kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hcat.core.importers.labels.level_words import SKIP
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects
from hcat.core.records.project import ColumnMapping, ProjectInfo
from hcat.core.storage.stores.column_mappings import save_mapping, saved_mapping
from hcat.core.types import Criterion


@dataclass(frozen=True)
class ColumnMappings:
    """The mappings of each project, by the columns of its files."""

    store: OpenStore
    projects: Projects

    def save(self, project: ProjectInfo | str, columns: Collection[str], mapping: Mapping[str, str]) -> ColumnMapping:
        """Keep what became of each of a file's columns, instead of what was kept for these columns before."""
        from hcat.core.importers import fingerprint

        with self.store.write(self.store.actor, "mapping.save", self.projects.id_of(project)) as write:
            return save_mapping(write, self.projects.id_of(project), fingerprint(columns), mapping)

    def save_levels(self, project: ProjectInfo | str, criterion: Criterion, values: Mapping[str, str]) -> None:
        """Keep which level each label of a file stood for, beside what was kept of other labels on the criterion."""
        with self.store.write(self.store.actor, "mapping.save", self.projects.id_of(project)) as write:
            owner, key = self.projects.id_of(project), _key_of_levels(criterion)
            save_mapping(write, owner, key, {**self.find_levels(project, criterion), **values})

    def find_levels(self, project: ProjectInfo | str, criterion: Criterion) -> dict[str, str]:
        """Which level labels in the project's files stood for until now; those of levels that are gone are left out."""
        kept = saved_mapping(self.store.database, self.projects.id_of(project), _key_of_levels(criterion))
        levels = {*criterion.levels, SKIP}
        return {} if kept is None else {value: level for value, level in kept.mapping.items() if level in levels}

    def find(self, project: ProjectInfo | str, columns: Collection[str]) -> ColumnMapping | None:
        """What the project's last file with exactly these columns was mapped to, or None."""
        from hcat.core.importers import fingerprint

        return saved_mapping(self.store.database, self.projects.id_of(project), fingerprint(columns))


def _key_of_levels(criterion: Criterion) -> str:
    """Stands where files of runs have the fingerprint of their columns, which is no such text."""
    return f"levels of {criterion.name}"
