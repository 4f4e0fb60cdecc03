"""A wheel built from the tree, installed where nothing of the tree is: it has all that the demo needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import ROOT, RunningApp, running
from tests.browser.conftest import Watched
from tests.browser.steps import visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOURCES = ("core", "dashboard", "pages", "data/demo")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel; of this one it sees the pinned dependencies alone."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / "tree" / name)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / "tree" / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(folder / "tree")]
    subprocess.run([*pip, *build], check=True, cwd=folder)
    shutil.rmtree(folder / "tree")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    python = folder / "env" / "bin" / "python"
    packages = folder / "env" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    (wheel,) = folder.glob("hcat-*.whl")
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    # A path file adds a folder without its own path files, and so without this environment's editable hcat.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


@pytest.fixture(scope="module")
def wheel_demo(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with running("demo", tmp_path_factory.mktemp("wheel-demo"), python=installed) as started:
        started.wait_until_healthy(seconds=400)
        yield started


def test_nothing_comes_from_the_tree(installed: Path, tmp_path: Path) -> None:
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


def test_the_wheel_serves_the_demo(page: Page, wheel_demo: RunningApp, watched: Watched) -> None:
    watched.follow(page, wheel_demo.url)
    visit(page, wheel_demo.url, "weaknesses")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="encountered an error")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "15px"  # the theme of the wheel
    assert watched.refused == []
    assert watched.errors == []
