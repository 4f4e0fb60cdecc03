"""The overview links the newest report, and tells while one is being built."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.jobs.processes import this_worker
from hcat.core.settings import settings
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, shown


def test_the_overview_shows_a_report_from_its_start_to_its_hash(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    app = open_page("overview", "calibrated")
    assert "Report, version" not in shown(app)
    with Workspace.open(settings(), actor="V. Lead") as workspace:
        project = workspace.projects.get(PROJECT)
        job = workspace.jobs.start(project, ReportRequest(author="V. Lead"))
        assert any("Building the report is running" in str(each.proto) for each in app.run().get("progress"))
        assert run_job(workspace, job.id)
        assert workspace.jobs.get(job.id).error is None
        [version] = workspace.reports.versions(project)
    assert_sound(app.run())
    text = shown(app).replace("\\", "")
    assert f"Report, version 1, built {version.at:%Y-%m-%d %H:%M} UTC by V. Lead" in text
    assert version.hash[:16] in text


def test_a_report_that_failed_says_why(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    app = open_page("overview", "calibrated")
    with Workspace.open(settings(), actor="V. Lead") as workspace:
        job = workspace.jobs.start(workspace.projects.get(PROJECT), ReportRequest(author="V. Lead"))
        assert workspace.jobs.claim(job.id, this_worker())
        assert workspace.jobs.finish(job.id, this_worker(), "failed", "the disk is full")
    app.run()
    assert app.exception == []
    assert any("Building the report failed: the disk is full" in each.value for each in app.error)
    assert any(button.label == "Try again" for button in app.button)
