"""A run that is scored by a Ray cluster of two nodes, of which one is lost: the bytes of one process, no shard left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import ROOT, settings
from hcat.core.types import Passage, Sample
from hcat.dashboard.cli import app
from tests.core.executors.two_nodes import COMMAND, METRICS, PROGRAM
from tests.core.records.stores.object_store import store_python

N = 2500


@pytest.mark.parametrize("shared", ["folder", "bucket"])
def test_two_nodes_give_the_bytes_of_one_process_also_where_one_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: str
) -> None:
    store = [store_python()] if shared == "bucket" else []
    tried = subprocess.run([*COMMAND, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no namespace of processes and network can be made here: {tried.stderr.strip()}")
    write_run(tmp_path / "run.jsonl")
    # without what Ray was told in this process, where another test had it on this machine alone
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    environment["PYTHONPATH"] = str(ROOT)
    program = [sys.executable, "-c", PROGRAM, str(tmp_path), *store]
    done = subprocess.run([*COMMAND, *program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["shards left"] == 0 and 0 < found["stored at the kill"] < 3 and found["killed"] > 2
    assert len(found["refused"]) == 3
    for told in found["refused"]:
        assert "RAY_AUTH_TOKEN" in told and told.endswith("[2]") and "\n" not in told
    assert found["names"] and all(name.startswith("embeddings/") for name in found["names"])
    expected = one_process(tmp_path, monkeypatch)
    assert (tmp_path / "killed.parquet").read_bytes() == expected


def write_run(path: Path) -> None:
    """Samples of few texts, so that little is encoded, in three shards."""
    samples = [
        Sample(
            f"s{n}",
            f"What does account {n % 40} cost?",
            f"It costs EUR {n % 40}. There is a fee of {n % 7}.",
            (Passage("doc#1", f"Account {n % 40} costs EUR {n % 40 + n % 2}."),),
        )
        for n in range(N)
    ]
    path.write_text(to_jsonl(samples))


def one_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The score file as this process makes it."""
    monkeypatch.setenv("HCAT_ARTIFACTS", str(folder / "own-artifacts"))
    settings.cache_clear()
    command = ["score", str(folder / "run.jsonl"), "-o", str(folder / "one.parquet"), "--metrics", METRICS]
    result = CliRunner().invoke(app, command)
    settings.cache_clear()
    assert result.exit_code == 0, result.output
    return (folder / "one.parquet").read_bytes()
