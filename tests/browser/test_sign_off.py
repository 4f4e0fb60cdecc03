"""Two people in two browsers sign one report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import RunningApp, running
from hcat.core.records.people import Identity
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from tests.browser.conftest import PATIENCE
from tests.browser.provider import served_with_login
from tests.browser.steps import visit, wait_until_idle

pytestmark = pytest.mark.browser

PROJECT, SIZES = "bank", ((1440, 900), (1024, 768))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    chosen = Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    with Workspace.open(chosen) as opened:
        project = opened.projects.create(PROJECT)
        run = opened.runs.add(project, "v1", [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(6)], source="x")
        criterion = opened.criteria.add(project, Criterion("correctness"))
        opened.labels.add(run, criterion, [Label(f"q{k}", "correctness", k % 2, "ann") for k in range(4)])
        opened.reports.build(project, author="V. Lead")
        yield opened


@pytest.fixture
def app(workspace: Workspace, tmp_path: Path) -> Iterator[RunningApp]:
    with running("serve", tmp_path, database_url=workspace.settings.database_url) as started:
        started.wait_until_healthy(seconds=180)
        yield started


def at_the_report(browser: Browser, app: RunningApp, size: tuple[int, int]) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.set_default_timeout(PATIENCE)
    visit(page, app.url, "report", project=PROJECT)
    return page


def signed_in(browser: Browser, app: RunningApp, sub: str, size: tuple[int, int]) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(app.url)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name=sub).click()
    expect(page.get_by_text("Signed in as")).to_be_visible()
    visit(page, app.url, "report", project=PROJECT)
    return page


def test_two_identities_sign_and_no_field_takes_another_name(
    browser: Browser, workspace: Workspace, tmp_path: Path
) -> None:
    with served_with_login(tmp_path, database_url=workspace.settings.database_url) as (app, issuer):
        for sub, name, role in (("s-1", "ann.lead", "validator"), ("s-2", "bob.review", "reviewer")):
            workspace.people.set_role(PROJECT, workspace.people.register(Identity(issuer, sub, name)), role)
        author, reviewer = (signed_in(browser, app, sub, size) for sub, size in zip(("s-1", "s-2"), SIZES, strict=True))
        expect(author.get_by_role("textbox", name="Your name")).to_be_disabled()
        expect(author.get_by_role("textbox", name="Your name")).to_have_value("ann.lead")
        author.get_by_role("button", name="Submit version 1 for review").click()
        expect(author.get_by_text("Submitted, and not approved yet.")).to_be_visible()
        wait_until_idle(author)
        author.get_by_role("button", name="Approve version 1").click()
        expect(author.get_by_text("somebody else has to review it")).to_be_visible()
        reviewer.reload()
        expect(reviewer.get_by_text("Submitted, and not approved yet.")).to_be_visible()
        expect(reviewer.get_by_role("textbox", name="Reviewer")).to_have_value("bob.review")
        wait_until_idle(reviewer)
        reviewer.get_by_role("button", name="Approve version 1").click()
        expect(reviewer.get_by_text("Approved.", exact=False).first).to_be_visible()
        for page in (author, reviewer):
            page.context.close()
    [stands] = workspace.sign_offs.all(workspace.projects.get(PROJECT))
    names = [(each.step, each.author) for each in stands.signatures]
    assert names == [("submitted", "ann.lead"), ("approved", "bob.review")]


def test_author_and_reviewer_sign_in_two_browsers(browser: Browser, app: RunningApp, workspace: Workspace) -> None:
    author, reviewer = (at_the_report(browser, app, size) for size in SIZES)
    expect(author.get_by_text("Draft: nobody has signed this version.")).to_be_visible()
    author.get_by_label("Your name").fill("V. Lead")
    author.get_by_role("button", name="Submit version 1 for review").click()
    expect(author.get_by_text("Submitted, and not approved yet.")).to_be_visible()
    wait_until_idle(author)
    author.get_by_label("Reviewer", exact=True).fill("v. lead")
    author.get_by_role("button", name="Approve version 1").click()
    expect(author.get_by_text("somebody else has to review it")).to_be_visible()

    reviewer.reload()
    expect(reviewer.get_by_text("Submitted, and not approved yet.")).to_be_visible()
    wait_until_idle(reviewer)
    reviewer.get_by_label("Reviewer", exact=True).fill("Ann")
    reviewer.get_by_role("button", name="Approve version 1").click()
    expect(reviewer.get_by_text("Ann gave 4 labels of this report's runs")).to_be_visible()
    reviewer.get_by_label("Condition of the approval").fill("I labelled four answers")
    reviewer.get_by_role("button", name="Approve version 1").click()
    expect(reviewer.get_by_text("Condition: I labelled four answers.")).to_be_visible()

    author.reload()
    expect(author.get_by_text("Approved. All that it rests on is as it was when it was signed.")).to_be_visible()
    project = workspace.projects.get(PROJECT)
    [stands] = workspace.sign_offs.all(project)
    assert [(each.step, each.author) for each in stands.signatures] == [("submitted", "V. Lead"), ("approved", "Ann")]
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.get(project, "correctness")
    workspace.labels.record(run, criterion, "q5", 1, annotator="bob")
    author.reload()
    expect(author.get_by_text("labels of v1 on correctness: changed")).to_be_visible()
    for page in (author, reviewer):
        page.context.close()
