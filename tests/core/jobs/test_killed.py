"""Imports and scoring jobs that are killed at any point leave nothing half-done, and resumed ones end the same."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
import pytest

from hcat.core.jobs.processes import is_alive
from hcat.core.records.job import Worker
from hcat.core.records.project import RunInfo
from hcat.core.records.run_file import content_hash, to_jsonl
from hcat.core.settings import Settings
from hcat.core.types import Passage, Sample
from hcat.core.workspace import Workspace

ROOT = Path(__file__).parents[3]
CHUNK = 32
METRICS = ("context_relevancy", "groundedness", "completeness", "completeness_transport", "answer_relevancy")
PATIENCE = 240.0


def settings(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))


def until(happens: Callable[[], bool], *, what: str, every: float = 0.002) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(every)


@dataclass(frozen=True)
class Nursery:
    """The process that forks what is to be killed."""

    process: subprocess.Popen[str]

    def fork(self, line: str) -> Worker:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        pid = int(self.process.stdout.readline())
        try:
            return Worker(os.uname().nodename, pid, psutil.Process(pid).create_time())
        except psutil.NoSuchProcess:
            return Worker(os.uname().nodename, pid, 0.0)


@pytest.fixture(scope="module")
def killable() -> Iterator[Nursery]:
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("killable.py")), str(CHUNK)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield Nursery(process)
    assert process.stdin is not None
    process.stdin.close()
    process.wait(PATIENCE)


def kill(worker: Worker) -> bool:
    """Whether the kill came before the end."""
    try:
        os.kill(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    until(lambda: not is_alive(worker), what="the killed process is gone")
    return True


def run_samples(count: int, *, sentences: int) -> list[Sample]:
    rng = random.Random(5)
    words = ["fee", "card", "rate", "loan", "bank", "account", "transfer", "limit", "month", "year", "branch", "fraud"]

    def text(number: int) -> str:
        return " ".join(f"{' '.join(rng.choices(words, k=rng.randint(3, 7))).capitalize()}." for _ in range(number))

    return [
        Sample(f"q{k}", text(1), text(2), contexts=tuple(Passage(f"d{k}#{j}", text(sentences)) for j in range(2)))
        for k in range(count)
    ]


@pytest.mark.parametrize("wanted", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_a_killed_import_is_whole_or_not_there(
    tmp_path: Path, killable: Nursery, wanted: int, record_property: Callable[[str, object], None]
):
    workspace, rng = Workspace.open(settings(tmp_path)), random.Random(11)
    project = workspace.projects.create("p")
    samples = run_samples(4000, sentences=3)
    (tmp_path / "run.jsonl").write_text(to_jsonl(samples))
    expected, folder = content_hash(samples), tmp_path / "artifacts" / "samples"

    def start(name: str) -> Worker:
        return killable.fork(f"{tmp_path} import {name} {tmp_path / 'run.jsonl'}")

    begun = time.monotonic()
    first = start("undisturbed")
    until(lambda: not is_alive(first), what="the undisturbed import ends")
    longest = time.monotonic() - begun
    assert [run.n for run in workspace.runs.all(project)] == [4000]
    kills = whole = 0
    for attempt in itertools.count():
        if kills == wanted:
            break
        for file in folder.iterdir():
            file.unlink()
        before = len(workspace.runs.all(project))
        worker = start(f"run-{attempt}")
        if attempt % 3 == 0:  # while the file is being written, or right after
            until(partial(something_in, folder, worker), what="a file appears")
        else:
            time.sleep(rng.uniform(0, longest))
        if kill(worker):
            kills += 1
        else:
            longest /= 2  # it was through: the next is killed earlier
        runs = workspace.runs.all(project)
        for run in runs[before:]:
            whole += 1
            assert (run.n, run.content_hash) == (4000, expected)
            assert content_hash(workspace.runs.samples(run)) == expected
        assert not any(file.name.endswith(".parquet") and file.stat().st_size == 0 for file in folder.iterdir())
    assert workspace.runs.add(project, "last", samples, source="x").content_hash == expected
    record_property("kills", f"{kills}; {whole} imports were through before")


def something_in(folder: Path, worker: Worker) -> bool:
    return any(folder.iterdir()) or not is_alive(worker)


def workspace_with_run(folder: Path, killable: Nursery, monkeypatch: pytest.MonkeyPatch) -> tuple[Workspace, RunInfo]:
    """A new workspace, whose jobs are forked instead of started from nothing."""
    folder.mkdir()
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda _, job_id: killable.fork(f"{folder} job {job_id}"))
    workspace = Workspace.open(settings(folder))
    samples = run_samples(48, sentences=5)
    return workspace, workspace.runs.add(workspace.projects.create("p"), "r", samples, source="run.jsonl")


def shards(workspace: Workspace) -> int:
    return len(list(Path(workspace.settings.artifacts).glob("embeddings/*/*.parquet")))


def artifact(workspace: Workspace, run: RunInfo) -> str:
    latest = workspace.store.results.latest_scoring(run.id)
    assert latest is not None
    return latest.artifact


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_a_scoring_job_killed_again_and_again_ends_bitwise_like_an_undisturbed_one(
    tmp_path: Path,
    killable: Nursery,
    kills: int,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
):
    undisturbed, run = workspace_with_run(tmp_path / "undisturbed", killable, monkeypatch)
    job = undisturbed.jobs.start_scoring(run, METRICS)
    until(lambda: not undisturbed.jobs.get(job.id).is_active, what="the undisturbed job ends", every=0.1)
    assert undisturbed.jobs.get(job.id).status == "done", undisturbed.jobs.get(job.id).error
    expected, in_all = artifact(undisturbed, run), shards(undisturbed)
    assert in_all >= 8
    rng, rounds, points = random.Random(17), 0, []
    while len(points) < kills:
        workspace, run = workspace_with_run(tmp_path / f"round-{rounds}", killable, monkeypatch)
        rounds += 1
        job = workspace.jobs.start_scoring(run, METRICS)
        while workspace.jobs.get(job.id).is_active:
            if len(points) >= kills:
                time.sleep(0.01)
                continue
            wait_for_a_point(workspace, job.id, in_all, rng)
            worker = workspace.store.job_table.state(job.id).worker
            if worker is not None and kill(worker) and workspace.jobs.get(job.id).status == "interrupted":
                points.append(f"{shards(workspace)} {workspace.jobs.get(job.id).stage}".strip())
                assert workspace.jobs.resume(job.id).attempt >= 2
        assert workspace.jobs.get(job.id).status == "done", workspace.jobs.get(job.id).error
        assert artifact(workspace, run) == expected  # the SHA-256 of the score file
        assert shards(workspace) == in_all  # no chunk was cut otherwise than in the undisturbed job
    record_property("kills", f"{len(points)} in {rounds} jobs, after {points} of {in_all} chunks")


def wait_for_a_point(workspace: Workspace, job_id: int, in_all: int, rng: random.Random) -> None:
    """Until some more chunks are stored and a moment on, or while the model is loading, or past the last chunk."""
    present = shards(workspace)
    if present < in_all and rng.random() < 0.6:
        wanted = min(present + rng.randint(1, 3), in_all)
        until(lambda: shards(workspace) >= wanted or not workspace.jobs.get(job_id).is_active, what="chunks are stored")
        time.sleep(rng.uniform(0, 0.05))
    else:
        time.sleep(rng.uniform(0, 1.5))


def test_a_real_job_that_was_killed_is_resumed_to_the_same_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Without the nursery: the process that the workspace starts itself, from nothing, with the usual chunks."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    samples, folders = run_samples(24, sentences=5), (tmp_path / "undisturbed", tmp_path / "killed")
    undisturbed, workspace = (Workspace.open(settings(folder)) for folder in folders)
    run, killed = (
        place.runs.add(place.projects.create("p"), "r", samples, source="run.jsonl")
        for place in (undisturbed, workspace)
    )
    job = workspace.jobs.start_scoring(killed, METRICS)
    assert workspace.jobs.start_scoring(killed, METRICS).id == job.id  # a second click starts no second job
    until(lambda: shards(workspace) > 0, what="a chunk is stored", every=0.02)
    worker = workspace.store.job_table.state(job.id).worker
    assert worker is not None
    assert kill(worker)
    assert workspace.jobs.get(job.id).status == "interrupted"
    workspace.jobs.resume(job.id)
    other = undisturbed.jobs.start_scoring(run, METRICS)
    for place, job_id in ((workspace, job.id), (undisturbed, other.id)):
        until(partial(is_over, place, job_id), what="the job ends", every=0.2)
        assert place.jobs.get(job_id).status == "done", place.jobs.get(job_id).error
    assert artifact(workspace, killed) == artifact(undisturbed, run)


def is_over(workspace: Workspace, job_id: int) -> bool:
    return not workspace.jobs.get(job_id).is_active
