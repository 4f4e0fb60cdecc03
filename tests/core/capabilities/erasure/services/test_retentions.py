"""Texts go when they are due and not before, wait for a report under review, and each erasure is on record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import Settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_url  # noqa: F401  both databases, as the storage tests have


class Clock:
    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(database_url: str, tmp_path: Path, clock: Clock) -> Iterator[Workspace]:  # noqa: F811
    given = Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts"))
    with Workspace.open(given, clock=clock, actor="tests") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    project = workspace.projects.create("bank")
    workspace.runs.add(project, "v1", [Sample(f"q{k}", f"fee {k}?", f"{k}") for k in range(5)], source="x")
    return project


def test_texts_go_when_they_are_due_and_not_before(workspace: Workspace, project: ProjectInfo, clock: Clock) -> None:
    assert (workspace.retentions.get(project), workspace.retentions.due(project)) == (None, [])
    workspace.retentions.settle(project, 30, author="lee")
    run = workspace.runs.get(project, "v1")
    workspace.erasures.erase(run, ["q0"], reason="asked", author="lee")
    [due] = workspace.retentions.due(project)
    assert (due.run, due.texts, due.due) == ("v1", 4, run.created_at + timedelta(days=30))
    clock.at += timedelta(days=29)
    assert workspace.retentions.apply(project, author="lee") == []
    clock.at += timedelta(days=2)
    erased = workspace.retentions.apply(project, author="D. Officer")
    assert [each.sample_id for each in erased] == ["q1", "q2", "q3", "q4"]
    assert {each.reason.partition(", as")[0] for each in erased} == {"kept for 30 days after import"}
    assert all(each.erased for each in workspace.runs.samples(workspace.runs.get(project, "v1")))
    assert workspace.retentions.due(project) == []
    assert workspace.erasures.all(project)[1:] == erased
    assert workspace.audit.verify().fault is None


def test_texts_wait_for_a_report_under_review(workspace: Workspace, project: ProjectInfo, clock: Clock) -> None:
    workspace.retentions.settle(project, 1, author="lee")
    workspace.reports.build(project, author="lee", chapters=["summary"])
    [version] = workspace.reports.versions(project)
    workspace.sign_offs.submit(version, author="lee")
    clock.at += timedelta(days=3)
    assert [each.waiting for each in workspace.retentions.due(project)] == [1]
    assert workspace.retentions.apply(project, author="lee") == []
    workspace.sign_offs.return_(version, reviewer="kim", comment="say more")
    assert len(workspace.retentions.apply(project, author="lee")) == 5


def test_no_end_is_settled_again_and_nonsense_is_refused(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.retentions.settle(project, 1, author="lee")
    workspace.retentions.settle(project, None, author="lee")
    assert workspace.retentions.get(project) is None
    for days in (0, -1, 40_000):
        with pytest.raises(HcatError, match="1 to 36,500 days"):
            workspace.retentions.settle(project, days, author="lee")
