"""The running app and a real browser. Each session gets stores of its own, away from the developer's."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from benchmarks.chromium import find_chromium
from benchmarks.served import FLAGS, ROOT, RunningApp, running

SOURCES = ("hcat", ".streamlit", "core", "dashboard", "pages", "data/demo")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
PATIENCE = 90_000
"""Milliseconds: how long a busy machine may take for one step."""
ONE_PROCESS = "--process-per-site"
"""Pages of one context may share a process, and with it what the browser has compiled of the dashboard's code."""


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard on a store that was empty at first; each test works in a project of its own."""
    with running("serve", tmp_path_factory.mktemp("store")) as started:
        started.wait_until_healthy(seconds=180)
        yield started


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from what the tree holds, and nothing beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / "tree" / name, symlinks=True)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / "tree" / name)
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(folder / "tree")]
    subprocess.run([*PIP, *build], check=True, cwd=folder)
    shutil.rmtree(folder / "tree")
    (built,) = folder.glob("hcat-*.whl")
    return built


def install(wheel: Path, folder: Path, interpreter: str = sys.executable) -> Path:
    """The interpreter of a new environment, made by another one, that holds the wheel and nothing else."""
    subprocess.run([interpreter, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    return python


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel; of this one it sees the pinned dependencies alone."""
    python = install(wheel, tmp_path_factory.mktemp("installed") / "env")
    packages = python.parents[1] / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    # A path file adds a folder without its own path files, and so without this environment's editable hcat.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


@pytest.fixture(scope="session")
def demo(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard with the demo loaded, as an installed wheel serves it. It takes a minute to load, so once."""
    with running("demo", tmp_path_factory.mktemp("demo"), python=installed) as started:
        started.wait_until_healthy(seconds=560)
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.fail("Chromium is missing: run `make test`, which installs it, or `apt-get install chromium`")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        running_browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, ONE_PROCESS])
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


@pytest.fixture(scope="session")
def shared_context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all pages of a worker, with an empty page that stays open: what the dashboard loads is read and compiled
    once, and not for each test."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    stays = context.new_page()
    stays.route("**", lambda route: route.fulfill(body=""))
    stays.goto("http://127.0.0.1/")  # whatever their port, pages of this machine are of one site
    yield context
    context.close()


@pytest.fixture
def page(shared_context: BrowserContext, tmp_path: Path) -> Iterator[Page]:
    """A page in a browser that remembers nothing of other tests."""
    shared_context.set_storage_state({"cookies": [], "origins": []})
    opened = shared_context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()
