"""The demo as a validator explores it, and how its pages look and react."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as NotInTime

from hcat.core.figures.point_map.selection import OrderedPoints
from hcat.dashboard.navigation import PAGES
from tests.browser.conftest import PATIENCE, RunningApp, Watched
from tests.browser.maps import drawn_map
from tests.browser.steps import (
    becomes,
    choose,
    click_point,
    go_to,
    number_in,
    traces,
    visit,
    wait_until_idle,
)
from tests.browser.store import rows
from tests.grids import each_value_once

pytestmark = pytest.mark.browser


def test_a_lasso_opens_the_samples_in_it(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url, "topics")
    run = int(rows(demo.database, "SELECT min(run_id) FROM topics WHERE source = 'query'")[0][0])
    drawn = drawn_map(page, demo.database, demo.artifacts, run=run)
    width, height = drawn.frame.evaluate("frame => [frame.clientWidth, frame.clientHeight]")
    corners = np.array(
        [[4, 4], [width // 2, 4], [width // 2, height // 2], [width // 2 - 60, height - 4], [4, height - 4]]
    )
    page.mouse.move(*drawn.on_page(corners[0]))
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*drawn.on_page(corner))
    page.mouse.up()
    polygon = [(float(x), float(y)) for x, y in drawn.at_pixels(corners)]
    inside = len(OrderedPoints.of(drawn.coordinates).in_polygon(polygon))
    assert 0 < inside < len(drawn.coordinates)
    told = page.get_by_text(re.compile(r"^\d+ samples? selected"))
    expect(told).to_be_visible()
    selected = int(number_in(told.inner_text(), r"(\d+) samples"))
    assert selected == inside
    page.get_by_role("button", name="Open the selected samples").click()
    expect(page.get_by_role("heading", level=1, name="Samples")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text(f"{selected} samples", exact=True)).to_be_visible()
    page.reload()
    wait_until_idle(page)
    expect(page.get_by_text(f"{selected} samples", exact=True)).to_be_visible()


def test_from_a_violin_to_a_finding_in_the_report(page: Page, demo: RunningApp, tmp_path: Path) -> None:
    visit(page, demo.url, "weaknesses", view="Marginal", metric="answer_f1")
    choose(page, "Dimension", "query_type")
    means = traces(page, "violin-")[-1]
    worst = means["x"].index(min(means["x"]))
    level = means["customdata"][worst][0]
    click_point(page, "violin-", means["x"][worst], means["y"][worst])
    heading = page.get_by_role("heading", level=3, name=f"query_type = {level}")
    expect(heading).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Confirm as a finding").click()
    page.get_by_role("textbox", name="Title").fill("Weak where it matters (test)")
    page.get_by_role("textbox", name="Confirmed by").fill("Val Idator")
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_text("It is now on the Findings page")).to_be_visible()
    stored = rows(
        demo.database,
        "SELECT author, severity, json_extract(slice, '$.level_1') FROM finding "
        "WHERE title = 'Weak where it matters (test)'",
    )
    assert stored == [("Val Idator", "medium", level)]
    go_to(page, "Report")
    page.get_by_role("button", name="Build the report").click()
    expect(page.get_by_role("button", name="Download HTML")).to_be_visible(timeout=120_000)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download HTML").click()
    path = tmp_path / "report.html"
    waiting.value.save_as(path)
    report = path.read_text("utf-8")
    assert "Weak where it matters (test)" in report
    assert "Val Idator" in report


def test_a_point_of_a_violin_opens_its_sample(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url, "weaknesses", view="Marginal", metric="answer_f1")
    choose(page, "Dimension", "query_type")
    cloud = next(trace for trace in traces(page, "violin-") if trace["type"] == "scatter")
    lowest = cloud["x"].index(min(cloud["x"]))
    _, sample_id = cloud["customdata"][lowest]
    click_point(page, "violin-", cloud["x"][lowest], cloud["y"][lowest])
    expect(page.get_by_role("heading", level=1, name="Samples")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"\d+ of \d+ · {re.escape(sample_id)}"))).to_be_visible()


def test_alpha_moves_the_regions(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url, "calibration")
    caption = page.get_by_test_id("stCaptionContainer").filter(has_text="at α =")
    drawn = traces(page, "curve")
    slider = page.get_by_role("slider").first  # the second one replays the labels
    while float(slider.input_value()) < 0.2:
        slider.press("ArrowRight")
    expect(caption).to_contain_text("at α = 0.2")
    wait_until_idle(page)
    assert becomes(page, lambda: traces(page, "curve") != drawn)


def test_the_reference_rule_is_not_taken_for_a_person(page: Page, demo: RunningApp) -> None:
    visit(page, demo.url, "calibration")
    expect(page.get_by_text(re.compile(r"0 by people, \d+ by the reference rule"))).to_be_visible()
    expect(page.get_by_text("The reference rule is not a person")).to_be_visible()


@pytest.mark.parametrize(("theme", "way"), each_value_once(["light", "dark"], ["by address", "by the menu"]))
def test_no_page_overflows_or_complains(
    browser: Browser, demo: RunningApp, theme: str, way: str, watched: Watched
) -> None:
    """Of all pages, each opened this way, at two widths."""
    context = browser.new_context(color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    watched.follow(page, demo.url)
    wide: list[str] = []
    for entry in PAGES:
        if way == "by address" or entry == PAGES[0]:
            visit(page, demo.url, "" if entry.name == "overview" else entry.name)
        else:
            go_to(page, entry.title)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("alert").filter(has_text="encountered an error")).to_have_count(0)
        for width in (1440, 1024):
            page.set_viewport_size(ViewportSize(width=width, height=900))
            wait_until_idle(page)
            wide += [f"{entry.name} at {width}: {part}" for part in cut_off(page)]
        assert becomes(page, lambda: is_dark(page) == (theme == "dark")), entry.name
    assert wide == []
    assert watched.errors == []
    assert watched.foreign == []
    context.close()


def is_dark(page: Page) -> bool:
    background = page.get_by_test_id("stApp").evaluate("node => getComputedStyle(node).backgroundColor")
    return sum(int(part) for part in re.findall(r"\d+", background)[:3]) < 200


CUT_OFF = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    const name = node => [...node.classList].find(name => name.startsWith('st-key-')) || node.innerText.slice(0, 60);
    const out = [...main.querySelectorAll('[data-testid="stElementContainer"]')]
        .filter(node => node.getBoundingClientRect().right > window.innerWidth + 1)
        .map(name);
    if (document.documentElement.scrollWidth > window.innerWidth) out.push('the document scrolls');
    if (main.scrollWidth > main.clientWidth) out.push('the main column scrolls');
    return out;
}"""


def cut_off(page: Page) -> list[str]:
    """What stands out of the window or makes it scroll sideways, once tables and charts have taken the new width."""
    with contextlib.suppress(NotInTime):
        page.wait_for_function(f"() => ({CUT_OFF})().length === 0", timeout=5_000)
    found = page.evaluate(CUT_OFF)
    assert isinstance(found, list)
    return found
