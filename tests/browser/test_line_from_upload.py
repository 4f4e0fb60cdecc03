"""The whole line on a run of one's own: upload, score, heatmap cell, sample, labels by keys, curve, report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hcat.core.importers import write_run
from hcat.core.statistics.partition import SPLITS, assign_split
from hcat.core.types import Sample
from tests.browser.conftest import RunningApp, Watched
from tests.browser.steps import (
    becomes,
    blur,
    choose,
    click_point,
    create_project,
    go_to,
    number_in,
    opened,
    press,
    settle,
    table_texts,
    traces,
    upload,
    visit,
    wait_until_idle,
)
from tests.browser.store import rows
from tests.pages.small_project import label_level, small_samples

pytestmark = pytest.mark.browser

PROJECT, RUN, ANNOTATOR = "Line A assistant", "own-system", "nora"
COLUMNS = {"Groundedness": "groundedness", "Context relevancy": "context_relevancy"}
SAMPLES = {sample.query: sample for sample in small_samples()}
LABELLED = """
    SELECT label.sample_id, label.level, label.annotator, label.probability, label.guideline_version, label.queue
    FROM label JOIN run ON run.id = label.run_id
    WHERE run.name = ? AND label.kind = 'label' AND label.id NOT IN
        (SELECT supersedes FROM label WHERE supersedes IS NOT NULL)
    ORDER BY label.id
"""


def test_upload_score_heatmap_sample_label_curve_report(
    page: Page, app: RunningApp, browser: Browser, tmp_path: Path, watched: Watched
) -> None:
    watched.follow(page, app.url)
    visit(page, app.url, "runs")
    create_project(page, PROJECT)
    means = import_and_score(page)
    open_a_weak_cell(page)
    look_at_the_sample(page)
    label_until_the_curve_moves(page, app)
    calibrated = keep_the_calibration(page, app)
    rate = pass_rate(page)
    report = download_report(page, tmp_path)
    check_offline(browser, report, means=means, calibrated=calibrated, rate=rate)
    assert watched.errors == []
    assert watched.foreign == []


def import_and_score(page: Page) -> dict[str, str]:
    """Gives two metrics' means with interval and n by column, as the page shows them."""
    upload(page, f"{RUN}.jsonl", write_run(SAMPLES.values()).encode())
    expect(page.get_by_test_id("stMetric").filter(has_text="Usable samples")).to_contain_text("44")
    assert "What does the current account cost a business customer each month?" in table_texts(
        page, "The first samples of the file"
    )
    page.get_by_role("button", name="Import 44 samples").click()
    expect(page.get_by_text(re.compile("^Scoring"))).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()
    summary = "Mean of each metric with its interval"
    expect(page.get_by_role("region", name=summary)).to_be_visible(timeout=120_000)
    wait_until_idle(page)
    cells = table_texts(page, summary)
    means = {title: cells[cells.index(title) + 1] for title in COLUMNS}
    assert all(re.fullmatch(r"0\.\d+ \[0\.\d+, 0\.\d+\], n = 44", mean) for mean in means.values()), means
    return means


def open_a_weak_cell(page: Page) -> None:
    go_to(page, "Weaknesses")
    choose(page, "Metric", "Answer F1")
    choose(page, "Rows", "kind")
    choose(page, "Columns", "customer")
    cell = ["amount", "business"]
    assert becomes(page, lambda: cell in traces(page, "heatmap")[-1]["customdata"])
    points = traces(page, "heatmap")[-1]
    place = points["customdata"].index(cell)
    click_point(page, "heatmap", points["x"][place], points["y"][place])
    expect(page.get_by_role("heading", name="kind = amount, customer = business")).to_be_visible()
    expect(page.get_by_text("n = 11").last).to_be_visible()
    cells = table_texts(page, "Samples with their scores, worst first")
    shown = [text for text in cells if text.startswith("What does the")]
    assert len(shown) >= 5
    assert all("business customer" in query for query in shown)
    page.get_by_role("button", name="Open all on the Samples page").click()


