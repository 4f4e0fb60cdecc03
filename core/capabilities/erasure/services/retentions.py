"""Retention: for how many days after its import a project keeps the texts of a run, and erasing what is older."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from hcat.core.capabilities.erasure.services.erasures import Erasures
from hcat.core.errors import HcatError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.runs import sample_files
from hcat.core.records.erasure import DueRun, Erasure, Retention
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.documents import StatedDocument

MOST_DAYS = 36_500


@dataclass(frozen=True)
class Retentions:
    """The retention period of the texts of each project."""

    store: OpenStore
    projects: Projects
    erasures: Erasures

    def get(self, project: ProjectInfo | str) -> Retention | None:
        """The latest retention setting of the project; None where texts are kept until somebody erases them."""
        owner = self.projects.id_of(project)
        self.store.access.check_reading("results", owner)
        settled = next(iter(self.store.documents.all(owner, "retention")), None)
        return None if settled is None or settled.document["days"] is None else _retention(settled)

    def settle(self, project: ProjectInfo | str, days: int | None, *, author: str) -> Retention:
        """Set the retention period in days after a run's import, or None for no end. Nothing is erased by it."""
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise HcatError(f"texts are kept for 1 to {MOST_DAYS:,} days, or without an end")
        owner = self.projects.id_of(project)
        name = checked_name(author, "author")
        with self.store.write(name, "retention.settle", owner) as write:
            return _retention(self.store.documents.add(write, owner, "retention", {"days": days}, author=name))

    def due(self, project: ProjectInfo | str) -> list[DueRun]:
        """Every run of the project with texts, archived or not, and when its texts are to go; none without a
        retention."""
        return [run for _, run in self._due(project)]

    def apply(self, project: ProjectInfo | str, *, author: str) -> list[Erasure]:
        """Erase the texts that are due, run by run; those of runs on which a report waits for its approval stay."""
        settled, erased = self.get(project), []
        for run, due in self._due(project):
            if settled is not None and due.is_due(self.store.clock()):
                reason = (
                    f"kept for {settled.days} days after import, as {settled.author} settled on {settled.at:%Y-%m-%d}"
                )
                erased += self.erasures.erase(run, self._with_text(run), reason=reason, author=author)
        return erased

    def _due(self, project: ProjectInfo | str) -> list[tuple[RunInfo, DueRun]]:
        owner, settled = self.projects.id_of(project), self.get(project)
        if settled is None or settled.days is None:
            return []
        days, waiting, found = timedelta(days=settled.days), self._waiting(owner), []
        for run in self.store.repository.runs(owner, archived=True):
            texts = len(self._with_text(run))
            if texts:
                found.append((run, DueRun(run.name, texts, run.created_at + days, waiting.get(run.name))))
        return found

    def _with_text(self, run: RunInfo) -> Sequence[str]:
        return sample_files(self.store, run).with_text(run.artifact)

    def _waiting(self, project_id: int) -> dict[str, int]:
        """The runs that a submitted report is on, each with the version of that report."""
        signed = self.store.signatures.of(project_id)
        waiting: dict[str, int] = {}
        for version in self.store.report_table.versions(project_id):
            steps = signed.get(version.id, ())
            names = version.contents.get("run_names")
            if steps and steps[-1].step == "submitted" and isinstance(names, list):
                waiting |= {str(name): version.version for name in names}
        return waiting


def _retention(stated: StatedDocument) -> Retention:
    return Retention(cast("int | None", stated.document["days"]), stated.author, stated.at)
