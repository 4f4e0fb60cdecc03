"""A wheel built from the tree, installed where nothing of the tree is, has all that the demo needs.

So have the other tests of the demo, which run on it too.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import RunningApp
from tests.browser.conftest import Watched
from tests.browser.steps import visit

pytestmark = pytest.mark.browser


def test_nothing_comes_from_the_tree(demo: RunningApp, installed: Path, tmp_path: Path) -> None:
    program = (
        "import core, dashboard; from core.settings import WORKSPACE;"
        "print(core.__file__, dashboard.__path__[0], WORKSPACE)"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run([installed, "-c", program], cwd=tmp_path, env=environment, capture_output=True, check=True)
    core, dashboard, workspace = done.stdout.decode().split()
    environment_folder = str(installed.parents[1])
    assert core.startswith(environment_folder) and dashboard.startswith(environment_folder)
    assert workspace == str(tmp_path / ".local" / "share" / "hcat")


def test_the_wheel_serves_the_demo(page: Page, demo: RunningApp, watched: Watched) -> None:
    watched.follow(page, demo.url)
    visit(page, demo.url, "weaknesses")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="encountered an error")).to_have_count(0)
    expect(page.locator("html")).to_have_css("font-size", "15px")  # the theme of the wheel
    assert watched.refused == []
    assert watched.errors == []
