"""Findings: confirm a weakness from any selection of samples, frozen as it was seen, then followed up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from hcat.core.errors import HcatError, NotFoundError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.runs import Runs
from hcat.core.records.codec import JSON
from hcat.core.records.project import WITHDRAWN, Finding, ProjectInfo, RunInfo
from hcat.core.slices.frozen import FrozenSelection
from hcat.core.types import JsonValue, Slice

KIND = "findings"

SEVERITIES = ("low", "medium", "high")

STATUSES = ("open", "in progress", "accepted", "closed")
"""The statuses of a finding: "accepted" means that its owner carries the risk."""


@dataclass(frozen=True)
class Findings:
    """The findings of each project."""

    store: OpenStore
    projects: Projects
    runs: Runs

    def freeze(
        self,
        run: RunInfo,
        title: str,
        *,
        metric: str,
        scores: Mapping[str, float | None],
        filter: Mapping[str, JsonValue],  # noqa: A002
        statistics: Mapping[str, JsonValue] | None = None,
        chart: Mapping[str, JsonValue] | None = None,
    ) -> FrozenSelection:
        """An immutable record of the selection. NotFoundError for a sample that the run does not have, HcatError for
        none."""
        ids = set(self.runs.columns(run).ids())
        unknown = next((sample_id for sample_id in scores if sample_id not in ids), None)
        if unknown is not None:
            raise NotFoundError(f"run {run.name!r} has no sample {unknown!r}: choose samples of this run")
        if not scores:
            raise HcatError("a finding rests on samples: choose some first")
        finite = {
            sample_id: None if score is None or not math.isfinite(score) else score
            for sample_id, score in scores.items()
        }
        return FrozenSelection(
            run=run.name,
            content_hash=run.content_hash,
            title=title,
            metric=metric,
            filter=JSON.write_object(filter),
            scores=finite,
            statistics=JSON.write_object(statistics or {}),
            chart=None if chart is None else JSON.write_object(chart),
        )

    def confirm(
        self,
        run: RunInfo,
        title: str,
        *,
        selection: FrozenSelection,
        severity: str,
        author: str,
        slice: Slice | None = None,  # noqa: A002
        owner: str = "",
        due: date | None = None,
        comment: str = "",
    ) -> Finding:
        """Store a weakness that somebody confirmed, with its evidence. Its status is "open"."""
        _one_of(severity, SEVERITIES, "severity")
        artifact = frozen_file(self.store, selection)
        about: dict[str, JsonValue] = {
            "artifact": artifact,
            "title": selection.title,
            "metric": selection.metric,
            "n": len(selection.scores),
        }
        name = checked_name(author, "author")
        with self.store.write(name, "finding.confirm", run.project_id) as write:
            return self.store.finding_table.add(
                write,
                run.project_id,
                run.id,
                checked_name(title, "finding"),
                slice=_levels(slice),
                evidence=selection.statistics,
                severity=severity,
                comment=comment,
                author=name,
                owner=owner.strip(),
                due=due,
                frozen=about,
                frozen_hash=selection.hash,
            )

    def change(
        self,
        finding: Finding,
        *,
        title: str | None = None,
        status: str | None = None,
        severity: str | None = None,
        owner: str | None = None,
        due: date | Literal["keep"] | None = "keep",
        comment: str | None = None,
        author: str = "",
    ) -> Finding:
        """Change its title, status or other fields; what is left out stays, and None takes the due date away. A status
        given to a withdrawn finding reinstates it. Its history keeps each change with its time and `author`, or else
        the actor of the workspace."""
        name = checked_name(author, "author") if author else self.store.actor
        with self.store.write(name, "finding.change", finding.project_id) as write:
            return self.store.finding_table.change(
                write,
                finding.id,
                title=finding.title if title is None else checked_name(title, "finding"),
                status=finding.status if status in (None, finding.status) else _one_of(status, STATUSES, "status"),
                severity=finding.severity if severity is None else _one_of(severity, SEVERITIES, "severity"),
                owner=finding.owner if owner is None else owner.strip(),
                due=finding.due if due == "keep" else due,
                comment=finding.comment if comment is None else comment,
            )

    def withdraw(self, finding: Finding, *, reason: str, author: str) -> Finding:
        """Withdraw a finding, which stays with its history and counts no more. HcatError without a reason, and for one
        that is withdrawn already."""
        if finding.status == WITHDRAWN:
            raise HcatError(f"finding {finding.title!r} is withdrawn already: change its status to reinstate it")
        if not reason.strip():
            raise HcatError("say why the finding is withdrawn: the report tells the reason")
        with self.store.write(checked_name(author, "author"), "finding.withdraw", finding.project_id) as write:
            return self.store.finding_table.withdraw(write, finding.id, reason=reason.strip())

    def all(self, project: ProjectInfo | str) -> list[Finding]:
        """The project's findings, oldest first."""
        self.store.access.check_reading("results", self.projects.id_of(project))
        return self.store.finding_table.of(self.projects.id_of(project))

    def selection(self, finding: Finding) -> FrozenSelection | None:
        """The samples and scores of the finding, verified; None for a finding from before selections were frozen.

        StorageError where the file is missing, or is not the one that was confirmed.
        """
        self.store.access.check_reading("results", finding.project_id)
        if finding.frozen is None:
            return None
        table = self.store.artifacts.read_table(KIND, str(finding.frozen["artifact"]))
        selection = FrozenSelection.from_json(str(table["document"][0].as_py()))
        if selection.hash != finding.frozen_hash:
            raise StorageError(
                f"what finding {finding.title!r} rests on is not what was confirmed: its hash is "
                f"{selection.hash[:12]}…, not "
                f"{(finding.frozen_hash or '')[:12]}…: restore database and files from one backup"
            )
        return selection


def frozen_file(store: OpenStore, selection: FrozenSelection) -> str:
    """Store the selection of a finding, and return the name of its file."""
    import pyarrow as pa

    document = pa.array([selection.to_json()], pa.large_string())
    return store.artifacts.write_table(KIND, pa.table({"document": document}))


def _levels(chosen: Slice | None) -> dict[str, JsonValue]:
    if chosen is None:
        return {}
    return {
        "dimension_1": chosen.dimension_1,
        "level_1": chosen.level_1,
        "dimension_2": chosen.dimension_2,
        "level_2": chosen.level_2,
    }


def _one_of(value: str, choices: Sequence[str], what: str) -> str:
    if value not in choices:
        raise HcatError(f"a finding has no {what} {value!r}: choose one of {', '.join(choices)}")
    return value
