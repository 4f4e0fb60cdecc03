"""A stage of `make test` passes where every test passed, at first or by itself, and in no other case."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.settings import ROOT

FINE = "def test_fine(): pass\n"
FLAKY = """
from pathlib import Path
def test_flaky():
    tried = Path(__file__).with_suffix(".tried")
    was_tried = tried.exists()
    tried.touch()
    assert was_tried
"""
DIES = """
import os
from pathlib import Path
def test_dies_once():
    tried = Path(__file__).with_suffix(".tried")
    if not tried.exists():
        tried.touch()
        os._exit(1)
"""


@pytest.mark.parametrize(
    ("content", "status", "retried", "flaky"),
    [
        (FINE, 0, False, False),
        (FLAKY, 0, True, True),
        (FLAKY + "def test_wrong(): assert False\n", 1, True, False),
        ("import there_is_no_such_module\n", 3, False, False),
        (DIES, 3, False, False),
    ],
    ids=["fine", "flaky", "flaky and wrong", "cannot be collected", "worker dies"],
)
def test_a_stage(tmp_path: Path, content: str, status: int, retried: bool, flaky: bool) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(content)
    (tmp_path / "test_other.py").write_text(FINE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take long to load
    ended = subprocess.run(
        [
            sys.executable,
            "-P",
            ROOT / "tests" / "stage.py",
            "-p",
            "xdist.plugin",
            "--config-file",
            tmp_path / "pytest.ini",
            tmp_path,
        ],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status, ended.stdout + ended.stderr
    assert ("tried once more" in ended.stdout) is retried
    assert ("FLAKY" in ended.stdout) is flaky
