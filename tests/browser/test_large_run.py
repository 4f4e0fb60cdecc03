"""Pages over a run of many samples: they open, they do what they are for, and no more rows are sent than are shown.

50,000 samples, which all that is made for large runs goes by; HCAT_SAMPLES=1000000 for a million. Times and memory are
printed, not tested.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Page, WebSocket, expect

from benchmarks.made_run import ITEMS, calibrated_project, made_columns, made_project
from benchmarks.served import RunningApp, running
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.slices.keys import pass_rate_key
from hcat.dashboard.components.sample_table import MOST_ROWS
from tests.browser.maps import painted
from tests.browser.steps import (
    becomes,
    chart,
    choose,
    click_point,
    go_to,
    number_in,
    settle,
    table,
    table_texts,
    traces,
    visit,
    wait_until_idle,
)
from tests.browser.store import rows

pytestmark = pytest.mark.browser

SAMPLES = int(os.environ.get("HCAT_SAMPLES", "50000"))
VIEWS, WARM_VIEWS, PRESSED = (3, 40, 10) if "HCAT_SAMPLES" in os.environ else (2, 2, 4)
"""How often a page and a heatmap are opened and a key is pressed: more often where times are measured."""
PATIENCE = 300_000
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
MOST_MEGABYTES = 8.0
BY_SCORE = {"metric": "answer_f1"}
PAGES: dict[str, tuple[str, dict[str, str], str, str | None]] = {
    "Overview": ("", {}, "Weakest slices", None),
    "Heatmap": ("weaknesses", BY_SCORE, "Click a cell to see its samples.", "heatmap-"),
    "Ranked list": (
        "weaknesses",
        BY_SCORE | {"view": "Ranked list"},
        "Select a row to see the samples of its slice.",
        None,
    ),
    "Marginal": ("weaknesses", BY_SCORE | {"view": "Marginal"}, "250 points are drawn", "violin-"),
    "All metrics": ("weaknesses", {"view": "All metrics"}, "Click a cell to see the samples of its level.", "heatmap-"),
    "Samples": ("samples", BY_SCORE, f"{SAMPLES:,} samples", None),
    "Labelling": ("labelling", {}, "Enter your name or a pseudonym to begin.", None),
}
"""The page's name in the address, what is asked of it, what it then says, and the key of its chart."""
NUMBERS = """() => {
    const texts = [...document.querySelectorAll('[class*="st-key-heatmap-"] .textpoint text')];
    const boxes = texts.map(text => text.getBoundingClientRect()).filter(box => box.width > 0);
    const touch = (one, other) => Math.abs(one.y - other.y) < 2 && one.x < other.x && one.right >= other.x;
    const n = texts.filter(text => text.childNodes.length > 1 && getComputedStyle(text.lastChild).display !== "none");
    return [boxes.length, boxes.length && n.length, boxes.filter(box => boxes.some(other => touch(box, other))).length];
}"""
"""Of the heatmap: how many cells show numbers, how many show n, and how many texts touch a neighbour's."""
ANSWERED = "texts => document.querySelectorAll('.textpoint text').length >= texts"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    folder = tmp_path_factory.mktemp("large")
    begun = time.monotonic()
    made_project(folder, SAMPLES)
    print(f"\n{SAMPLES:,} samples made in {time.monotonic() - begun:.1f} s")
    yield from _served(folder)


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    folder = tmp_path_factory.mktemp("calibrated")
    calibrated_project(folder, SAMPLES)
    yield from _served(folder)


def _served(folder: Path) -> Iterator[RunningApp]:
    with running("serve", folder) as started:
        started.wait_until_healthy(seconds=180)
        yield started
        print(f"\npeak memory of the server: {peak_memory(started):.2f} GB; load {os.getloadavg()[0]:.1f}")


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(PATIENCE)
    return page


def peak_memory(app: RunningApp) -> float:
    """In GB, since the server's start."""
    status = Path(f"/proc/{app.process.pid}/status").read_text()
    return number_in(status, r"VmHWM:\s+(\d+) kB") / 1e6


