"""From documents to robustness by mouse, with no network: corpus, topics, tests, review, variants, answers, scores.

With HCAT_TEST_WHOLE_LINE set, 200 test cases from all 14 chapters instead of 20 from four; that takes long.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from hcat.core.settings import ROOT
from hcat.dashboard.capabilities.runs.metric_choice import OF_NONE
from tests.browser.conftest import RunningApp, Watched
from tests.browser.steps import (
    becomes,
    blur,
    choose,
    create_project,
    go_to,
    keyed,
    number_in,
    opened,
    press,
    table,
    table_texts,
    visit,
    wait_until_idle,
)

HANDBOOK = ROOT / "data" / "demo" / "handbook"
WHOLE = bool(os.environ.get("HCAT_TEST_WHOLE_LINE"))
LONG = 7_200_000 if WHOLE else 180_000
"""Milliseconds for what takes a process of its own."""
pytestmark = [pytest.mark.browser, *([pytest.mark.timeout(2 * LONG / 1000)] if WHOLE else [])]
CHAPTERS = sorted(HANDBOOK.glob("*.md" if WHOLE else "0[1-4]-*.md"))
N, REVIEWED = 200 if WHOLE else 20, 10


def test_from_a_folder_to_robustness_and_coverage(
    page: Page, app: RunningApp, watched: Watched, tmp_path: Path
) -> None:
    watched.follow(page, app.url)
    page.set_default_timeout(LONG)
    if WHOLE:
        expect.set_options(timeout=LONG)
    visit(page, app.url, "runs")
    create_project(page, "Handbook assistant")
    import_the_folder(page, tmp_path)
    find_topics(page)
    made = generate(page)
    review(page, made)
    freeze(page, standing=made - 1)
    n = make_variants(page, made - 1)
    freeze(page, standing=n)
    collect(page, n)
    score(page)
    check_robustness(page)
    check_coverage(page)
    assert watched.errors == []
    assert watched.foreign == []


def import_the_folder(page: Page, folder: Path) -> None:
    """By default some of the handbook, to spare time."""
    for path in CHAPTERS:
        shutil.copy(path, folder)
    go_to(page, "Corpus")
    page.locator("input[type=file]").first.set_input_files(folder)
    expect(page.get_by_text(re.compile(rf"{len(CHAPTERS)} documents, \d+ passages"))).to_be_visible(timeout=LONG)
    page.get_by_label("Name of the corpus").fill("handbook")
    page.get_by_role("button", name="Store the corpus").click()
    expect(page.get_by_text("Select a row to read its passages")).to_be_visible()


def find_topics(page: Page) -> None:
    go_to(page, "Topics")
    page.get_by_role("button", name="Find topics").click()
    expect(page.get_by_role("heading", name="Topics and their names")).to_be_visible(timeout=LONG)
    assert drawn_passages(page) > 30


def generate(page: Page) -> int:
    """Gives how many were made, which the page accounts for."""
    go_to(page, "Test sets")
    page.get_by_role("spinbutton", name="Test cases").fill(str(N))
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Generate {N} test cases").click()
    facts = page.get_by_text(re.compile(r"^\d+ test cases, open for review"))
    expect(facts).to_be_visible(timeout=LONG)
    made = int(number_in(facts.inner_text(), r"^(\d+) test cases"))
    view(page, "Asked and made")
    assert becomes(page, lambda: (metric(page, "Asked"), metric(page, "Made")) == (N, made))
    expect(page.get_by_text("Fewer test cases than asked could be made")).to_have_count(int(made < N))
    assert made > REVIEWED
    return made


def review(page: Page, made: int) -> None:
    """By keys: all but one that are looked at are accepted."""
    view(page, "Review")
    page.get_by_role("textbox", name="Annotator").fill("Vera")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text(f"0 of {made} cases reviewed")).to_be_visible()
    blur(page)
    press(page, "r")
    expect(page.get_by_text("Why is it rejected?")).to_be_visible()
    press(page, "1")
    for done in range(1, REVIEWED):
        expect(page.get_by_text(f"{done} of {made} cases reviewed")).to_be_visible()
        press(page, "a")
    expect(page.get_by_text(f"{REVIEWED} of {made} cases reviewed")).to_be_visible()
    expect(table(page, "Acceptance by type").get_by_test_id("data-grid-canvas")).to_contain_text("90.0%")


def freeze(page: Page, *, standing: int) -> None:
    view(page, "Versions")
    page.get_by_text("Include them").click()
    page.get_by_role("button", name=f"Freeze {standing} cases").click()
    expect(page.get_by_text(f"{standing} test cases, frozen")).to_be_visible()


def make_variants(page: Page, standing: int) -> int:
    """Gives how many cases the new test set holds, origins and variants."""
    view(page, "Variants")
    page.get_by_role("button", name="Make variants").click()
    counts = page.get_by_text("test cases of test-set-1, version 2")
    expect(counts).to_be_visible()
    made = int(number_in(counts.inner_text(), r"and (\d+) variants"))
    cells = table_texts(page, "Family: counts")
    assert "spelling" in cells and "outside the corpus" in cells
    return standing + made


def collect(page: Page, n: int) -> None:
    go_to(page, "Collect")
    choose(page, "Test set", "test-set-1-variants")
    expect(page.get_by_text(re.compile(rf"^{n} test cases"))).to_be_visible()
    page.get_by_role("button", name=f"Collect {n} answers").click()
    expect(page.get_by_text(f"is stored: {n} of {n} answers")).to_be_visible(timeout=LONG)


def score(page: Page) -> None:
    """By the metrics that need no model, to spare time."""
    go_to(page, "Runs")
    chosen = without_models(page)
    page.get_by_role("button", name=f"Score {chosen} metrics").click()
    expect(page.get_by_role("region", name="Mean of each metric with its interval")).to_be_visible(timeout=LONG)
    wait_until_idle(page)


def without_models(page: Page) -> int:
    """Gives how many metrics are chosen then."""
    with opened(page, "metrics-score"):
        families = page.get_by_test_id("stPopoverBody").get_by_test_id("stCheckbox")
        for family in families.filter(has_not_text=OF_NONE).all():
            box = family.get_by_role("checkbox")
            if box.is_checked():
                family.click()
            expect(box).not_to_be_checked()
        quick = families.filter(has_text=OF_NONE).filter(has=page.get_by_role("checkbox", checked=True))
        return sum(int(number_in(text, r"\((\d+) metrics?\)")) for text in quick.all_inner_texts())


def check_robustness(page: Page) -> None:
    go_to(page, "Robustness")
    cells = table_texts(page, "Answers compared with those of their origins")
    assert "spelling" in cells
    assert any(re.fullmatch(r"[\d.]+% \[.*\], n = \d+", cell) for cell in cells), cells
    expect(page.get_by_text("Origin", exact=True).first).to_be_visible()


def check_coverage(page: Page) -> None:
    go_to(page, "Coverage")
    tested, of = (int(number) for number in metric_text(page, "Passages tested").replace(",", "").split(" of "))
    assert 0 < tested < of
    testable = tested / (number_in(metric_text(page, "Share of the testable"), r"([\d.]+)") / 100)
    assert tested < testable <= of
    assert drawn_passages(page) >= round(testable)
    expect(page.get_by_text("Declared and realised cases", exact=True)).to_be_visible()


def drawn_passages(page: Page) -> int:
    """The points of the map."""
    said = page.get_by_text(re.compile(r"^\d+ passages in view, each drawn$"))
    expect(said).to_be_visible()
    return int((said.text_content() or "").split()[0])


def view(page: Page, name: str) -> None:
    keyed(page, "test-set-view").get_by_text(name, exact=True).click()
    wait_until_idle(page)


def metric(page: Page, name: str) -> float:
    return number_in(metric_text(page, name), r"([\d,]+)")


def metric_text(page: Page, name: str) -> str:
    shown: Locator = page.get_by_test_id("stMetric").filter(has_text=name)
    return shown.get_by_test_id("stMetricValue").inner_text()
