"""Chromium for browser tests and benchmarks: found, or Debian's installed where that is possible; and a page in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.served import FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    """The path of an installed Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def opened_browser(chromium: str) -> Iterator[Browser]:
    """That browser, without a GPU."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def opened_page(chromium: str) -> Iterator[Page]:
    """An empty page of 1440 by 1000 pixels in that browser."""
    with opened_browser(chromium) as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(300_000)
        yield page


def main() -> int:
    if find_chromium():
        return 0
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        _say("The browser tests need Chromium. Install it, e.g. `sudo apt-get install chromium`.")
        return 1
    _say("Installing Debian's chromium for the browser tests …")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            _say(f"`{' '.join(command)}` failed: {done.stderr.strip()[-300:]}")
            return 1
    return 0 if find_chromium() else 1


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
