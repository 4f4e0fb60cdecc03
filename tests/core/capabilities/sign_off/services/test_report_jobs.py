"""A job builds the report of a project; the demo starts it once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.demo.service import Demo
from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.jobs.processes import this_worker
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import settings
from hcat.core.types import Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

REQUEST = ReportRequest(author="V. Lead")


def bank(workspace: Workspace, name: str = "bank") -> ProjectInfo:
    project = workspace.projects.create(name)
    for run in ("v1", "v2"):
        workspace.runs.add(project, run, [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(4)], source="x")
    return project


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()


def test_a_job_builds_the_report() -> None:
    with Workspace.open(actor="test") as workspace:
        project = bank(workspace)
        job = workspace.jobs.start(project, REQUEST)
        assert run_job(workspace, job.id)
        assert (workspace.jobs.get(job.id).status, workspace.jobs.get(job.id).error) == ("done", None)
        [version] = workspace.reports.versions(project)
        assert (version.version, version.author) == (1, "V. Lead")


def test_each_project_has_a_job_of_its_own() -> None:
    with Workspace.open(actor="test") as workspace:
        first = workspace.jobs.start(bank(workspace), REQUEST)
        second = workspace.jobs.start(bank(workspace, "other"), REQUEST)
        assert first.id != second.id
        assert workspace.jobs.start(workspace.projects.get("bank"), REQUEST).id == first.id


def test_the_demo_starts_its_report_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(actor="test") as workspace:
        project = bank(workspace)
    monkeypatch.setattr(Demo, "load", lambda self, on_progress: self.projects.get("bank"))
    monkeypatch.setattr(os, "execv", lambda *arguments: None)
    for _ in range(2):
        assert CliRunner().invoke(app, ["demo"]).exit_code == 0
        with Workspace.open(actor="test") as workspace:
            [job] = workspace.jobs.all(project)
            assert (job.kind, job.arguments["author"], job.actor) == ("report", "hcat demo", "demo")
            if not workspace.reports.versions(project):
                assert run_job(workspace, job.id)
    with Workspace.open(actor="test") as workspace:
        assert [version.author for version in workspace.reports.versions(project)] == ["hcat demo"]
