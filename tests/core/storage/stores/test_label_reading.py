"""The kept log against one that is read afresh: whoever wrote, in whatever order it became visible."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from hcat.core.labelling.records import LabelRecord
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.storage.stores.label_log import LabelLog
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace

CRITERION = Criterion("correctness")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'h.db'}", artifacts=str(tmp_path / "artifacts"))
    )
    project = opened.projects.create("bank")
    opened.criteria.add(project, CRITERION)
    opened.runs.add(project, "v1", [Sample(f"q{k}", "?", "!") for k in range(6)], source="x")
    yield opened
    opened.close()


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    return workspace.runs.get("bank", "v1")


def afresh(workspace: Workspace, run: RunInfo) -> list[LabelRecord]:
    return LabelLog(workspace.store.database).history(run.project_id)


def test_after_each_of_many_changes_the_kept_log_is_the_stored_one(workspace: Workspace, run: RunInfo) -> None:
    rng = np.random.default_rng(3)
    other = Workspace.open(workspace.settings)
    for _ in range(60):
        writer, who = (workspace, other)[rng.integers(2)], ("ann", "bob")[rng.integers(2)]
        if rng.random() < 0.3:
            writer.labels.undo(run, CRITERION, annotator=who)
        else:
            writer.labels.record(run, CRITERION, f"q{rng.integers(6)}", int(rng.integers(2)), annotator=who)
        found = workspace.labels.history("bank")
        assert found == afresh(workspace, run)
        replaced = {record.supersedes for record in found}
        assert {record.id for record in found if record.superseded} == replaced - {None}
    other.close()


def test_an_entry_that_becomes_visible_after_a_later_one_is_not_passed_over(workspace: Workspace, run: RunInfo) -> None:
    """As where a transaction of PostgreSQL that took its id first commits last."""
    workspace.labels.record(run, CRITERION, "q0", 1, annotator="ann")
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
        with workspace.write("tests", "label.record") as write, write.transaction() as session:
            session.add(row)
        assert workspace.labels.history("bank") == afresh(workspace, run)
    assert [record.sample_id for record in workspace.labels.history("bank")] == ["q0", "q2", "q1"]


def test_logs_of_projects_are_kept_apart(workspace: Workspace, run: RunInfo) -> None:
    workspace.labels.record(run, CRITERION, "q0", 1, annotator="ann")
    project = workspace.projects.create("other")
    workspace.criteria.add(project, CRITERION)
    second = workspace.runs.add(project, "v1", [Sample("q0", "?", "!")], source="x")
    workspace.labels.record(second, CRITERION, "q0", 0, annotator="bob")
    assert [record.annotator for record in workspace.labels.history("bank")] == ["ann"]
    assert [record.annotator for record in workspace.labels.history("other")] == ["bob"]


def test_a_reader_that_waits_for_a_connection_keeps_the_log_from_nobody(workspace: Workspace, run: RunInfo) -> None:
    workspace.labels.record(run, CRITERION, "q0", 1, annotator="ann")
    reader = workspace.store.log.reader
    with ExitStack() as connected, ThreadPoolExecutor(2) as threads:
        sessions = [
            connected.enter_context(workspace.store.database.read()) for _ in range(15)
        ]  # all that the pool gives
        for session in sessions:
            session.connection()
        waiting = threads.submit(workspace.store.log.history, run.project_id)
        time.sleep(0.5)  # it has begun to wait by then; where it has not, the test can't fail, and does not
        reading = threads.submit(reader.history, sessions[0], run.project_id)
        assert len(reading.result(timeout=120)) == 1
        connected.close()
        assert len(waiting.result(timeout=120)) == 1
