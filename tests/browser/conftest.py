"""The running app and a real browser. Each session gets a store of its own, away from the developer's."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.require_chromium import find_chromium

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


@dataclass(frozen=True)
class RunningApp:
    """The served dashboard, and the environment that its store lives in."""

    url: str
    environment: dict[str, str]
    log: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, *, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the dashboard stopped at once: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the dashboard did not answer within {seconds} s: {log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The dashboard with the demo loaded, on a free loopback port."""
    folder = tmp_path_factory.mktemp("store")
    log = folder / "serve.log"
    port = free_port()
    environment = {
        **os.environ,
        "HCAT_DATABASE_URL": f"sqlite:///{folder / 'hcat.db'}",
        "HCAT_ARTIFACTS": str(folder / "artifacts"),
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.cli", "demo", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until_healthy(url, process, log, seconds=300)
            yield RunningApp(url=url, environment=environment, log=log)
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.fail("Chromium is missing: run `make test`, which installs it, or `apt-get install chromium`")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    yield opened
    context.close()
