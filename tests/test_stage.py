"""A stage of `make test` passes where every test passed, at first or by itself, and in no other case.

However it ends, it says where the time went, and no process that its tests started is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from hcat.core.settings import ROOT

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


SERVER = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.write(int(sys.argv[1]), b"%d" % os.getpid())
while True:
    signal.pause()
"""
STARTER = """
import subprocess, sys
command = [sys.executable, "-S", "-c", *sys.argv[1:]]
subprocess.Popen(command, pass_fds=[int(sys.argv[2])], start_new_session=True)
"""
SERVES = f"""
import os, signal, subprocess, sys
def test_serves():
    pipe = os.open("pipe", os.O_WRONLY)
    command = [sys.executable, "-S", "-c", {STARTER!r}, {SERVER!r}, str(pipe)]
    subprocess.run(command, pass_fds=[pipe], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    signal.pause()
"""


def stage(folder: Path, content: str) -> subprocess.Popen[str]:
    """A stage, started on this test file and one that passes."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_it.py").write_text(content)
    (folder / "test_other.py").write_text(FINE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take long to load
    command = [sys.executable, "-P", ROOT / "tests" / "stage.py", "-p", "xdist.plugin", folder]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
    )


@pytest.mark.parametrize(
    ("content", "status", "ended", "retried", "flaky"),
    [
        (FINE, 0, 2, False, False),
        (FLAKY, 0, 3, True, True),
        (FLAKY + "def test_wrong(): assert False\n", 1, 5, True, False),
        ("import there_is_no_such_module\n", 3, 1, False, False),
        (DIES, 3, 2, False, False),
    ],
    ids=["fine", "flaky", "flaky and wrong", "cannot be collected", "worker dies"],
)
def test_a_stage(tmp_path: Path, content: str, status: int, ended: int, retried: bool, flaky: bool) -> None:
    with stage(tmp_path, content) as running:
        said, _ = running.communicate()
    assert running.returncode == status, said
    assert ("tried once more" in said) is retried
    assert ("FLAKY" in said) is flaky
    assert re.search(rf"^{ended} tests took \d", said, re.MULTILINE), said


@pytest.mark.parametrize(
    ("number", "whole_group"),
    [(signal.SIGINT, False), (signal.SIGINT, True), (signal.SIGTERM, False)],
    ids=["interrupt", "Ctrl-C", "terminate"],
)
@pytest.mark.timeout(120)
def test_an_interrupted_stage_leaves_no_process(tmp_path: Path, number: signal.Signals, whole_group: bool) -> None:
    """Not even one with another parent and session that ignores signals: the pipe that it holds is closed."""
    os.mkfifo(tmp_path / "pipe")
    with stage(tmp_path, SERVES) as running, (tmp_path / "pipe").open("rb", buffering=0) as pipe:
        server = psutil.Process(int(pipe.read(20)))
        try:
            (os.killpg if whole_group else os.kill)(running.pid, number)
            said, _ = running.communicate()
            os.set_blocking(pipe.fileno(), False)
            assert pipe.read() == b"", "somebody still holds the pipe"
        finally:
            running.kill()
            if server.is_running():
                server.kill()
    assert running.returncode == 130, said
    assert re.search(r"^[01] tests took \d", said, re.MULTILINE), said
