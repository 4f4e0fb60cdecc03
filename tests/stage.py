"""`python -P tests/stage.py ARGUMENTS`: the tests that pytest finds by these arguments, four at a time.

Tests that fail are tried once more, by themselves and one at a time; where they pass then, the stage passes, and says
that they are flaky. Anything else that goes wrong (an error while collecting, a worker that died, an internal error)
ends the stage at once: what did not run can't be taken for what did not fail.

Files of tests that take long are left out while nothing that they rest on has changed since they passed
(tests/proofs.py), unless HCAT_LARGER asks for all. Proofs of those that pass are written to `build/proofs.json`;
`make proofs` keeps them.

However the stage ends, it prints where the time went, writes that of each test to `build/test-times.tsv`, and kills the
processes that tests have left running: an interrupted worker has no time to end its servers.

Four keep two cores busy, since a test that drives a browser or waits for another process leaves its core idle; in which
order files come, tests/order.py says. Python writes what it compiles, also where the environment says not to: the tests
start hcat hundreds of times. On a fresh clone, one process compiles the files of tests before the workers start: each
would else compile all six hundred.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

sys.path.append(str(Path(__file__).parent))  # -P leaves it out
import proofs

ONCE = "--once"
FAILED = int(pytest.ExitCode.TESTS_FAILED)
INTERRUPTED = 130
PARALLEL = ("--numprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder", "--cache-clear")
AGAIN = ("--last-failed", "--last-failed-no-failures", "none", "--exitfirst", "--verbose")
TIMES = Path("build/test-times.tsv")
"""Seconds and name of each test that ended, below the working directory."""
KINDS = {
    "simulation": r"^tests/simulation/",
    "browser": r"^tests/browser/",
    "Ray": r"/executors/|/test_ray_",
    "PostgreSQL": r"postgresql|/test_same_numbers",
    "commands": r"^tests/dashboard/commands/",
    "pages": r"^tests/pages/",
    "the rest": r"",
}
"""What kind a test is of: the first whose pattern its name has."""
LEFT_OUT = "HCAT_LEFT_OUT"
"""The files that tests/conftest.py leaves out, one a line."""
PROOFS = Path("build/proofs.json")
SLOWEST = 25
PATIENCE = 60
"""Seconds that an interrupted run has to end by itself."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): a process whose parent ended becomes a child of the stage."""


class Timed:
    """Notes the time of each test as it ends, so that it is known of an interrupted run too."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.file = TIMES.open("a", buffering=1, encoding="utf-8", errors="backslashreplace")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.when == "teardown":
            self.file.write(f"{self.seconds.pop(report.nodeid):.3f}\t{report.nodeid}\n")


class Proving:
    """Writes the proofs of the files of tests that took long and passed whole."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.passed: dict[str, bool] = {}
        self.proofs: dict[str, str] = {}

    def pytest_sessionstart(self) -> None:
        """Before anything runs: files may change meanwhile."""
        if Path.cwd() == proofs.ROOT:
            self.proofs = {file: proofs.proof(file) for file in proofs.test_files()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        self.passed[file] = self.passed.get(file, True) and (report.passed or hasattr(report, "wasxfail"))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            left_out = os.environ[LEFT_OUT].split("\n")
            kept = {
                file: own
                for file, own in self.proofs.items()
                if file in left_out or (self.passed.get(file) and self.seconds[file] >= proofs.LONG)
            }
            PROOFS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")


class NotAllRan:
    """Makes an error of the whole session of files that can't be collected, and of a worker that did not end by itself:
    with xdist, either is else one failure among others."""

    def __init__(self) -> None:
        self.seen = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.seen = self.seen or report.failed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object, error: object) -> None:
        self.seen = self.seen or error is not None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.seen:
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def main(arguments: Sequence[str]) -> int:
    """The exit status of the stage: that of the first try, or of the second where tests failed."""
    began = time.monotonic()
    TIMES.parent.mkdir(exist_ok=True)
    TIMES.write_text("")
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    for number in ENDING:
        signal.signal(number, signal.default_int_handler)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["OMP_NUM_THREADS"] = os.environ["NUMBA_NUM_THREADS"] = "1"  # numba's threads, by UMAP, become torch's
    in_whole = Path.cwd() == proofs.ROOT and not os.environ.get("HCAT_LARGER")
    left_out = proofs.unchanged() if in_whole else []
    os.environ[LEFT_OUT] = "\n".join(left_out)
    try:
        status = tried(arguments)
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        end_what_is_left()
    print("\n".join(where_the_time_went((time.monotonic() - began) / 60)), flush=True)
    if left_out:
        print(
            f"Not run: {len(left_out)} files of long tests. They passed with all that they rest on as it is, by hash:"
        )
        print("\n".join(f"  {proofs.proof(file)[:16]}  {file}" for file in left_out), flush=True)
    return status


