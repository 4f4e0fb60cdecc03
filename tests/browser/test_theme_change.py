"""The system's colours change while a page is open: its charts are drawn in the new ones, without anybody asking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import RunningApp
from hcat.core.settings import Settings
from hcat.core.types import Label
from hcat.core.workspace import Workspace
from hcat.dashboard.charts.style import tone
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, own_page, settle, visit
from tests.pages.small_project import CRITERION, RUN, small_samples

pytestmark = pytest.mark.browser

COLOURS = "colours"
RATIOS = Path(__file__).with_name("contrast.js").read_text("utf-8")
TICK = """() => {
    const tick = document.querySelector(".st-key-curve .xtick text");
    return tick && getComputedStyle(tick).fill;
}"""


@pytest.fixture
def page(browser: Browser, app: RunningApp) -> Iterator[Page]:
    samples = small_samples()
    with Workspace.open(Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts))) as workspace:
        run = workspace.runs.add(workspace.projects.create(COLOURS), RUN, samples, source="x")
        criterion = workspace.criteria.add(COLOURS, CRITERION)
        workspace.scoring.score(run, "token_f1")
        levels = [place % 3 % 2 for place in range(len(samples))]
        labels = [
            Label(sample.id, criterion.name, level, annotator="ann")
            for sample, level in zip(samples, levels, strict=True)
        ]
        workspace.labels.add(run, criterion, labels)
    with own_page(browser, 1440, 1000, scheme="light", patience=PATIENCE) as opened:
        yield opened


def test_a_chart_takes_the_colours_that_the_system_changes_to(page: Page, app: RunningApp) -> None:
    visit(page, app.url, "calibration", project=COLOURS)
    expect(page.locator(".st-key-curve .xtick").first).to_be_attached()
    settle(page)
    assert becomes(page, lambda: page.evaluate(TICK) == _rgb(tone(False).quiet))
    schemes: tuple[Literal["light", "dark"], ...] = ("dark", "light")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        assert becomes(page, lambda: page.evaluate(TICK) == _rgb(tone(scheme == "dark").quiet)), scheme  # noqa: B023
        assert becomes(page, lambda: not pale(page)), pale(page)


def pale(page: Page) -> list[str]:
    """The texts of charts that do not stand out."""
    return [text["text"] for text in page.evaluate(RATIOS) if text["kind"] == "chart" and text["ratio"] < 4.5]


def _rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))})"
