"""A reviewer's walk on public answers that people judged: wide and narrow, light and dark, nothing is cut on any page.

From the overview to a cell and its samples, then by way of labels, calibration and findings to the report. Names are as
long as people make them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks.served import RunningApp
from hcat.core.importers import read_run
from hcat.core.metrics.registry import METRICS
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label
from hcat.core.workspace import Workspace
from tests.browser.conftest import PATIENCE
from tests.browser.steps import becomes, chart, click_point, go_to, own_page, traces, visit, wait_until_idle

DATA = Path(__file__).parents[3] / "shared" / "data" / "financebench"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.realdata,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository"),
]
LAYOUT, RATIOS = (Path(__file__).with_name(name).read_text("utf-8") for name in ("layout.js", "contrast.js"))
DRAWN = """async () => {
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [...document.querySelectorAll(".js-plotly-plot")].every(plot => {
        const drawing = plot.querySelector(".main-svg");
        return drawing && Math.abs(drawing.getBoundingClientRect().width - plot.getBoundingClientRect().width) <= 2;
    });
}"""
"""The page is laid out for the window, and so are its charts."""
LASTING = 15.0
"""Seconds after which what looks wrong is wrong: the machine may be busy."""
SIZES = ((1440, 900), (1024, 768), (800, 900))
FILE = "gpt-4_oracle"
PROJECT = (
    "Questions on annual reports, answered for the asset managers of the bank (first validation, development half)"
)
RUN = "gpt-4_oracle_with_the_page_that_holds_the_answer_2023-11-27"
ANNOTATOR = "Dr. Annegret Oberhauser-Lindenschmidt, Model Validation"
FINDING = (
    "Reconciliation_of_cash_flow_and_balance_sheet_items_goes_wrong_" + "where the question asks for a ratio. " * 3
)
LABELLED = 60
"""Of the 83 samples, so that the desk has others to show."""


@pytest.fixture(scope="module")
def reviewed(app: RunningApp) -> RunningApp:
    """A served project with one run, scored on the metrics that take no model, with people's labels on most of it."""
    settings = Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts))
    with Workspace.open(settings) as workspace:
        workspace.projects.create("Another project, which is the first by name")
        project = workspace.projects.create(PROJECT, description="Public questions on the filings of companies. " * 4)
        criterion = workspace.criteria.add(project, Criterion("correctness", guideline="Pass what the reference says."))
        path = DATA / f"{FILE}.jsonl"
        run = workspace.runs.add(project, RUN, read_run(path, filename=path.name).samples, source=path.name)
        workspace.scoring.score(
            run, [metric.name for metric in METRICS if not metric.models and "@" not in metric.name]
        )
        rows = csv.DictReader((DATA / "labels.csv").read_text("utf-8").splitlines())
        judged = [(row["sample_id"], row["label"] == "Correct Answer") for row in rows if row["run"] == FILE]
        labels = [Label(sample_id, criterion.name, int(passed), ANNOTATOR) for sample_id, passed in judged[:LABELLED]]
        workspace.labels.add(run, criterion, labels)
    return app


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def page(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Page]:
    patience = 2 * PATIENCE  # drawing anew is slow on a busy machine
    with own_page(browser, 1440, 900, scheme=request.param, patience=patience) as opened:
        yield opened


class Walk:
    """One way through the pages, and what was seen to be wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []

    def look(self, stop: str, *first: Locator) -> None:
        """At every size the layout is whole and these controls are on the first screen; texts stand out."""
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
            wait_until_idle(self.page)
            self.page.wait_for_function(DRAWN)
            self.faults += [
                f"{stop} at {width}: {fault}" for fault in self._lasting(partial(self._cut, first, width, height))
            ]
        self.faults += [f"{stop}: {fault}" for fault in self._lasting(self._pale)]
        self.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        self.page.wait_for_function(DRAWN)

    def _lasting(self, find: Callable[[], list[str]]) -> list[str]:
        """The faults that stay: panels slide, and a chart is drawn in light colours before it takes the page's."""
        return [] if becomes(self.page, lambda: not find(), seconds=LASTING) else find()

    def _cut(self, first: Sequence[Locator], width: int, height: int) -> list[str]:
        hidden = [locator for locator in first if not _in_window(locator, width, height)]
        return [*self.page.evaluate(LAYOUT), *(f"not on the first screen: {locator}" for locator in hidden)]

    def _pale(self) -> list[str]:
        """Words at less than 4.5:1 and marks of legends at less than 3:1; the number above a slider has paper behind
        it, which the document does not tell."""
        texts = [text for text in self.page.evaluate(RATIOS) if "stSliderThumbValue" not in text["kind"]]
        pale = [text for text in texts if text["ratio"] < (4.5 if any(map(str.isalnum, text["text"])) else 3)]
        return [f"{text['text']!r} has a contrast of {text['ratio']:.2f}" for text in pale]


