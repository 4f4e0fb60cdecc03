"""Texts of users stay texts: nothing in them is run, loaded or drawn, on any page and in the report."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.settings import Settings
from hcat.core.topics.choice import TopicChoice
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace
from tests.browser.conftest import RunningApp, Watched
from tests.browser.maps import drawn_map, painted, tip
from tests.browser.steps import becomes, chart, choose, click_point, go_to, traces, visit, wait_until_idle
from tests.browser.store import rows

pytestmark = pytest.mark.browser


N = 110
"""Enough labels for a calibration, whatever the port, which stands in each id, does to the splits by hash."""
APART = 11
"""How many answers, and references, differ from one another: models score equal texts once."""


class Listener:
    """A loopback server that nobody should ever ask for anything."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.asked.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    started = Listener()
    thread = threading.Thread(target=started.server.serve_forever)
    thread.start()
    yield started
    started.server.shutdown()
    started.server.server_close()
    thread.join()


def hostile(address: str, name: str) -> str:
    """Everything that a browser, Markdown or a chart might take for more than text."""
    return (
        f"{name} ![]({address}/{name}-md.png) <img src={address}/{name}-img.png onerror=window.pwned=1> "
        f"<script>window.pwned=1</script> [link]({address}/{name}-link) $latex^2$ **bold** :red[colour] "
        f'<a href="{address}/{name}-a">a</a> <style>@import "{address}/{name}.css"</style>'
    )


@pytest.fixture(scope="module")
def project(app: RunningApp, listener: Listener) -> str:
    """A scored, labelled and calibrated project in which every text and every name is hostile."""
    address = listener.address
    name = f"Hostile ![]({address}/project.png)"
    run_name = f"run ![]({address}/run.png)"
    workspace = Workspace.open(Settings(database_url=f"sqlite:///{app.database}", artifacts=str(app.artifacts)))
    workspace.projects.create(name, description=hostile(address, "description"))
    criterion = workspace.criteria.add(
        name,
        Criterion(
            f"right ![]({address}/criterion.png)",
            levels=("fail", f"pass ![]({address}/level.png)"),
            guideline=hostile(address, "guideline"),
        ),
    )
    samples = [_sample(address, number) for number in range(N)]
    run = workspace.runs.add(name, run_name, samples, source=f"![]({address}/file.png).jsonl")
    jobs = [workspace.jobs.start_scoring(run, "all"), workspace.jobs.start_topics(run, choice=TopicChoice("pca"))]
    end = time.monotonic() + 180
    while any(workspace.jobs.get(job.id).is_active for job in jobs) and time.monotonic() < end:
        time.sleep(0.2)
    assert [workspace.jobs.get(job.id).status for job in jobs] == ["done", "done"]
    annotator = f"eve ![]({address}/annotator.png)"
    labels = [
        Label(sample.id, criterion.name, number % 2, annotator, rationale=hostile(address, "rationale"))
        for number, sample in enumerate(samples)
    ]
    workspace.labels.add(run, criterion, labels)
    workspace.calibrations.save(
        run, calibrate(workspace.run_data.open(run), criterion, metrics=["answer_f1"]), reason="a test"
    )
    workspace.close()
    return name


def _sample(address: str, number: int) -> Sample:
    level = f"odd ![]({address}/dimension.png) <img src={address}/dimension-img.png>" if number % 2 else "even"
    return Sample(
        id=f"s{number} ![]({address}/id.png)",
        query=f"{number} {hostile(address, 'query')}",
        answer=hostile(address, "answer") if number % 2 else f"It is {number % APART}.",
        contexts=(Passage(f"p ![]({address}/passage.png)", hostile(address, "context"), 0.5),),
        reference=f"It is {number % APART}. {hostile(address, 'reference')}",
        dimensions={"parity ": level, "size": "large" if number >= N // 2 else "small"},
    )


@pytest.fixture(autouse=True)
def nothing_is_run_or_loaded(
    page: Page, app: RunningApp, listener: Listener, project: str, watched: Watched
) -> Iterator[None]:
    watched.follow(page, app.url)
    listener.asked.clear()
    yield
    assert page.evaluate("window.pwned") is None
    assert page.locator(f'img[src*="{listener.address}"], link[href*="{listener.address}"]').count() == 0
    assert watched.foreign == []
    assert watched.errors == []
    assert listener.asked == []


def assert_literal(page: Page, listener: Listener, *names: str) -> None:
    """The texts stand on the page sign for sign."""
    texts = {"<script>window.pwned=1</script>", "$latex^2$ **bold**"}
    for name in names:
        texts |= {
            f"![]({listener.address}/{name}-md.png)",
            f"<img src={listener.address}/{name}-img.png onerror=window.pwned=1>",
        }

    def missing() -> set[str]:
        shown = words(page)
        return {text for text in texts if text not in shown}

    becomes(page, lambda: not missing())
    assert missing() == set()


def words(page: Page) -> str:
    """The page's text, with single blanks."""
    return " ".join(" ".join([page.locator("body").inner_text(), *page.locator(".sample").all_inner_texts()]).split())


def test_on_samples(page: Page, app: RunningApp, listener: Listener, project: str) -> None:
    visit(page, app.url, "samples", project=project)
    expect(page.locator(".panel.answer .text")).not_to_have_count(0)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(f"2 of {N}")).to_be_visible()
    wait_until_idle(page)
    assert_literal(page, listener, "query", "context", "reference")
    for view in ("Completeness", "Transport plan", "All scores", "Labels"):
        page.get_by_role("radio", name=view).or_(page.get_by_role("button", name=view, exact=True)).first.click()
        wait_until_idle(page)
    expect(page.get_by_role("region", name="The sample's label history")).to_be_visible()