def tried(arguments: Sequence[str]) -> int:
    if not any(Path(__file__).parent.glob("__pycache__/*-pytest-*.pyc")):
        collecting = [sys.executable, "-P", "-m", "pytest", "--collect-only", *arguments]
        subprocess.run(collecting, stdout=subprocess.DEVNULL, check=False)
    first = in_a_process([*PARALLEL, *arguments])
    if first != FAILED:
        return first
    print("TESTS FAILED, see above. Those that failed are tried once more, by themselves:", flush=True)
    second = in_a_process([*AGAIN, *arguments])
    if second == 0:
        print("FLAKY: they failed at first and passed by themselves. Mend them.", flush=True)
    return second


def in_a_process(arguments: Sequence[str]) -> int:
    """The exit status of pytest, in a process group of its own: Ctrl-C reaches it once, from here."""
    command = [sys.executable, "-P", __file__, ONCE, *arguments]
    child = os.posix_spawn(sys.executable, command, os.environ, setpgroup=0)
    try:
        return status_of(child)
    except KeyboardInterrupt:
        os.killpg(child, signal.SIGINT)
        signal.alarm(PATIENCE)
        status_of(child)
        raise


def status_of(child: int) -> int:
    """The exit status of a child once it ends. Other processes that end meanwhile leave the process table."""
    ended, status = os.wait()
    while ended != child:
        ended, status = os.wait()
    return os.waitstatus_to_exitcode(status)


def end_what_is_left() -> None:
    """Kill all processes below this one, which is about to end: no signal interrupts it any more."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    while left := psutil.Process().children(recursive=True):
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        with suppress(ChildProcessError):
            os.wait()


def where_the_time_went(wall: float) -> list[str]:
    """A table of minutes of setup, call and teardown of tests, by kind and by file; `wall` is those of the stage."""
    kinds, files = Counter[str](), Counter[str]()
    lines = TIMES.read_text("utf-8").splitlines()
    for seconds, _, name in (line.partition("\t") for line in lines):
        kinds[next(kind for kind, pattern in KINDS.items() if re.search(pattern, name))] += float(seconds) / 60
        files[name.partition("::")[0]] += float(seconds) / 60
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = kinds.total() or 1.0
    return [
        f"{len(lines):,} tests took {wall:.1f} minutes, {(used.ru_utime + used.ru_stime) / 60:.1f} of processor time;"
        f" each is in {TIMES}",
        f"minutes  share  of all tests, waiting included; by kind, and of the {SLOWEST} slowest files",
        *(
            f"{minutes:7.1f} {minutes / total:6.1%}  {name}"
            for ranked in (kinds.most_common(), files.most_common(SLOWEST))
            for name, minutes in ranked
        ),
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == [ONCE]:
        second = AGAIN[0] in sys.argv
        sys.exit(pytest.main(sys.argv[2:], plugins=[Timed(), NotAllRan(), *([] if second else [Proving()])]))
    sys.exit(main(sys.argv[1:]))