class Traffic:
    """What goes over the page's socket: bytes from the server, and when it said something last."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        self.asked = self.answered = time.monotonic()
        page.on("websocket", self._follow)

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda _: self._ask())
        socket.on("framereceived", lambda frame: self._answer(len(frame)))

    def _ask(self) -> None:
        if self.asked <= self.answered:
            self.asked = time.monotonic()

    def _answer(self, length: int) -> None:
        self.bytes += length
        self.answered = time.monotonic()


def test_pages_of_a_large_run(large: RunningApp, page: Page) -> None:
    traffic = Traffic(page)
    for title, (name, query, sign, key) in PAGES.items():
        traffic.bytes, seconds = 0, []
        for _ in range(VIEWS):
            begun = time.monotonic()
            visit(page, large.url, name, **query)
            expect(page.get_by_text(sign).first).to_be_visible(timeout=PATIENCE)
            expect(page.get_by_test_id("stMain").get_by_test_id("stSkeleton")).to_have_count(0)
            if key is not None:
                chart(page, key)
            seconds.append(time.monotonic() - begun)
        megabytes = traffic.bytes / VIEWS / 1e6
        print(f"{title}: first {seconds[0]:.2f} s, then {min(seconds[1:]):.2f} s; {megabytes:.2f} MB a view")
        if folder := os.environ.get("HCAT_PICTURES"):
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                visit(page, large.url, name, **query)
                settle(page)
                page.screenshot(path=f"{folder}/{title}-{scheme}.png", full_page=True)
        assert megabytes < MOST_MEGABYTES


def test_the_heatmap_is_opened_again_and_again(large: RunningApp, page: Page) -> None:
    traffic = Traffic(page)
    visit(page, large.url, "weaknesses", **BY_SCORE)
    chart(page, "heatmap-")
    cells = page.locator(".textpoint text").count()
    assert cells == 400
    served, drawn = [], []
    for _ in range(WARM_VIEWS):
        go_to(page, "Glossary")
        expect(page.locator(".textpoint text")).to_have_count(0)
        begun = traffic.asked = traffic.answered = time.monotonic()
        page.get_by_test_id("stSidebarNav").get_by_role("link", name="Weaknesses", exact=True).click()
        page.wait_for_function(ANSWERED, arg=cells)
        drawn.append(time.monotonic() - begun)
        wait_until_idle(page)
        served.append(traffic.answered - traffic.asked)
    for what, seconds in (("the server's answer", served), ("until cells are drawn", drawn)):
        middle, p95 = np.quantile(seconds, (0.5, 0.95))
        slowest = ", ".join(f"{value:.2f}" for value in sorted(seconds)[-4:])
        print(f"\nheatmap again, {what}: median {middle:.2f} s, 95th percentile {p95:.2f} s of {WARM_VIEWS}", end="")
        print(f" (slowest {slowest})", end="")
    print(f"; load {os.getloadavg()[0]:.1f}")


@pytest.mark.parametrize("width", [1440, pytest.param(1024, marks=pytest.mark.slow), 700])
def test_numbers_of_a_large_heatmap_do_not_touch(large: RunningApp, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1000})
    visit(page, large.url, "weaknesses", **BY_SCORE)
    chart(page, "heatmap-")
    shown, with_n, touching = page.evaluate(NUMBERS)
    print(f"\n{width} pixels: numbers in {shown} cells, n in {with_n}", end="")
    assert touching == 0
    assert {shown, with_n} <= {0, 400}
    expect(page.get_by_text("The cells are too narrow for n here")).to_be_visible(visible=with_n == 0 < shown)
    expect(page.get_by_text("The cells are too narrow for numbers here")).to_be_visible(visible=shown == 0)
    assert with_n == 400 or width < 1440


def test_a_cell_of_a_large_run_opens_its_samples(large: RunningApp, page: Page) -> None:
    visit(page, large.url, "weaknesses", **BY_SCORE)
    trace = next(trace for trace in reversed(traces(page, "heatmap-")) if trace.get("customdata"))
    for place in range(2):
        begun = time.monotonic()
        click_point(page, "heatmap-", trace["x"][place], trace["y"][place])
        first, second = trace["customdata"][place]
        expect(page.get_by_role("heading", name=f"d00 = {first}, d01 = {second}")).to_be_visible()
        table(page, "Samples with their scores, worst first")
        expect(page.get_by_role("button", name="Open all on the Samples page")).to_be_visible()
        print(f"\ncell: {time.monotonic() - begun:.2f} s", end="")


def test_a_long_list_is_shown_in_parts(large: RunningApp, page: Page) -> None:
    visit(page, large.url, "samples", **BY_SCORE)
    part = page.get_by_role("spinbutton", name=f"Part of the list, 1 to {-(-SAMPLES // MOST_ROWS):,}", exact=True)
    part.fill("2")
    part.press("Enter")
    table(page, LISTED)
    expect(part).to_have_value("2")


LISTED = "Samples with their scores and labels, in the order chosen above"


def test_samples_of_a_large_run_are_scrolled_sorted_searched_and_filtered(large: RunningApp, page: Page) -> None:
    traffic = Traffic(page)
    visit(page, large.url, "samples", **BY_SCORE)
    worst = next(text for text in table_texts(page, LISTED) if re.fullmatch(r"s\d{7}", text))
    before = traffic.bytes
    table(page, LISTED).hover()
    page.mouse.wheel(0, 5_000)
    expect(table(page, LISTED)).not_to_contain_text(worst)
    assert traffic.bytes == before  # the part is in the browser, no row is asked for

    begun = time.monotonic()
    choose(page, "Sort by", "Score, best first")
    assert becomes(page, lambda: "1" in table_texts(page, LISTED)[:12])
    print(f"\nsorted: {time.monotonic() - begun:.2f} s", end="")

    begun = time.monotonic()
    search = page.get_by_role("searchbox", name="Search in texts")
    search.fill(f"item {ITEMS - 1}?")
    search.press("Enter")
    expect(page.get_by_text(f"{SAMPLES // ITEMS:,} samples", exact=True)).to_be_visible()
    wait_until_idle(page)
    print(f"; searched: {time.monotonic() - begun:.2f} s", end="")
    page.get_by_role("button", name="Show all samples").click()
    expect(page.get_by_text(f"{SAMPLES:,} samples", exact=True)).to_be_visible()
    wait_until_idle(page)

    begun = time.monotonic()
    box = page.get_by_role("combobox", name="Dimension", exact=True)
    box.click()
    box.fill("d00 = level 03")
    page.get_by_role("option", name="d00 = level 03", exact=True).click()
    there = int((made_columns(SAMPLES).dimensions[0] == 3).sum())
    expect(page.get_by_text(f"{there:,} samples", exact=True)).to_be_visible()
    wait_until_idle(page)
    print(f"; filtered: {time.monotonic() - begun:.2f} s")


def test_labels_of_a_large_run_reach_its_heatmap(large: RunningApp, page: Page) -> None:
    before = _labels_in_heatmap(page, large)
    assert [(before,)] == rows(large.database, "SELECT count(DISTINCT sample_id) FROM label")
    visit(page, large.url, "labelling")
    page.get_by_role("textbox", name="Annotator").fill("B. Person")
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 labelled, 0 skipped")).to_be_visible()
    settle(page)
    seconds = []
    for done in range(1, PRESSED + 1):
        begun = time.monotonic()
        page.keyboard.press("1" if done % 2 else "2")
        expect(page.get_by_text(re.compile(rf"^{done} labelled, 0 skipped"))).to_be_visible()
        seconds.append(time.monotonic() - begun)
        settle(page)
    print(
        f"\nkey to the next card: median {np.median(seconds):.2f} s, slowest {max(seconds):.2f} s of {PRESSED}", end=""
    )
    begun = time.monotonic()
    after = _labels_in_heatmap(page, large)
    print(f"; the heatmap with these labels: {time.monotonic() - begun:.2f} s; load {os.getloadavg()[0]:.1f}")
    assert before < after <= before + PRESSED


def _labels_in_heatmap(page: Page, app: RunningApp) -> int:
    """The labelled samples that the heatmap of pass rates counts in its cells."""
    visit(page, app.url, "weaknesses", metric=pass_rate_key("correctness"))
    trace = next(trace for trace in traces(page, "heatmap-") if trace.get("mode") == "text")
    return sum(int(number_in(text, r"n=([\d,]+)$")) for text in trace["text"])


def test_a_large_map_is_coloured_by_metric_and_by_probability(calibrated: RunningApp, page: Page) -> None:
    for colour in ("answer_f1", CALIBRATED):
        begun = time.monotonic()
        visit(page, calibrated.url, "topics", colour=colour)
        root = painted(page)
        expect(root.get_by_role("status")).to_contain_text(f"{SAMPLES:,} samples in view")
        expect(root.get_by_text("scored within about 35 pixels: no mean is shown")).to_be_visible()
        paint = float(root.get_attribute("data-milliseconds") or "nan") / 1000
        print(f"\nmap by {colour}: {time.monotonic() - begun:.2f} s, of which asking to painted {paint:.2f} s", end="")


def test_estimates_of_a_large_run_open(calibrated: RunningApp, page: Page) -> None:
    traffic, seconds = Traffic(page), []
    for _ in range(VIEWS):
        begun = time.monotonic()
        visit(page, calibrated.url, "estimates")
        expect(page.get_by_text("What the labels add")).to_be_visible()
        seconds.append(time.monotonic() - begun)
    megabytes = traffic.bytes / VIEWS / 1e6
    print(f"\nEstimates: first {seconds[0]:.2f} s, then {min(seconds[1:]):.2f} s; {megabytes:.2f} MB a view")
    assert megabytes < MOST_MEGABYTES