def test_on_labelling_and_calibration(page: Page, app: RunningApp, listener: Listener, project: str) -> None:
    visit(page, app.url, "labelling", project=project)
    page.get_by_role("textbox", name="Annotator").fill("mallory")
    page.keyboard.press("Enter")
    expect(page.locator(".panel.answer .text")).not_to_have_count(0)
    assert_literal(page, listener, "query", "context", "reference")
    expect(page.get_by_text("criterion.png").first).to_be_visible()
    expect(page.locator(f'a[href^="{listener.address}"]')).to_have_count(0)
    page.get_by_role("button", name="Guideline, version 1").click()
    expect(page.get_by_text("Edit", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Edit", exact=True)).not_to_be_visible()
    wait_until_idle(page)
    go_to(page, "Calibration")
    chart(page, "curve")


def test_on_the_map(page: Page, app: RunningApp, listener: Listener, project: str) -> None:
    visit(page, app.url, "topics", project=project)
    run = int(rows(app.database, "SELECT max(run_id) FROM topics WHERE source = 'query'")[0][0])
    hovered = tip(page, drawn_map(page, app.database, app.artifacts, run=run), 0).inner_text()
    assert f"![]({listener.address}/query-md.png)" in hovered
    assert "<img" in hovered
    assert "&lt;" not in hovered
    assert "&quot;" not in hovered
    choose(page, "Colour by", "Groundedness")
    expect(painted(page).get_by_text("Groundedness")).to_be_visible()


def test_on_weaknesses_and_in_a_finding(page: Page, app: RunningApp, project: str) -> None:
    visit(page, app.url, "weaknesses", project=project, metric="answer_f1")
    choose(page, "Rows", "parity ")
    choose(page, "Columns", "size")
    points = traces(page, "heatmap-")[-1]
    place = next(at for at, (level, _) in enumerate(points["customdata"]) if "![](" in level)
    click_point(page, "heatmap-", points["x"][place], points["y"][place])
    expect(page.get_by_role("heading", level=3).filter(has_text="![](")).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Confirm as a finding").click()
    page.get_by_role("textbox", name="Confirmed by").fill("mallory ![](x)")
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_text("It is now on the Findings page")).to_be_visible()


@pytest.mark.parametrize("title", ["Overview", "Runs", "Metrics"])
def test_on_the_other_pages(page: Page, app: RunningApp, project: str, title: str) -> None:
    visit(page, app.url, "" if title == "Overview" else title.lower(), project=project)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_until_idle(page)


def test_in_the_report(
    page: Page, browser: Browser, app: RunningApp, listener: Listener, project: str, tmp_path: Path
) -> None:
    visit(page, app.url, "report", project=project)
    page.get_by_role("button", name="Build the report").click()
    expect(page.get_by_role("button", name="Download HTML")).to_be_visible(timeout=120_000)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download HTML").click()
    path = tmp_path / "report.html"
    waiting.value.save_as(path)
    context = browser.new_context()
    read = context.new_page()
    asked: list[str] = []
    read.on("request", lambda request: asked.append(request.url))
    read.goto(path.as_uri())
    assert_literal(read, listener, "query", "context", "guideline")
    assert read.evaluate("window.pwned") is None
    assert read.locator("script, img, iframe, link[href]").count() == 0
    assert asked == [path.as_uri()]
    context.close()