def look_at_the_sample(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Samples")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("11 samples", exact=True)).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("2 of 11")).to_be_visible()
    settle(page)
    sample = shown_sample(page)
    assert sample.dimensions == {"kind": "amount", "customer": "business"}
    for passage in sample.contexts:
        expect(page.locator(".panel.contexts")).to_contain_text(passage.text)
    expect(page.locator(".panel.answer")).to_contain_text(str(sample.answer))
    sentence = page.locator(".panel.answer .sentence").first
    colour = "node => getComputedStyle(node).backgroundColor"
    assert becomes(page, lambda: sentence.evaluate(colour) != "rgba(0, 0, 0, 0)")
    sentence.hover()
    expect(page.locator(".sentence.lit").first).to_be_visible()


def shown_sample(page: Page) -> Sample:
    """The sample whose query is on the page."""
    expect(page.locator(".panel.query .text")).not_to_have_count(0)
    return SAMPLES[page.locator(".panel.query .text").first.inner_text().strip()]


def label_until_the_curve_moves(page: Page, app: RunningApp) -> None:
    go_to(page, "Labelling")
    page.get_by_role("textbox", name="Annotator").fill(ANNOTATOR)
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 labelled, 0 skipped, 44 to go")).to_be_visible()
    blur(page)
    page.evaluate("window.untouched = 'since the first label'")
    expected = [label_shown(page, app, done=0)]
    expect(page.get_by_text("more labels (fitting")).to_be_visible()
    skip_and_undo(page)
    switch_the_live_calibration(page)
    expect(page.get_by_text("more labels (fitting")).to_have_count(0)
    blur(page)
    while len(expected) < 30:
        expected.append(label_shown(page, app, done=len(expected)))
    switch_the_live_calibration(page)
    blur(page)
    caption = split_caption(page)
    expect(caption).to_be_visible()
    wait_until_idle(page)
    while True:
        before, text = curve(page), caption.inner_text()
        fits = assign_split(shown_sample(page).id) == "fit"
        expected.append(label_shown(page, app, done=len(expected)))
        expect(caption).not_to_have_text(text)
        wait_until_idle(page)
        assert becomes(page, lambda: n_points(curve(page)) == len(expected))
        assert n_points(before) == len(expected) - 1
        if fits:
            break
    assert becomes(page, lambda: line(curve(page)) != line(before))
    assert page.evaluate("window.untouched") == "since the first label"
    stored = rows(app.database, LABELLED, (RUN,))
    assert [(sample_id, level) for sample_id, level, *_ in stored] == expected
    # All 44 samples are in the queue, so each was drawn with probability 44 / 44.
    assert {tuple(row[2:]) for row in stored} == {(ANNOTATOR, 1.0, 1, "random")}


def switch_the_live_calibration(page: Page) -> None:
    with opened(page, "desk-more"):
        page.get_by_test_id("stCheckbox").filter(has_text="Show the calibration, live").click()


def label_shown(page: Page, app: RunningApp, *, done: int) -> tuple[str, int]:
    """Label the shown sample by its key; it is stored by the time that the next one is shown."""
    sample = shown_sample(page)
    level = label_level(sample)
    press(page, str(level + 1))
    expect(page.get_by_text(f"{done + 1} labelled", exact=False)).to_be_visible()
    stored = rows(app.database, LABELLED, (RUN,))
    assert len(stored) == done + 1
    assert stored[-1][:2] == (sample.id, level)
    expect(page.locator(".panel.query .text").first).not_to_have_text(sample.query)
    return sample.id, level


def skip_and_undo(page: Page) -> None:
    skipped = shown_sample(page)
    press(page, "s")
    expect(page.get_by_text("Skip: why?")).to_be_visible()
    press(page, "1")
    expect(page.get_by_text("1 labelled, 1 skipped, 42 to go")).to_be_visible()
    expect(page.locator(".panel.query .text").first).not_to_have_text(skipped.query)
    press(page, "u")
    expect(page.get_by_text("1 labelled, 0 skipped, 43 to go")).to_be_visible()
    expect(page.locator(".panel.query .text").first).to_have_text(skipped.query)


def curve(page: Page) -> list[dict[str, Any]]:
    return traces(page, "curve")


def n_points(shown: list[dict[str, Any]]) -> int:
    return sum(len(trace["x"]) for trace in shown if trace["name"] in SPLITS)


def line(shown: list[dict[str, Any]]) -> list[object]:
    """Where the fitted curve runs."""
    return [trace["y"] for trace in shown if trace.get("mode") == "lines"]


def split_caption(page: Page) -> Locator:
    return page.get_by_test_id("stCaptionContainer").filter(has_text="of these samples are used")


def keep_the_calibration(page: Page, app: RunningApp) -> dict[str, float]:
    """Gives the numbers that the page states, by their name in the report."""
    kept = "SELECT count(*) FROM calibration JOIN run ON run.id = calibration.run_id WHERE run.name = ?"
    assert rows(app.database, kept, (RUN,)) == [(0,)]
    page.get_by_role("button", name="Use this calibration").click()
    page.get_by_role("textbox", name="Reason for using it").fill("Only to follow the line.")
    page.get_by_role("button", name="Save this calibration").click()
    expect(page.get_by_text(re.compile("^Saved. Overview"))).to_be_visible()
    assert rows(app.database, kept, (RUN,)) == [(1,)]
    text = split_caption(page).inner_text()
    return {
        "Labels that make curve and sets": number_in(text, r"(\d+) of these samples are used"),
        "α, permitted error rate": number_in(text, r"α = (\d+\.\d+)"),
    }


def pass_rate(page: Page) -> str:
    """The pass rate with interval and n, as the overview states it."""
    go_to(page, "Overview", heading=PROJECT)
    row = page.get_by_role("row").filter(has_text="Pass rate on correctness")
    return row.get_by_role("cell").filter(has_text="n = ").first.inner_text()


def download_report(page: Page, folder: Path) -> Path:
    go_to(page, "Report")
    page.get_by_role("textbox", name="Author").fill("Nora N.")
    page.get_by_role("button", name="Build the report").click()
    expect(page.get_by_role("button", name="Download HTML")).to_be_visible(timeout=120_000)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download HTML").click()
    path = folder / "report.html"
    waiting.value.save_as(path)
    return path


def check_offline(
    browser: Browser, report: Path, *, means: dict[str, str], calibrated: dict[str, float], rate: str
) -> None:
    """It opens from the disk without any network, and its numbers are those of the screen."""
    context = browser.new_context(offline=True)
    asked: list[str] = []
    problems: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=1)).to_contain_text(PROJECT)
    expect(page.get_by_text("Nora N.").first).to_be_visible()
    for column, estimate in means.items():  # "0.80 [0.74, 0.87], n = 44" there, in a column each here
        rows = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=column, exact=True)).all()
        assert re.findall(r"[\d.]+", estimate) in [re.findall(r"[\d.]+", row.inner_text())[:4] for row in rows]
    for name, number in calibrated.items():
        value = page.locator("dl > div").filter(has=page.get_by_text(name, exact=True)).locator("data").first
        assert float(str(value.get_attribute("value"))) == pytest.approx(number, abs=0.0005), name
    expect(page.get_by_text(rate).first).to_be_visible()
    assert asked == [report.as_uri()]
    assert problems == []
    context.close()
