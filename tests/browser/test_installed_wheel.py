"""A wheel built from the tree, installed where nothing of the tree is, has all that the demo needs.

So have the other tests of the demo, which run on it too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import RunningApp
from hcat.core import __version__
from tests.browser.conftest import Watched, install
from tests.browser.steps import visit


def interpreters() -> list[str]:
    """Those of the machine that hcat supports, one of each version; pyenv's names start only those that are chosen."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found: dict[str, str] = {}
    for minor in range(11, 16):
        name = f"python3.{minor}"
        for path in filter(None, (shutil.which(name), *map(str, sorted(kept.glob(f"3.{minor}.*/bin/{name}"))))):
            if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                found.setdefault(name, path)
    return list(found.values())


def test_nothing_but_hcat_is_put_among_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    assert {name.partition("/")[0] for name in names} == {"hcat", f"hcat-{__version__}.dist-info"}
    assert {
        "hcat/py.typed",
        "hcat/dashboard/.streamlit/config.toml",
        "hcat/pages/runs.py",
        "hcat/data/demo/bank.sql",
    } <= {*names}
    assert not [name for name in names if "workspace/" in name and name.startswith("hcat/data")]


@pytest.mark.parametrize("interpreter", interpreters())
def test_each_interpreter_of_the_machine_takes_the_wheel(wheel: Path, interpreter: str, tmp_path: Path) -> None:
    """Every file is compiled, and what needs no other package runs; the others are pinned for one interpreter."""
    python = install(wheel, tmp_path / "env", interpreter)
    (packages,) = (tmp_path / "env" / "lib").glob("python3*/site-packages")
    assert {path.name.partition("-")[0] for path in packages.iterdir()} == {"hcat"}
    compiled = [python, "-W", "error", "-m", "compileall", "-q", "-f", packages / "hcat"]
    subprocess.run(compiled, cwd=tmp_path, check=True)
    program = "import hcat.core.errors, hcat.core.types, hcat.core.records.people; print(hcat.__version__)"
    done = subprocess.run([python, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == __version__


@pytest.mark.browser
def test_nothing_comes_from_the_tree(demo: RunningApp, installed: Path, tmp_path: Path) -> None:
    program = "import hcat; from hcat.core.settings import WORKSPACE;print(hcat.__file__, WORKSPACE)"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run([installed, "-c", program], cwd=tmp_path, env=environment, capture_output=True, check=True)
    package, workspace = done.stdout.decode().split()
    assert package.startswith(str(installed.parents[1]))
    assert workspace == str(tmp_path / ".local" / "share" / "hcat")


@pytest.mark.browser
def test_the_wheel_serves_the_demo(page: Page, demo: RunningApp, watched: Watched) -> None:
    watched.follow(page, demo.url)
    visit(page, demo.url, "weaknesses")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="encountered an error")).to_have_count(0)
    expect(page.locator("html")).to_have_css("font-size", "15px")  # the theme of the wheel
    assert watched.refused == []
    assert watched.errors == []
