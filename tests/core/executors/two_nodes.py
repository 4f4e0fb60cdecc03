"""A Ray cluster of two nodes in a network of its own, which scores a run while a node is lost.

As a program, `PROGRAM FOLDER [PYTHON]` scores `run.jsonl` of the folder to `killed.parquet`, and says in
`found.json` what it found. Shards and embeddings are shared in the folder, or, where PYTHON has an S3-compatible
server, in a bucket of that. All that it starts ends with it, however it ends: in the namespace that `COMMAND` makes it
is the first process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from hcat.core.settings import ROOT
from tests.core.records.stores.object_store import object_store

COMMAND = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--map-root-user")
COMMAND = (*COMMAND, "sh", "-c", 'ip link set lo up; exec "$@"', "sh")
PROGRAM = f"""
import sys, types
sys.modules["tests"] = types.ModuleType("tests")  # other packages have a module of that name, too
sys.modules["tests"].__path__ = [{str(ROOT / "tests")!r}]
from pathlib import Path
from tests.core.executors.two_nodes import main
main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
"""
METRICS = "answer_length,factual_numbers,answer_relevancy"
HEAD, OTHER, PORT = "127.0.0.2", "127.0.0.3", "26379"
_RAY = (sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start", "--block")
_SMALL = ("--num-cpus", "1", "--object-store-memory", str(256 << 20))


def score(run: Path, output: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """`hcat score` of the run by the cluster, started."""
    options = ("--metrics", METRICS, "--engine", "ray", "--address", f"{HEAD}:{PORT}")
    command = (sys.executable, "-m", "hcat.dashboard.cli", "score", str(run), "-o", str(output), *options)
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


@contextmanager
def _node(environment: dict[str, str], *options: str) -> Iterator[psutil.Process]:
    """A node that has joined, with a worker's place."""
    with subprocess.Popen((*_RAY, *options, *_SMALL), env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = iter(process.stdout.readline, "")
        assert any("Ray runtime started" in line for line in said), f"no node by {options}"
        node = psutil.Process(process.pid)
        try:
            yield node
        finally:
            kill_with_children(node)


@contextmanager
def _two_nodes(environment: dict[str, str]) -> Iterator[psutil.Process]:
    """The cluster, of which the second node is given."""
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        head = ("--head", "--node-ip-address", HEAD, "--port", PORT, "--include-dashboard=false", "--temp-dir", folder)
        other = ("--address", f"{HEAD}:{PORT}", "--node-ip-address", OTHER)
        with _node(environment, *head), _node(environment, *other) as second:
            yield second


def kill_with_children(process: psutil.Process) -> int:
    """SIGKILL to the process and all that it has started: how many there were."""
    doomed = [*process.children(recursive=True), process] if process.is_running() else []
    for each in doomed:
        each.kill()
    return len(doomed)


def _refused(folder: Path, environment: dict[str, str]) -> list[str]:
    """What the command says that has the token of another cluster, that has none, and that asks without one."""
    without = {name: value for name, value in environment.items() if name != "RAY_AUTH_TOKEN"}
    others = (environment | {"RAY_AUTH_TOKEN": "b" * 64}, without, without | {"RAY_AUTH_MODE": "disabled"})
    started = [score(folder / "run.jsonl", folder / "refused.parquet", each) for each in others]
    return [f"{process.communicate()[1].strip()} [{process.returncode}]" for process in started]


def _score(folder: Path, environment: dict[str, str], shards: Callable[[], int]) -> dict[str, Any]:
    """Score, and kill the second node when the first shard is stored; before, by commands that it doesn't let in."""
    with _two_nodes(environment) as second:
        refused = _refused(folder, environment)
        scoring = score(folder / "run.jsonl", folder / "killed.parquet", environment)
        while not (stored := shards()) and scoring.poll() is None:
            time.sleep(0.02)
        killed = kill_with_children(second)
        _, errors = scoring.communicate()
        assert scoring.returncode == 0, errors
    return {"stored at the kill": stored, "killed": killed, "shards left": shards(), "refused": refused}


def main(folder: Path, store_python: str | None) -> None:
    """Score by the cluster, and note what was found."""
    own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "a" * 64, "RAY_USAGE_STATS_ENABLED": "0", "OMP_NUM_THREADS": "1"}
    own |= {"HOME": str(folder), "PYTHONPATH": str(ROOT), "HCAT_DATABASE_URL": f"sqlite:///{folder / 'hcat.db'}"}
    environment = os.environ | own
    if store_python is None:
        artifacts = folder / "artifacts"
        environment["HCAT_ARTIFACTS"] = str(artifacts)
        stored = artifacts / "score-shards"
        found = _score(folder, environment, lambda: len([*stored.rglob("*.parquet")]))
        names = [str(path.relative_to(artifacts)) for path in artifacts.rglob("*") if path.is_file()]
    else:
        with object_store(store_python) as store:
            environment |= {"HCAT_ARTIFACTS": "s3://bucket/hcat", **store.environment}
            count = lambda: sum(name.endswith(".parquet") for name in store.names("hcat/score-shards"))  # noqa: E731
            found = _score(folder, environment, count)
            names = [name.removeprefix("hcat/") for name in store.names() if not name.endswith("/")]
    (folder / "found.json").write_text(json.dumps({**found, "names": names}))
