"""Pages over a run of many samples: they open, a cell can be chosen, and no more rows are sent than are shown.

50,000 samples, which all that is made for large runs goes by; HCAT_SAMPLES=1000000 for a million. Times are printed,
not tested.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from benchmarks.made_run import made_project
from benchmarks.served import RunningApp, running
from dashboard.components.sample_table import MOST_ROWS
from tests.browser.steps import click_point, table, traces, visit

pytestmark = pytest.mark.browser

SAMPLES = int(os.environ.get("HCAT_SAMPLES", "50000"))
VIEWS = 3
MOST_MEGABYTES = 8.0
BY_SCORE = {"metric": "answer_f1"}
PAGES: dict[str, tuple[str, dict[str, str], str]] = {
    "Overview": ("", {}, "Weakest slices"),
    "Heatmap": ("weaknesses", BY_SCORE, "Click a cell to see its samples."),
    "Ranked list": ("weaknesses", BY_SCORE | {"view": "Ranked list"}, "Select a row to see the samples of its slice."),
    "Marginal": ("weaknesses", BY_SCORE | {"view": "Marginal"}, "Click a diamond"),
    "Samples": ("samples", BY_SCORE, f"{SAMPLES:,} samples"),
    "Labelling": ("labelling", {}, "Enter your name or a pseudonym to begin."),
}
"""The page's name in the address, what is asked of it, and what it then says."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    folder = tmp_path_factory.mktemp("large")
    begun = time.monotonic()
    made_project(folder, SAMPLES)
    print(f"\n{SAMPLES:,} samples made in {time.monotonic() - begun:.1f} s")
    with running("serve", folder) as started:
        started.wait_until_healthy(seconds=180)
        yield started


def test_pages_of_a_large_run(large: RunningApp, page: Page) -> None:
    page.set_default_timeout(300_000)
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    for title, (name, query, sign) in PAGES.items():
        sent.clear()
        seconds = []
        for _ in range(VIEWS):
            begun = time.monotonic()
            visit(page, large.url, name, **query)
            expect(page.get_by_text(sign).first).to_be_visible(timeout=300_000)
            seconds.append(time.monotonic() - begun)
        megabytes = sum(sent) / VIEWS / 1e6
        print(f"{title}: first {seconds[0]:.2f} s, then {min(seconds[1:]):.2f} s; {megabytes:.2f} MB a view")
        if folder := os.environ.get("HCAT_PICTURES"):
            page.screenshot(path=f"{folder}/{title}.png", full_page=True)
        assert megabytes < MOST_MEGABYTES


def test_a_cell_of_a_large_run_opens_its_samples(large: RunningApp, page: Page) -> None:
    page.set_default_timeout(300_000)
    visit(page, large.url, "weaknesses", **BY_SCORE)
    trace = next(trace for trace in reversed(traces(page, "heatmap-")) if trace.get("customdata"))
    begun = time.monotonic()
    click_point(page, "heatmap-", trace["x"][0], trace["y"][0])
    expect(page.get_by_role("button", name="Open all on the Samples page")).to_be_visible()
    table(page, "Samples with their scores, worst first")
    print(f"\ncell: {time.monotonic() - begun:.2f} s")


def test_a_long_list_is_shown_in_parts(large: RunningApp, page: Page) -> None:
    page.set_default_timeout(300_000)
    visit(page, large.url, "samples", **BY_SCORE)
    part = page.get_by_role("spinbutton", name=f"Part of the list, 1 to {-(-SAMPLES // MOST_ROWS):,}", exact=True)
    part.fill("2")
    part.press("Enter")
    table(page, "Samples with their scores and labels, in the order chosen above")
    expect(part).to_have_value("2")
