"""Two annotators in two browsers at one queue, on SQLite and on a real PostgreSQL; and what one card can do."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlmodel import select

import tests.core.conftest as servers
import tests.core.storage.conftest as databases
from benchmarks.served import RunningApp, running
from hcat.core.labelling.label_details import EvidenceSpan
from hcat.core.labelling.queue import QueueRules
from hcat.core.labelling.records import LabelRecord, QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.storage.tables.labelling import LeaseRow
from hcat.core.storage.tables.row import now
from hcat.core.types import Criterion
from hcat.core.workspace import Workspace
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, choose, opened, press, settle, visit, wait_until_idle
from tests.pages.small_project import CRITERION, PROJECT, RUN, small_samples

pytestmark = pytest.mark.browser
ON_SQLITE_AT_LEAST = pytest.mark.parametrize(
    "database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
"""What only the database decides is tested on both without a browser: tests/core/storage/test_team_labelling.py."""

postgresql = servers.postgresql
database_url = databases.database_url

SAMPLES = small_samples()[:20]
IDS = {sample.query: sample.id for sample in SAMPLES}
QUERY = ".panel.query .text"


@dataclass(frozen=True)
class Team:
    app: RunningApp
    workspace: Workspace
    run: RunInfo
    criterion: Criterion

    def queue(self, dimension: str | None, planned: int, rules: QueueRules) -> QueueInfo:
        kind = "random" if dimension is None else "stratified"
        return self.workspace.queues.plan(
            self.run, self.criterion, kind=kind, dimension=dimension, planned=planned, rules=rules
        )

    def history(self) -> list[LabelRecord]:
        return self.workspace.labels.history(PROJECT)

    def levels(self, annotator: str) -> dict[str, int]:
        found = self.workspace.labels.current(PROJECT, annotator=annotator)
        levels = {label.sample_id: label.level for label in found}
        assert len(levels) == len(found)
        return levels


@pytest.fixture
def team(database_url: str, tmp_path: Path) -> Iterator[Team]:  # the name is the fixture's
    settings = Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts"))
    workspace = Workspace.open(settings)
    run = workspace.runs.add(workspace.projects.create(PROJECT), RUN, SAMPLES, source="x")
    criterion = workspace.criteria.add(PROJECT, CRITERION)
    with running("serve", tmp_path, database_url=database_url) as app:
        app.wait_until_healthy(seconds=90)
        yield Team(app, workspace, run, criterion)
    workspace.close()


def open_card(browser: Browser, leaving: ExitStack, team: Team, annotator: str, queue: QueueInfo) -> Page:
    """A browser of one's own, at the queue."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    leaving.callback(context.close)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    visit(page, team.app.url, "labelling", queue=queue.name)
    page.get_by_role("textbox", name="Annotator").fill(annotator)
    page.keyboard.press("Enter")
    expect(page.get_by_text("to go")).to_be_visible()
    settle(page)
    return page


def shown(page: Page) -> str:
    """The id of the sample on the card."""
    return IDS[page.locator(QUERY).first.inner_text().strip()]


def level_by(annotator: str, sample_id: str) -> int:
    return (int(sample_id[1:]) + (annotator == "bob")) % 2


def press_level(page: Page, annotator: str, given: dict[str, int]) -> str:
    assert becomes(page, lambda: shown(page) not in given)
    sample_id = shown(page)
    given[sample_id] = level_by(annotator, sample_id)
    page.keyboard.press(str(given[sample_id] + 1))
    return sample_id


def wait_for_next(page: Page, done: int) -> None:
    expect(page.get_by_text(f"{done} labelled", exact=False)).to_be_visible()
    settle(page)


def test_two_annotators_lose_double_and_mix_nothing(browser: Browser, team: Team) -> None:
    """Ten items, two labels each, by keys; then an undo. A thousand labels by processes: core/storage."""
    queue = team.queue(None, 10, QueueRules(overlap=2, order="annotator"))
    with ExitStack() as leaving:
        pages = {name: open_card(browser, leaving, team, name, queue) for name in ("ann", "bob")}
        given: dict[str, dict[str, int]] = {"ann": {}, "bob": {}}
        for done in range(1, 11):
            for name, page in pages.items():  # both keys are down before either card is waited for
                press_level(page, name, given[name])
            for page in pages.values():
                wait_for_next(page, done)
        for page in pages.values():  # whoever was first saw that the other still had an item
            page.get_by_role("button", name="Look again").click()
            expect(page.get_by_text("This queue is done")).to_be_visible()

        for name in pages:
            assert team.levels(name) == given[name]
            assert given[name] == {sample_id: level_by(name, sample_id) for sample_id in given["ann"]}
        assert Counter(record.sample_id for record in team.history()) == dict.fromkeys(given["ann"], 2)
        assert len(given["ann"]) == 10
        assert all(record.seconds is not None and record.details.blind for record in team.history())
        progress = team.workspace.queues.team_progress(queue)
        assert (progress.complete, progress.held, dict(progress.labels)) == (10, 0, {"ann": 10, "bob": 10})

        last = [record.sample_id for record in team.history() if record.annotator == "ann"][-1]
        press(pages["ann"], "u")
        wait_for_next(pages["ann"], 9)
        assert becomes(pages["ann"], lambda: shown(pages["ann"]) == last)
        del given["ann"][last]
        assert len(team.levels("ann")) == 9
        assert team.levels("bob") == given["bob"]
        press_level(pages["ann"], "ann", given["ann"])
        wait_for_next(pages["ann"], 10)
        assert team.levels("ann") == given["ann"]


