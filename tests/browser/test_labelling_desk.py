"""The labelling desk in a real browser: what its first screen shows, and that no key is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from benchmarks.served import RunningApp
from hcat.core.labelling.label_details import EvidenceSpan
from hcat.core.labelling.records import LabelRecord
from hcat.core.settings import Settings
from hcat.core.types import Passage
from hcat.core.workspace import Workspace
from hcat.dashboard.components import label_keys, refresh
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, own_page, press, settle, visit, wait_until_idle
from tests.pages.small_project import CRITERION, PROJECT, RUN, small_samples

pytestmark = pytest.mark.browser

FILING = (
    "CONSOLIDATED BALANCE SHEET\n \nYears ended\n2015\n2014\nCash and cash equivalents\n$\n876,560\n$\n1,117,400\n"
    "Deferred income taxes\n \n95,279\nGoodwill\n5,366,881\n4,721,962\n" + "Other assets\n1\n2\n" * 40
)
SAMPLES = [replace(sample, contexts=(Passage("10K#p58", FILING), *sample.contexts)) for sample in small_samples()[:24]]
EVERY = 250
"""Milliseconds between two keys: four a second."""


@dataclass(frozen=True)
class Desk:
    app: RunningApp
    workspace: Workspace

    def entries(self, annotator: str) -> list[LabelRecord]:
        return [record for record in self.workspace.labels.history(PROJECT) if record.annotator == annotator]


@pytest.fixture(scope="module")
def desk(app: RunningApp) -> Iterator[Desk]:
    with Workspace.open(Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts))) as workspace:
        workspace.runs.add(workspace.projects.create(PROJECT), RUN, SAMPLES, source="x")
        workspace.criteria.add(PROJECT, CRITERION)
        yield Desk(app, workspace)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with own_page(browser, 1024, 768, scheme="dark", patience=PATIENCE) as opened:
        yield opened


def begins_above(element: Locator, y: float) -> bool:
    return 0 < place(element)[0] < y


def begin(page: Page, desk: Desk, annotator: str) -> None:
    visit(page, desk.app.url, "labelling", project=PROJECT)
    page.get_by_role("textbox", name="Annotator").fill(annotator)
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 labelled, 0 skipped, 24 to go")).to_be_visible()
    settle(page)


def bottom(page: Page, selector: str) -> float:
    return sum(place(page.locator(selector).first))


def place(element: Locator) -> tuple[float, float]:
    """Where it begins from the top, and its height."""
    box = element.bounding_box()
    assert box is not None
    return box["y"], box["height"]


def test_the_first_screen_shows_query_answer_context_and_keys(page: Page, desk: Desk) -> None:
    begin(page, desk, "ada")
    for name in ("fail", "pass", "Can't judge", "Skip", "Undo", "Earlier"):
        button = page.get_by_role("button", name=name).first
        assert becomes(page, partial(begins_above, button, 768 / 2 - 40)), name
    assert becomes(page, lambda: bottom(page, ".panel.query") < 768)
    for panel in ("contexts", "answer"):  # where the text begins, with room for some lines of it
        text = page.locator(f".panel.{panel} .text").first
        assert becomes(page, partial(begins_above, text, 768 - 120)), panel
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    expect(page.get_by_text("10K#p58")).to_have_count(0)  # ids can say what a passage was planted for

    visit(
        page, desk.app.url, "labelling", project=PROJECT
    )  # the browser knows the name, after a reload and in another tab
    expect(page.get_by_text("24 to go")).to_be_visible()


def test_twenty_keys_at_four_a_second_are_twenty_labels(page: Page, desk: Desk) -> None:
    begin(page, desk, "bob")
    keys = ["1" if place % 3 else "2" for place in range(20)]
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(EVERY)
    expect(page.get_by_text("20 labelled, 0 skipped, 4 to go")).to_be_visible(timeout=2 * PATIENCE)
    expect(page.get_by_text("waiting")).to_have_count(0)
    entries = desk.entries("bob")
    assert [str(int(entry.level or 0) + 1) for entry in entries] == keys
    assert len({entry.sample_id for entry in entries}) == 20
    expect(page.get_by_role("status").get_by_text(f"Saved: fail · {entries[-1].sample_id} · U undoes")).to_be_visible()


class LossyLine:
    """Between browser and server: loses, once each, the press of a level and the answer to the next one."""

    def __init__(self, page: Page) -> None:
        self.lost: list[str] = []
        self.presses = 0
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def ask(message: str | bytes) -> None:
            if b"level-0" in _bytes(message):
                self.presses += 1
                if self.presses == 1:
                    self.lost.append("press")
                    return
            server.send(message)

        def answer(message: str | bytes) -> None:
            if self.presses == 3 and self.lost == ["press"] and b'"pressed"' in _bytes(message):
                self.lost.append("answer")
                return
            browser.send(message)

        browser.on_message(ask)
        server.on_message(answer)


def _bytes(message: str | bytes) -> bytes:
    return message.encode() if isinstance(message, str) else message


def test_a_press_that_gets_lost_is_made_again_and_one_that_arrived_is_not(page: Page, desk: Desk) -> None:
    line = LossyLine(page)
    begin(page, desk, "eva")
    for _ in range(3):
        page.keyboard.press("1")
    expect(page.get_by_text("3 labelled, 0 skipped, 21 to go")).to_be_visible()
    expect(page.get_by_text("waiting")).to_have_count(0)
    wait_until_idle(page)
    entries = desk.entries("eva")
    assert [entry.level for entry in entries] == [0, 0, 0]
    assert len({entry.sample_id for entry in entries}) == 3
    assert (line.lost, line.presses) == (["press", "answer"], 4)
    expect(page.get_by_role("status").get_by_text(f"Saved: fail · {entries[-1].sample_id} · U undoes")).to_be_visible()


def test_the_pass_rate_follows_each_label(page: Page, desk: Desk) -> None:
    run = desk.workspace.runs.add(desk.workspace.projects.create("live"), RUN, SAMPLES, source="x")
    desk.workspace.criteria.add("live", CRITERION)
    desk.workspace.scoring.score(run, "token_f1")
    visit(page, desk.app.url, "labelling", project="live")
    page.get_by_role("textbox", name="Annotator").fill("flo")
    page.keyboard.press("Enter")
    settle(page)
    for done in (1, 2, 3):
        page.keyboard.press("2")
        expect(page.get_by_text(f"{done} labelled, 0 skipped")).to_be_visible()
        expect(page.get_by_text("pass rate (PPI++)").get_by_text(f"n = {done}")).to_be_visible()


BOTH_AT_ONCE = """async code => {
    document.body.innerHTML = "<div id=keys></div><div class=key-1><button>fail</button></div>";
    const { default: keys } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const draw = (turn) => keys({
        data: { keys: { 1: { css: "key-1", does: "press" } }, item: "a", pressed: 0, said: `turn ${turn}`, turn },
        parentElement: document.querySelector("#keys"),
        setTriggerValue: () => {},
    });
    const end = draw(1);
    draw(2);
    end?.();
    document.querySelector("button").addEventListener("click", ({ target }) => { target.textContent = "pressed"; });
}"""
"""Streamlit ends what it drew with old data after it has begun with the new, where both came at once."""


def test_keys_are_taken_where_two_answers_come_at_once(page: Page) -> None:
    page.set_content("<p></p>")
    page.evaluate(BOTH_AT_ONCE, refresh.IDLE.read_text() + (label_keys.FOLDER / "keys.js").read_text())
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="pressed")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("turn 2")


def test_a_reason_is_chosen_and_a_rationale_entered_by_keys_in_their_order(page: Page, desk: Desk) -> None:
    begin(page, desk, "cem")
    page.keyboard.press("h")
    page.keyboard.press("j")  # what 2 means then is known when it is drawn
    page.keyboard.press("2")
    expect(page.get_by_text("1 labelled")).to_be_visible()
    press(page, "r")
    expect(page.get_by_role("textbox", name="Rationale")).to_be_focused()
    page.keyboard.type("as 1 handbook says")
    page.keyboard.press("Enter")
    wait_until_idle(page)
    press(page, "1")
    expect(page.get_by_text("2 labelled")).to_be_visible()
    first, second = desk.entries("cem")
    assert (first.kind, first.rationale, first.details.confidence) == ("cannot_judge", "the query is ambiguous", 5)
    assert (second.level, second.rationale) == (0, "as 1 handbook says")


def test_words_of_a_filing_are_marked_where_they_stand_in_the_file(page: Page, desk: Desk) -> None:
    begin(page, desk, "dea")
    filing = page.locator(".panel.contexts .text").first
    assert becomes(page, lambda: filing.evaluate("node => node.textContent") == FILING)
    gaps = filing.locator(".gap").evaluate_all("nodes => nodes.map(node => node.dataset.shown)")
    assert {" | ", "", "\n", " | · | "} <= set(gaps)
    find = "876,560"
    filing.evaluate(
        """(node, find) => {
            const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
            while (walker.nextNode() && !walker.currentNode.data.includes(find));
            const start = walker.currentNode.data.indexOf(find);
            const selection = node.getRootNode().getSelection?.() || document.getSelection();
            selection.setBaseAndExtent(walker.currentNode, start, walker.currentNode, start + find.length);
        }""",
        find,
    )
    page.keyboard.press("e")
    expect(page.locator(".panel.contexts mark")).to_have_text(find)
    tall = bottom(page, ".panel.contexts .text")
    page.get_by_role("button", name="Show as it stands").click()
    assert becomes(page, lambda: bottom(page, ".panel.contexts .text") > tall + 500)
    wait_until_idle(page)
    press(page, "1")
    expect(page.get_by_text("1 labelled")).to_be_visible()
    start = FILING.index(find)
    [entry] = desk.entries("dea")
    assert entry.details.spans == (EvidenceSpan("contexts", start, start + len(find), "10K#p58"),)
