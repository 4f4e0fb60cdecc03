"""Acknowledged labels survive a power cut and are in every later backup; jobs survive a viewer's wrong clock."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from hcat.core.labelling.queue import QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.project.backups import back_up, restore
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.storage.stores import jobs
from hcat.core.storage.tables.row import now
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from tests.core.worker.test_worker import add, this_worker

N = 12


def place(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "files"))


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Workspace, RunInfo, Criterion, QueueInfo]]:
    with Workspace.open(place(folder)) as workspace:
        samples = [Sample(f"q{k}", f"query {k}", "answer") for k in range(N)]
        run = workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")
        criterion = workspace.criteria.add("bank", Criterion("correctness"))
        queue = workspace.queues.plan(run, criterion, planned=N, rules=QueueRules(overlap=2))
        yield workspace, run, criterion, queue


def label_next(workspace: Workspace, annotator: str) -> str | None:
    run, criterion = workspace.runs.get("bank", "v1"), workspace.criteria.get("bank", "correctness")
    [queue] = workspace.queues.all(run)
    item = workspace.queues.next_item(queue, annotator)
    if item is None:
        return None
    workspace.labels.record(run, criterion, item.sample_id, 1, annotator=annotator, item=item, seconds=1.0)
    return item.sample_id


def labelled(folder: Path) -> list[str]:
    with Workspace.open(place(folder)) as workspace:
        return [label.sample_id for label in workspace.labels.history("bank")]


def test_a_power_cut_after_any_label_keeps_it_and_all_before(tmp_path: Path) -> None:
    """The log of writes, which is synced at each commit, is cut off at every length that a power cut could leave."""
    store = tmp_path / "store"
    log = store / "hcat.db-wal"
    with opened(store) as (workspace, *_):
        with closing(sqlite3.connect(store / "hcat.db")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert log.stat().st_size == 0
        lengths, samples = [0], list[str]()
        for _ in range(5):
            sample_id = label_next(workspace, "ann")
            assert sample_id is not None
            samples.append(sample_id)
            lengths.append(log.stat().st_size)
        assert lengths == sorted(set(lengths)), "each label is in the log when it is acknowledged"
        shutil.copytree(store, tmp_path / "cut")
    whole = (tmp_path / "cut" / "hcat.db-wal").read_bytes()
    assert len(whole) == lengths[-1]
    for number, length in enumerate(lengths):
        ends = [length] if number == len(samples) else [length, (length + lengths[number + 1]) // 2]
        for end in ends:
            copy = tmp_path / f"cut-{end}"
            shutil.copytree(tmp_path / "cut", copy)
            (copy / "hcat.db-wal").write_bytes(whole[:end])
            (copy / "hcat.db-shm").unlink(missing_ok=True)
            kept = labelled(copy)
            assert kept == samples[: len(kept)]
            assert len(kept) >= number


def test_a_backup_while_two_annotators_label_holds_all_that_was_acknowledged_before(tmp_path: Path) -> None:
    store = tmp_path / "store"
    acknowledged: dict[str, list[str]] = {"ann": [], "bob": []}
    under_way = {name: threading.Event() for name in acknowledged}

    def work(name: str) -> None:
        with Workspace.open(place(store)) as own:
            while sample_id := label_next(own, name):
                acknowledged[name].append(sample_id)
                if len(acknowledged[name]) == 2:
                    under_way[name].set()

    with opened(store):
        annotators = [threading.Thread(target=work, args=(name,)) for name in acknowledged]
        for annotator in annotators:
            annotator.start()
        backups: list[dict[str, int]] = []
        for event in under_way.values():
            assert event.wait(120)
            backups.append({name: len(done) for name, done in acknowledged.items()})
            back_up(tmp_path / f"{len(backups)}.zip", place(store))
        for annotator in annotators:
            annotator.join()
    assert {len(done) for done in acknowledged.values()} == {N}
    for number, before in enumerate(backups, start=1):
        other = tmp_path / f"restored{number}"
        restore(tmp_path / f"{number}.zip", place(other))
        with Workspace.open(place(other)) as workspace:
            entries = workspace.labels.history("bank")
            for name, done in acknowledged.items():
                own = [entry.sample_id for entry in entries if entry.annotator == name]
                assert own == done[: len(own)]
                assert len(own) >= before[name]
            while label_next(workspace, "ann") or label_next(workspace, "bob"):
                pass  # and the queue goes on from there
            assert len(workspace.labels.current("bank")) == 2 * N


def test_who_looks_with_a_clock_that_is_ahead_sees_a_running_job_run(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server's database has one clock for all machines. A file is on one machine, which has one."""
    if database_url.startswith("sqlite"):
        pytest.skip("an embedded store is read on the machine that writes it")
    with Workspace.open(Settings(database_url=database_url, artifacts=str(tmp_path / "files"))) as workspace:
        job_id = add(workspace)
        assert workspace.jobs.claim(job_id, this_worker())
        monkeypatch.setattr(jobs, "now", lambda: now() + timedelta(hours=1))
        assert workspace.jobs.get(job_id).status == "running"
        assert workspace.jobs.beat(job_id, this_worker())
        monkeypatch.undo()
        assert workspace.jobs.get(job_id).status == "running"
