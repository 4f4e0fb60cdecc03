"""`python -P tests/stage.py ARGUMENTS`: the tests that pytest finds by these arguments, four at a time.

Tests that fail are tried once more, by themselves and one at a time; where they pass then, the stage passes, and says
that they are flaky. Anything else that goes wrong (an error while collecting, a worker that died, an internal error)
ends the stage at once: what did not run can't be taken for what did not fail.

Four keep two cores busy, since a test that drives a browser or waits for another process leaves its core idle; in which
order files come, tests/order.py says. Python writes what it compiles, also where the environment says not to: the tests
start hcat hundreds of times. What pytest makes of the files of tests is made before the workers start: each of them
would else compile all six hundred.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from _pytest.assertion import rewrite

ONCE = "--once"
FAILED = int(pytest.ExitCode.TESTS_FAILED)
PARALLEL = ("--numprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder", "--cache-clear")
AGAIN = ("--last-failed", "--last-failed-no-failures", "none", "--exitfirst", "--verbose")


class CompiledOnce:
    """Leaves the compiled files of tests where each worker looks for them."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_setupnodes(self, config: pytest.Config) -> None:
        state = config.stash[rewrite.assertstate_key]
        for file in sorted((config.rootpath / "tests").rglob("*.py")):
            compiled = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
            is_test = file.name == "conftest.py" or file.name.startswith("test_")
            if is_test and rewrite._read_pyc(file, compiled) is None and rewrite.try_makedirs(compiled.parent):
                source, code = rewrite._rewrite_test(file, config)
                rewrite._write_pyc(state, code, source, compiled)


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
    first = in_a_process([*PARALLEL, *arguments])
    if first != FAILED:
        return first
    print("TESTS FAILED, see above. Those that failed are tried once more, by themselves:", flush=True)
    second = in_a_process([*AGAIN, *arguments])
    if second == 0:
        print("FLAKY: they failed at first and passed by themselves. Mend them.", flush=True)
    return second


def in_a_process(arguments: Sequence[str]) -> int:
    command = [sys.executable, "-P", __file__, ONCE, *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, env={**environment, "OMP_NUM_THREADS": "1"}, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1:2] == [ONCE]:
        sys.exit(pytest.main(sys.argv[2:], plugins=[CompiledOnce(), NotAllRan()]))
    sys.exit(main(sys.argv[1:]))
