"""`make picture`: the README's picture, the Weaknesses page of the demo as it is today."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.chromium import find_chromium
from benchmarks.served import FLAGS, ROOT, running

PICTURE = ROOT / "docs" / "images" / "weaknesses.png"
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
SECONDS = 600
"""How long the demo may take to load."""


def main() -> int:
    """Serve the demo on a store of its own and photograph the page."""
    if (chromium := find_chromium()) is None:
        sys.stderr.write("The picture needs Chromium: install it, e.g. `sudo apt-get install chromium`.\n")
        return 1
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, running("demo", Path(folder)) as app, sync_playwright() as playwright:
        app.wait_until_healthy(seconds=SECONDS)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 1000}, color_scheme="light")
        page.set_default_timeout(1000 * SECONDS)
        page.goto(f"{app.url}/weaknesses")
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        page.wait_for_selector(IDLE, state="attached")
        page.wait_for_timeout(2000)  # the last animations
        page.screenshot(path=PICTURE)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