@ON_SQLITE_AT_LEAST
def test_a_hold_is_renewed_while_the_card_is_open_and_taken_over_when_it_runs_out(browser: Browser, team: Team) -> None:
    queue = team.queue(None, 1, QueueRules(overlap=1, lease_seconds=12))
    with ExitStack() as leaving:
        ann = open_card(browser, leaving, team, "ann", queue)
        held = shown(ann)
        bob = open_card(browser, leaving, team, "bob", queue)
        expect(bob.get_by_text("No item is free right now")).to_be_visible()
        renewals = [expiry(team)]
        end = time.monotonic() + PATIENCE / 1000
        while len(renewals) < 3 and time.monotonic() < end:  # nobody touches her page meanwhile
            if (latest := expiry(team)) != renewals[-1]:
                renewals.append(latest)
            ann.wait_for_timeout(200)
        assert len(renewals) == 3
        bob.get_by_role("button", name="Look again").click()
        wait_until_idle(bob)
        expect(bob.locator(QUERY)).to_have_count(0)
        ann.context.close()
        until = time.monotonic() + PATIENCE / 1000
        while expiry(team) > now() and time.monotonic() < until:
            bob.wait_for_timeout(200)
        bob.get_by_role("button", name="Look again").click()
        expect(bob.locator(QUERY).first).to_be_visible()
        wait_until_idle(bob)
        assert shown(bob) == held
        marked = mark_a_word_and_a_sentence(bob, held)
        with opened(bob, "desk-more"):
            bob.get_by_text("Show the calibration, live").click()
        wait_until_idle(bob)
        press(bob, "2")
        expect(bob.get_by_text("This queue is done")).to_be_visible()
    [record] = team.history()
    assert (record.sample_id, record.annotator, record.level) == (held, "bob", 1)
    assert list(record.details.spans) == marked


def expiry(team: Team) -> datetime:
    """Till when the one claim holds."""
    with team.workspace.store.database.read() as session:
        return session.exec(select(LeaseRow.expires_at)).one()


def mark_a_word_and_a_sentence(page: Page, sample_id: str) -> list[EvidenceSpan]:
    """A word of the second passage by the mouse, the first sentence of the answer by keys."""
    sample = next(sample for sample in SAMPLES if sample.id == sample_id)
    passage, answer = sample.contexts[1], str(sample.answer)
    page.locator(".panel.contexts .text").nth(1).dblclick(position={"x": 12, "y": 10})
    page.keyboard.press("e")
    expect(page.locator(".panel.contexts mark")).to_have_text("Harbour")
    page.locator(".panel.answer .text").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("e")
    expect(page.locator(".panel.answer mark")).to_have_text(answer)
    wait_until_idle(page)
    assert passage.text.startswith("Harbour ")
    return [EvidenceSpan("contexts", 0, 7, passage.id), EvidenceSpan("answer", 0, len(answer))]


@ON_SQLITE_AT_LEAST
def test_a_card_says_that_somebody_else_has_the_item(browser: Browser, team: Team) -> None:
    other = team.queue("kind", 4, QueueRules(overlap=1))
    queue = team.queue(None, 2, QueueRules(overlap=1, lease_seconds=4))
    with ExitStack() as leaving:
        ann = open_card(browser, leaving, team, "ann", other)
        with opened(ann, "desk-queue"):
            choose(ann, "Queue", queue.name)
        expect(ann.get_by_text("0 labelled, 0 skipped, 2 to go")).to_be_visible()
        wait_until_idle(ann)  # the card is drawn after the counts
        held = shown(ann)
        later = Workspace.open(team.workspace.settings, clock=lambda: now() + timedelta(hours=1))
        leaving.callback(later.close)
        item = later.queues.next_item(queue, "cem")  # to whom ann's hold ran out an hour ago
        assert item is not None
        assert item.sample_id == held
        expect(ann.get_by_text("somebody else may have it now")).to_be_visible()
        press(ann, "1")
        expect(ann.get_by_text("somebody else took it over")).to_be_visible()
        expect(ann.locator(QUERY).first).not_to_have_text(next(q for q, i in IDS.items() if i == held))
    assert team.history() == []
