"""The kept log against one that is read afresh: whoever wrote, in whatever order it became visible."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.settings import Settings
from core.storage.label_log import LabelLog
from core.storage.label_tables import LabelRow
from core.storage.records import LabelRecord, RunInfo
from core.types import Criterion, Sample
from core.workspace import Workspace

CRITERION = Criterion("correctness")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'h.db'}", artifacts=str(tmp_path / "artifacts"))
    )
    project = opened.create_project("bank")
    opened.add_criterion(project, CRITERION)
    opened.import_run(project, "v1", [Sample(f"q{k}", "?", "!") for k in range(6)], source="x")
    yield opened
    opened.close()


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    return workspace.run("bank", "v1")


def afresh(workspace: Workspace, run: RunInfo) -> list[LabelRecord]:
    return LabelLog(workspace.database).history(run.project_id)


def test_after_each_of_many_changes_the_kept_log_is_the_stored_one(workspace: Workspace, run: RunInfo) -> None:
    rng = np.random.default_rng(3)
    other = Workspace.open(workspace.settings)
    for _ in range(60):
        writer, who = (workspace, other)[rng.integers(2)], ("ann", "bob")[rng.integers(2)]
        if rng.random() < 0.3:
            writer.undo_label(run, CRITERION, annotator=who)
        else:
            writer.record_label(run, CRITERION, f"q{rng.integers(6)}", int(rng.integers(2)), annotator=who)
        found = workspace.label_history("bank")
        assert found == afresh(workspace, run)
        replaced = {record.supersedes for record in found}
        assert {record.id for record in found if record.superseded} == replaced - {None}
    other.close()


def test_an_entry_that_becomes_visible_after_a_later_one_is_not_passed_over(workspace: Workspace, run: RunInfo) -> None:
    """As where a transaction of PostgreSQL that took its id first commits last."""
    workspace.record_label(run, CRITERION, "q0", 1, annotator="ann")
    for number, sample_id in ((10, "q1"), (5, "q2")):
        row = LabelRow(
            id=number,
            run_id=run.id,
            criterion_id=1,
            sample_id=sample_id,
            annotator="ann",
            kind="label",
            level=1,
            queue="none",
            guideline_version=1,
        )
        with workspace.database.write() as session:
            session.add(row)
        assert workspace.label_history("bank") == afresh(workspace, run)
    assert [record.sample_id for record in workspace.label_history("bank")] == ["q0", "q2", "q1"]


def test_logs_of_projects_are_kept_apart(workspace: Workspace, run: RunInfo) -> None:
    workspace.record_label(run, CRITERION, "q0", 1, annotator="ann")
    project = workspace.create_project("other")
    workspace.add_criterion(project, CRITERION)
    second = workspace.import_run(project, "v1", [Sample("q0", "?", "!")], source="x")
    workspace.record_label(second, CRITERION, "q0", 0, annotator="bob")
    assert [record.annotator for record in workspace.label_history("bank")] == ["ann"]
    assert [record.annotator for record in workspace.label_history("other")] == ["bob"]


def test_more_readers_than_connections_do_not_wait_for_one_another(workspace: Workspace, run: RunInfo) -> None:
    """Some fix their snapshot by a query first, as calls with a criterion do, and some ask for a connection late."""
    for k in range(6):
        workspace.record_label(run, CRITERION, f"q{k}", k % 2, annotator="ann")

    def look(number: int) -> int:
        criterion = CRITERION.name if number % 3 else None
        return min(len(workspace.label_history("bank", criterion=criterion)) for _ in range(20))

    with ThreadPoolExecutor(30) as readers:
        found = list(readers.map(look, range(60)))
    assert found == [6] * 60
