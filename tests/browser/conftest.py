"""The running app and a real browser. Each session gets stores of its own, away from the developer's."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from benchmarks.chromium import find_chromium
from benchmarks.served import FLAGS, RunningApp, running

HERE = Path(__file__).parent
PATIENCE = 90_000
"""Milliseconds: how long a busy machine may take for one step."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs the demo comes last, since that takes a minute to load beside the others."""
    items.sort(key=lambda item: item.path.parent == HERE and "demo" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard on a store that was empty at first; each test works in a project of its own."""
    with running("serve", tmp_path_factory.mktemp("store")) as started:
        started.wait_until_healthy(seconds=90)
        yield started


@pytest.fixture(scope="session", autouse=True)
def loading_demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningApp | None]:
    """The demo takes a minute to load, so that begins at once where any chosen test wants it."""
    if not any("demo" in getattr(item, "fixturenames", ()) for item in request.session.items):
        yield None
        return
    with running("demo", tmp_path_factory.mktemp("demo")) as started:
        yield started


@pytest.fixture(scope="session")
def demo(loading_demo: RunningApp | None) -> RunningApp:
    """The dashboard with the demo loaded."""
    assert loading_demo is not None
    loading_demo.wait_until_healthy(seconds=400)
    return loading_demo


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.fail("Chromium is missing: run `make test`, which installs it, or `apt-get install chromium`")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        running_browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running_browser
        running_browser.close()


class Watched:
    """What a page did that the user does not see: errors on its console, refused requests, calls to other hosts."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.refused: list[str] = []
        self.foreign: list[str] = []

    def follow(self, page: Page, own: str) -> None:
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        page.on("response", self._answered)
        page.on("request", lambda request: self._ask(request, own))

    def _note(self, message: ConsoleMessage) -> None:
        url = str(message.location.get("url", ""))
        if message.type == "error":
            self.errors.append(f"{message.text} ({url})")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append(f"{response.status} {response.url}")

    def _ask(self, request: Request, own: str) -> None:
        if not request.url.startswith((own, own.replace("http:", "ws:"), "data:", "blob:")):
            self.foreign.append(request.url)


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that failed keeps a picture of what was on the screen, and says where it is."""
    report = yield
    opened = getattr(item, "funcargs", {}).get("page")
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    failed = report.when == "call" and report.failed
    if failed and isinstance(folder, Path) and isinstance(opened, Page) and not opened.is_closed():
        picture = folder / "failed.png"
        opened.screenshot(path=picture, full_page=True)
        report.sections.append(("Screen", f"{opened.url}\n{picture}"))
    return report


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()
