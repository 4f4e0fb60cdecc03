"""Annotators at the same queue at the same time, in processes of their own, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import wait
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from hcat.core.errors import ConflictError
from hcat.core.labelling.queue import QueueItem, QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from tests.core.storage.annotator_process import PATIENCE, AnnotatorProcess, level_by

ITEMS = 250 if "HCAT_DRAWS" in os.environ else 40
TEAM, LABELS_EACH, KILLS = (8, 1000, 20) if "HCAT_DRAWS" in os.environ else (3, 12, 1)


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    at: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 9, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: int) -> None:
        self.at += timedelta(**by)


@dataclass(frozen=True)
class Team:
    workspace: Workspace
    run: RunInfo
    criterion: Criterion
    queue: QueueInfo
    clock: Clock

    def take(self, annotator: str) -> QueueItem:
        item = self.workspace.queues.next_item(self.queue, annotator)
        assert item is not None
        return item

    def label(self, annotator: str, item: QueueItem, level: int = 1) -> None:
        self.workspace.labels.record(
            self.run, self.criterion, item.sample_id, level, annotator=annotator, item=item, seconds=2.0
        )


@contextmanager
def team(url: str, folder: Path, *, n: int, rules: QueueRules, clock: Clock | None = None) -> Iterator[Team]:
    settings = Settings(database_url=url, artifacts=str(folder / "artifacts"))
    clock = clock or Clock()
    workspace = Workspace.open(settings, clock=clock)
    samples = [Sample(f"q{k}", f"query {k}", "answer") for k in range(n)]
    run = workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")
    criterion = workspace.criteria.add("bank", Criterion("correctness"))
    queue = workspace.queues.plan(run, criterion, planned=n, rules=rules)
    yield Team(workspace, run, criterion, queue, clock)
    workspace.close()


@pytest.mark.parametrize(
    ("annotators", "n"),
    [
        pytest.param(("ann", "bob"), ITEMS, id="two"),
        pytest.param(("ann", "bob", "cem", "dee"), ITEMS, id="four", marks=pytest.mark.slow),
    ],
)
def test_annotators_at_once_lose_double_and_mix_nothing(
    database_url: str, tmp_path: Path, annotators: tuple[str, ...], n: int
) -> None:
    """Two labels an item on each database, by two annotators and by four, and each as it was given: 160 labels, or
    1,000 in `make simulate`."""
    with team(database_url, tmp_path, n=n, rules=QueueRules(overlap=2)) as at:
        processes = {name: AnnotatorProcess.start(at.workspace.settings, name) for name in annotators}
        for process in processes.values():
            assert process.line() == "ready"
        for process in processes.values():
            process.go()
        told = {name: [row.removeprefix("stored ") for row in process.rest()] for name, process in processes.items()}
        assert {process.process.exitcode for process in processes.values()} == {0}

        labels = at.workspace.labels.current("bank")
        assert len(labels) == len(at.workspace.labels.history("bank")) == 2 * n
        assert Counter((label.annotator, label.sample_id) for label in labels) == Counter(
            (name, sample_id) for name, ids in told.items() for sample_id in ids
        )
        per_item = Counter(label.sample_id for label in labels)
        assert set(per_item.values()) == {2}
        assert len(per_item) == n
        assert all(label.level == level_by(label.annotator, label.sample_id) for label in labels)
        assert sum(len(ids) > 0 for ids in told.values()) > 1  # they did work at the same time
        progress = at.workspace.queues.team_progress(at.queue)
        assert (progress.planned, progress.complete, progress.held) == (n, n, 0)
        assert sum(progress.labels.values()) == 2 * n


def test_a_killed_annotator_loses_nothing(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=30, rules=QueueRules(overlap=1)) as at:
        process = AnnotatorProcess.start(at.workspace.settings, "ann", most=5)
        assert process.line() == "ready"
        process.go()
        stored = [process.line().removeprefix("stored ") for _ in range(5)]
        held = process.line().removeprefix("holding ")
        process.process.kill()  # SIGKILL, with an item before her
        assert process.rest() == []
        assert sorted(label.sample_id for label in at.workspace.labels.current("bank")) == sorted(stored)

        # The worker's claim runs by the real clock; the others are asked just before and just after it ran out.
        at.clock.at = datetime.now(UTC)
        assert at.take("bob").sample_id not in {held, *stored}
        at.clock.move(minutes=11)
        seen = []
        while item := at.workspace.queues.next_item(at.queue, "bob"):
            at.label("bob", item)
            seen.append(item.sample_id)
        assert held in seen
        assert sorted(seen + stored) == sorted(f"q{k}" for k in range(30))
        # And ann, back again, is told that it is not hers any more.
        assert at.workspace.queues.next_item(at.queue, "ann") is None


def test_a_lease_expires_and_is_taken_over(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=2, rules=QueueRules(overlap=1)) as at:
        first, second = at.take("ann"), at.take("bob")
        assert first.sample_id != second.sample_id
        assert at.workspace.queues.next_item(at.queue, "cem") is None
        at.clock.move(minutes=9)
        assert at.workspace.queues.hold(at.queue, second, "bob")  # bob is still there, ann is not
        at.clock.move(minutes=1)  # the lease is ten minutes; at its end it is over
        taken = at.take("cem")
        assert taken.sample_id == first.sample_id
        assert not at.workspace.queues.hold(at.queue, first, "ann")
        with pytest.raises(ConflictError, match="took it over: take the next one"):
            at.label("ann", first, level=0)
        assert at.workspace.labels.history("bank") == []
        at.label("cem", taken)
        at.label("bob", second)
        assert {(x.annotator, x.sample_id) for x in at.workspace.labels.current("bank")} == {
            ("cem", first.sample_id),
            ("bob", second.sample_id),
        }


@dataclass
class Annotator:
    """Labels to the end in one process after another, each of which but the last is killed while it works."""

    at: Team
    name: str
    kills: list[int]
    """How many labels each killed process may store before."""
    told: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.process = AnnotatorProcess.start(self.at.workspace.settings, self.name)
        assert self.process.line() == "ready"
        self.process.go()
        self.heard = 0

    def listen(self) -> bool:
        """Hear what it says next; whether there is more to come."""
        try:
            self.told.append(self.process.line().removeprefix("stored "))
        except (EOFError, OSError):  # the latter in the middle of a word
            ended = self.process.end()
            if not self.kills:
                assert ended == 0
                return False
            del self.kills[0]
            self.begin()
            return True
        self.heard += 1
        if self.kills and self.heard == self.kills[0]:
            self.process.process.kill()  # wherever it is by now
        return True


@pytest.mark.timeout(3600 if "HCAT_DRAWS" in os.environ else 600)
def test_annotators_who_are_killed_again_and_again_lose_and_double_nothing(database_url: str, tmp_path: Path) -> None:
    """Three annotators with twelve labels each and 1 kill; in `make simulate` eight with 1,000 each and 20 kills."""
    names = [f"ann{k}" for k in range(TEAM)]
    draws = random.Random(7)
    with team(database_url, tmp_path, n=LABELS_EACH, rules=QueueRules(overlap=TEAM)) as at:
        kills = [[draws.randrange(1, LABELS_EACH // 4) for _ in range(k, KILLS, TEAM)] for k in range(TEAM)]
        annotators = [Annotator(at, name, list(counts)) for name, counts in zip(names, kills, strict=True)]
        assert sum(map(len, kills)) == KILLS
        for annotator in annotators:
            annotator.begin()
        working = {annotator.process.connection: annotator for annotator in annotators}
        while working:
            for ready in wait(list(working), PATIENCE):
                annotator = working.pop(ready)
                if annotator.listen():
                    working[annotator.process.connection] = annotator
        labels = at.workspace.labels.current("bank")
        stored = Counter((label.annotator, label.sample_id) for label in labels)
        assert stored == Counter((name, f"q{k}") for name in names for k in range(LABELS_EACH))
        assert len(at.workspace.labels.history("bank")) == len(labels) == TEAM * LABELS_EACH
        assert all(label.level == level_by(label.annotator, label.sample_id) for label in labels)
        told = Counter((annotator.name, sample_id) for annotator in annotators for sample_id in annotator.told)
        assert told <= stored
        assert (stored - told).total() <= KILLS  # stored when it was killed, before it could say so
        print(f"{len(labels):,} labels by {TEAM} annotators, {KILLS} kills: none lost, none doubled")


@pytest.mark.parametrize("ahead", [timedelta(days=11 * 365), timedelta(hours=2)], ids=["years", "hours"])
def test_a_lease_by_a_clock_that_is_wrong_holds_nobody_up(database_url: str, tmp_path: Path, ahead: timedelta) -> None:
    with team(database_url, tmp_path, n=1, rules=QueueRules(overlap=1)) as at:
        right = at.clock.at
        at.clock.at = right + ahead
        item = at.take("ann")
        at.clock.at = right
        assert at.workspace.queues.team_progress(at.queue).held == 0
        assert at.take("bob") == item
        at.label("bob", at.take("bob"))
        assert [label.annotator for label in at.workspace.labels.current("bank")] == ["bob"]


def test_a_lease_by_a_clock_that_is_somewhat_ahead_holds(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=1, rules=QueueRules(overlap=1)) as at:
        at.clock.move(minutes=50)
        at.take("ann")
        at.clock.move(minutes=-50)
        assert at.workspace.queues.next_item(at.queue, "bob") is None


def test_an_expired_lease_that_nobody_wanted_is_still_good(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=1, rules=QueueRules(overlap=1)) as at:
        item = at.take("ann")
        at.clock.move(hours=3)
        at.label("ann", item)
        assert [x.annotator for x in at.workspace.labels.current("bank")] == ["ann"]


def test_undo_by_one_does_not_touch_the_others(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=3, rules=QueueRules(overlap=2)) as at:
        done = {}
        for name in ("ann", "bob"):
            done[name] = at.take(name)
            at.label(name, done[name])
        assert done["ann"].sample_id == done["bob"].sample_id  # the same item in both slots
        ahead = at.take("ann")  # and ann has the next one on her screen
        at.workspace.labels.undo(at.run, at.criterion, annotator="ann")
        assert [x.annotator for x in at.workspace.labels.current("bank")] == ["bob"]
        assert at.take("ann") == done["ann"]  # hers again, in place of the one ahead
        assert at.workspace.queues.next_item(at.queue, "cem") == ahead  # both slots of the first are taken
        at.label("ann", at.take("ann"), level=0)
        assert {(x.annotator, x.level) for x in at.workspace.labels.current("bank")} == {("ann", 0), ("bob", 1)}
        kinds = [(x.annotator, x.kind) for x in at.workspace.labels.history("bank")]
        assert kinds == [("ann", "label"), ("bob", "label"), ("ann", "withdrawn"), ("ann", "label")]


def test_a_skip_frees_the_slot_and_cannot_judge_does_not(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=1, rules=QueueRules(overlap=1)) as at:
        item = at.take("ann")
        at.workspace.labels.skip(at.run, at.criterion, item.sample_id, annotator="ann", item=item, reason="expert")
        assert at.workspace.queues.next_item(at.queue, "ann") is None
        again = at.take("bob")
        assert again == item
        at.workspace.labels.cannot_judge(at.run, at.criterion, item.sample_id, "no answer", annotator="bob", item=again)
        assert at.workspace.queues.next_item(at.queue, "cem") is None
        assert at.workspace.labels.current("bank") == []
        progress = at.workspace.queues.team_progress(at.queue)
        assert (progress.complete, progress.cannot_judge, progress.skipped) == (1, 1, 0)
        at.workspace.labels.undo(at.run, at.criterion, annotator="ann")  # too late for ann: the slot is bob's
        assert at.workspace.queues.next_item(at.queue, "ann") is None
        at.workspace.labels.undo(at.run, at.criterion, annotator="bob")
        assert at.take("bob") == item


def test_two_tabs_of_one_annotator_show_the_same_item_and_make_one_label(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=20, rules=QueueRules(overlap=1)) as at:
        taken: list[QueueItem] = []
        threads = [threading.Thread(target=lambda: taken.append(at.take("ann"))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({item.sample_id for item in taken}) == 1
        assert len(taken) == 6
        for item in taken:
            at.label("ann", item)
        assert len(at.workspace.labels.current("bank")) == 1
        assert at.take("ann").sample_id != taken[0].sample_id


@pytest.mark.parametrize(
    ("slot", "annotator", "constraint"), [(0, "bob", "slot"), (1, "ann", "annotator")], ids=["slot", "annotator"]
)
def test_the_database_itself_refuses_a_second_claim(
    database_url: str, tmp_path: Path, slot: int, annotator: str, constraint: str
) -> None:
    with team(database_url, tmp_path, n=1, rules=QueueRules(overlap=2)) as at:
        item = at.take("ann")
        with (
            pytest.raises(IntegrityError, match=constraint),
            at.workspace.write("tests", "queue.next_item") as write,
            write.transaction() as session,
        ):
            session.execute(
                text(
                    "INSERT INTO claim "
                    "(queue_id, sample_id, annotator, occurrence, purpose, slot, claimed_at, expires_at) "
                    "VALUES (:queue, :sample, :annotator, 0, 'estimate', :slot, :at, :at)"
                ),
                {
                    "queue": at.queue.id,
                    "sample": item.sample_id,
                    "annotator": annotator,
                    "slot": slot,
                    "at": "2026-03-01 09:00:00",
                },
            )


def test_an_item_labelled_elsewhere_needs_fewer_labels_here(database_url: str, tmp_path: Path) -> None:
    with team(database_url, tmp_path, n=2, rules=QueueRules(overlap=2)) as at:
        first = at.workspace.queues.items(at.queue)[0]
        at.workspace.labels.record(at.run, at.criterion, first.sample_id, 1, annotator="zoe")  # by hand
        assert at.take("zoe").sample_id != first.sample_id
        at.label("ann", at.take("ann"))
        assert at.take("bob").sample_id != first.sample_id  # zoe and ann are two
        at.workspace.queues.release(at.take("bob"), "bob")
        assert at.workspace.queues.team_progress(at.queue).complete == 1
