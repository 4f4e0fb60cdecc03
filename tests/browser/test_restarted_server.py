"""The server is killed and started again while somebody works: the page says so, and nothing stored is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.served import ROOT, RunningApp, running
from hcat.core.records.preregistration import Plan
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from tests.browser.conftest import PATIENCE
from tests.browser.steps import visit, wait_until_idle

pytestmark = pytest.mark.browser

PROJECT = "bank"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    chosen = Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    with Workspace.open(chosen) as opened:
        project = opened.projects.create(PROJECT)
        run = opened.runs.add(project, "v1", [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(6)], source="x")
        criterion = opened.criteria.add(project, Criterion("correctness"))
        opened.preregistrations.register(
            project, Plan("correctness", 4, 0.9, 0.1, rule="labels of people"), author="V. Lead"
        )
        opened.labels.add(run, criterion, [Label(f"q{k}", "correctness", k % 2, "ann") for k in range(4)])
        yield opened


@contextmanager
def started_again(app: RunningApp) -> Iterator[None]:
    """The same command on the same port and store."""
    with (app.folder / "again.log").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "hcat.dashboard.cli", "serve", "--port", str(urlsplit(app.url).port)],
            cwd=ROOT,
            env={
                **os.environ,
                "HCAT_DATABASE_URL": f"sqlite:///{app.database}",
                "HCAT_ARTIFACTS": str(app.artifacts),
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            RunningApp(app.url, app.folder, process).wait_until_healthy(seconds=180)
            yield
        finally:
            process.terminate()
            process.wait(timeout=20)


def test_a_restart_in_mid_session_is_said_and_loses_nothing(
    browser: Browser, workspace: Workspace, tmp_path: Path
) -> None:
    with running("serve", tmp_path, database_url=workspace.settings.database_url) as app:
        app.wait_until_healthy(seconds=180)
        page = browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
        page.set_default_timeout(PATIENCE)
        visit(page, app.url, "report", project=PROJECT)
        page.get_by_label("Author", exact=True).fill("V. Lead")
        page.get_by_role("button", name="Build the report").click()
        expect(page.get_by_text("Version 1, built")).to_be_visible()
        wait_until_idle(page)
        os.kill(app.process.pid, signal.SIGKILL)
        app.process.wait()
        expect(page.get_by_text("Connection error")).to_be_visible()
        words = page.get_by_role("button", name="Build the report", disabled=True)
        assert words.evaluate("button => getComputedStyle(button).color") != "rgb(255, 255, 255)"  # on white
        with started_again(app):
            expect(page.get_by_text("Connection error")).to_have_count(0)
            expect(page.get_by_text("Draft: nobody has signed this version.")).to_be_visible()
            wait_until_idle(page)
            page.get_by_label("Your name").fill("V. Lead")
            page.get_by_role("button", name="Submit version 1 for review").click()
            expect(page.get_by_text("Submitted, and not approved yet.")).to_be_visible()
            page.context.close()
    project = workspace.projects.get(PROJECT)
    [stands] = workspace.sign_offs.all(project)
    assert stands.state == "submitted"
    assert len(workspace.labels.current(project)) == 4
