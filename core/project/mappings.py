"""Column mappings of a project's files: stored, and offered for the next file with the same columns."""

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
        """Store the level that each label of a file was mapped to, with those stored of other labels on the
        criterion."""
        with self.store.write(self.store.actor, "mapping.save", self.projects.id_of(project)) as write:
            owner, key = self.projects.id_of(project), _key_of_levels(criterion)
            save_mapping(write, owner, key, {**self.find_levels(project, criterion), **values})

    def find_levels(self, project: ProjectInfo | str, criterion: Criterion) -> dict[str, str]:
        """The level that each label in the project's files was mapped to so far; those of deleted levels are left
        out."""
        kept = saved_mapping(self.store.database, self.projects.id_of(project), _key_of_levels(criterion))
        levels = {*criterion.levels, SKIP}
        return {} if kept is None else {value: level for value, level in kept.mapping.items() if level in levels}

    def find(self, project: ProjectInfo | str, columns: Collection[str]) -> ColumnMapping | None:
        """The mapping of the project's last file with exactly these columns, or None."""
        from hcat.core.importers import fingerprint

        return saved_mapping(self.store.database, self.projects.id_of(project), fingerprint(columns))


def _key_of_levels(criterion: Criterion) -> str:
    """Key in place of the fingerprint of columns that files of runs have; no fingerprint is such a text."""
    return f"levels of {criterion.name}"
