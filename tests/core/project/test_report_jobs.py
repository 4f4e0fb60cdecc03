"""A report built by a job: what was asked for, step by step, stopped without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.capabilities.report.analysis.gathering import PARTS
from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.capabilities.report.template import read_template
from hcat.core.jobs.processes import this_worker
from hcat.core.project.jobs import Jobs
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Progress, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace

TEMPLATE = """
title: Of the bank
cover: {Department: Model validation}
chapters: [summary, {title: Ours, text: "Our *own* words."}, limitations]
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    chosen = Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    with Workspace.open(chosen, actor="test") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    made = workspace.projects.create("bank")
    for name in ("v1", "v2"):
        samples = [Sample(f"q{k}", f"What is fee {k}?", f"fee {k}") for k in range(12)]
        run = workspace.runs.add(made, name, samples, source="x")
    criterion = workspace.criteria.add(made, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label(f"q{k}", "correctness", k % 2, "ann") for k in range(4)])
    return made


def test_a_job_builds_what_was_asked_for(workspace: Workspace, project: ProjectInfo) -> None:
    template = read_template(TEMPLATE)
    request = ReportRequest("lee", ("v2",), ("limitations",), template, "only one run")
    job = workspace.jobs.start(project, request)
    assert workspace.jobs.start(project, request).id == job.id
    assert run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).error is None
    [version] = workspace.reports.versions(project)
    report = workspace.reports.read(version)
    assert (report.title, version.author, version.note) == ("Of the bank", "lee", "only one run")
    assert [section.title for section in report.sections] == ["Ours", "Limitations"]
    assert (report.facts["Runs"], report.facts["Department"]) == ("v2", "Model validation")


def test_each_step_is_told_once_and_in_order(workspace: Workspace, project: ProjectInfo) -> None:
    told: list[Progress] = []
    workspace.reports.build(project, on_progress=told.append)
    shares = [each.share for each in told if each.share is not None]
    assert len(shares) == len(told) and shares == sorted(shares) and shares[0] >= 0 and shares[-1] < 1
    assert [(each.stage, each.done, each.total) for each in told[:2]] == [("read runs", 0, 2), ("read runs", 1, 2)]
    assert [each.done for each in told[2:-1]] == list(range(PARTS))
    assert {"Human judgement", "Results by slice", "Attacks"} < {each.stage for each in told}
    assert told[-1].stage == "write the report"


@pytest.mark.parametrize("stage", ["read runs", "Fairness", "write the report"])
def test_a_job_that_is_cancelled_at_any_step_stores_nothing_and_can_begin_again(
    workspace: Workspace, project: ProjectInfo, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = workspace.jobs.start(project, ReportRequest("lee"))
    monkeypatch.setattr("hcat.core.worker.REPORT_SECONDS", 0.0)
    beat = Jobs.beat

    def cancel(self: Jobs, job_id: int, worker: object, progress: Progress | None = None) -> bool:
        if progress is not None and progress.stage == stage:
            self.cancel(job_id)
        return beat(self, job_id, this_worker(), progress)

    with monkeypatch.context() as patch:
        patch.setattr(Jobs, "beat", cancel)
        assert run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).status == "cancelled"
    assert workspace.reports.versions(project) == []
    assert run_job(workspace, workspace.jobs.resume(job.id).id)
    assert [version.author for version in workspace.reports.versions(project)] == ["lee"]


def test_a_request_of_an_earlier_version_still_names_all_runs(workspace: Workspace, project: ProjectInfo) -> None:
    job = workspace.jobs.start(project, ReportRequest("lee"))
    with workspace.store.write("test", "job.start", project.id) as write:
        old = workspace.store.job_table.add(write, "report", {"author": "kim"}, project_id=project.id)
    assert workspace.jobs.cancel(job.id).status == "cancelled"
    assert run_job(workspace, old.id)
    assert [version.author for version in workspace.reports.versions(project)] == ["kim"]