def _in_window(locator: Locator, width: int, height: int) -> bool:
    box = locator.first.bounding_box()
    if box is None:
        return False
    return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height


def test_the_check_sees_each_fault(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 600, "height": 400})
    page.set_content("""<body style="margin: 0"><main data-testid="stMain" style="position: relative; overflow: auto">
      <button style="width: 60px; overflow: hidden; white-space: nowrap">A name that goes on</button>
      <button style="position: absolute; left: 300px; top: 50px; width: 100px">one</button>
      <button style="position: absolute; left: 350px; top: 55px; width: 100px">two</button>
      <h2 style="position: relative; left: 500px">beyond</h2>
      <div data-testid="stException">No such run</div>
      <details><summary>More</summary><button style="width: 9px; overflow: hidden">closed</button></details>
    </main>""")
    faults = page.evaluate(LAYOUT)
    assert [fault.partition(": ")[0] for fault in faults] == [
        "scrolls sideways",
        "error",
        "cut",
        "sticks out",
        "overlap",
    ]
    page.close()
    assert faults[2:] == ["cut: A name that goes on", "sticks out: beyond", "overlap: one and two"]


def test_nothing_is_cut_on_the_way_to_a_report(page: Page, reviewed: RunningApp) -> None:
    walk = Walk(page)
    button, title = partial(page.get_by_role, "button"), partial(page.get_by_role, "heading", level=1)
    visit(page, reviewed.url, "overview", project=PROJECT, run=RUN)
    walk.look("Overview", title(name=PROJECT), page.get_by_text("What to do next"))

    go_to(page, "Weaknesses")
    metric, rows = page.get_by_role("combobox", name="Metric", exact=True), page.get_by_role("combobox", name="Rows")
    walk.look("Weaknesses", title(name="Weaknesses"), metric, rows, chart(page, "heatmap-").locator(".main-svg"))
    cell = next(trace for trace in reversed(traces(page, "heatmap-")) if trace.get("customdata"))
    click_point(page, "heatmap-", cell["x"][0], cell["y"][0])
    expect(button(name="Open all on the Samples page")).to_be_visible()
    confirm_finding(page)
    walk.look("A cell of Weaknesses", chart(page, "heatmap-").locator(".main-svg"))

    button(name="Open all on the Samples page").click()
    expect(title(name="Samples")).to_be_visible()
    walk.look("Samples", title(name="Samples"), page.get_by_role("searchbox"), page.get_by_test_id("stDataFrame"))

    button(name="Label this one").click()
    expect(button(name="Undo")).to_be_visible()
    keys = [button(name=name) for name in ("fail", "pass", "Can't judge", "Skip", "Undo")]
    walk.look("Labelling", *keys, page.locator(".panel.query"))

    go_to(page, "Calibration")
    expect(button(name="Use this calibration")).to_be_visible()
    walk.look("Calibration", title(name="Calibration"), page.get_by_role("combobox", name="Criterion"))

    go_to(page, "Findings")
    expect(page.get_by_role("heading", name=FINDING)).to_be_visible()
    walk.look("Findings", title(name="Findings"), page.get_by_role("heading", name=FINDING))

    go_to(page, "Report")
    page.get_by_role("textbox", name="Author").fill(ANNOTATOR)
    button(name="Build the report").click()
    expect(button(name="Download HTML")).to_be_visible(timeout=2 * PATIENCE)
    walk.look("Report", title(name="Report"))
    assert not walk.faults, "\n".join(walk.faults)


def confirm_finding(page: Page) -> None:
    """The cell in view, under a long title."""
    page.get_by_text("Confirm as a finding").click()
    page.get_by_role("textbox", name="Title").fill(FINDING)
    page.get_by_role("textbox", name="Confirmed by").fill(ANNOTATOR)
    page.get_by_role("textbox", name="Owner").fill(ANNOTATOR)
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_text("It is now on the Findings page")).to_be_visible()
    page.keyboard.press("Escape")
    wait_until_idle(page)
