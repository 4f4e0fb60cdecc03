"""From the weaknesses to samples, labels, a finding and the report: in how many clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RunningApp
from tests.browser.steps import click_point, table, traces, visit, wait_until_idle

pytestmark = pytest.mark.browser


class Clicks:
    """Presses of the mouse, counted."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, press: Callable[[], None]) -> None:
        self.made += 1
        press()


def open_cell(page: Page, url: str) -> Clicks:
    """The Weaknesses page as it opens, and a click on the first cell that holds samples."""
    visit(page, url, "weaknesses")
    trace = next(trace for trace in reversed(traces(page, "heatmap-")) if trace.get("customdata"))
    clicks = Clicks()
    clicks(lambda: click_point(page, "heatmap-", trace["x"][0], trace["y"][0]))
    expect(page.get_by_role("button", name="Open all on the Samples page")).to_be_visible()
    wait_until_idle(page)
    return clicks


def test_samples_of_a_cell_and_what_people_say_of_it(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url, "weaknesses")
    expect(page.get_by_role("combobox", name="Metric", exact=True)).to_have_value("Pass rate by labels: correctness")
    clicks = open_cell(page, demo.url)
    table(page, "Samples with their scores, worst first")
    clicks(page.get_by_role("button", name="Open all on the Samples page").click)
    expect(page.get_by_role("heading", level=1, name="Samples")).to_be_visible()
    assert clicks.made <= 2


def test_a_cell_is_labelled(page: Page, demo: RunningApp) -> None:
    clicks = open_cell(page, demo.url)
    clicks(page.get_by_role("button", name="Label these").click)
    clicks(page.get_by_role("button", name="Plan and label").click)
    expect(page.get_by_text("Labelling", exact=True).nth(1)).to_be_visible()
    expect(page.get_by_role("textbox", name="Annotator")).to_be_visible()
    assert clicks.made <= 3


def test_a_cell_becomes_a_finding(page: Page, demo: RunningApp) -> None:
    clicks = open_cell(page, demo.url)
    clicks(page.get_by_text("Confirm as a finding").click)
    page.get_by_role("textbox", name="Confirmed by").fill("Val Idator")
    clicks(page.get_by_role("button", name="Confirm", exact=True).click)
    expect(page.get_by_text("It is now on the Findings page")).to_be_visible()
    assert clicks.made <= 3


def test_a_report_is_downloaded(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url)
    clicks = Clicks()
    clicks(page.get_by_test_id("stSidebarNav").get_by_role("link", name="Report", exact=True).click)
    clicks(page.get_by_role("button", name="Build the report").click)
    expect(page.get_by_role("button", name="Download HTML")).to_be_visible(timeout=240_000)
    with page.expect_download() as waiting:
        clicks(page.get_by_role("button", name="Download HTML").click)
    assert "Validation report" in waiting.value.path().read_text("utf-8")
    assert clicks.made <= 3
