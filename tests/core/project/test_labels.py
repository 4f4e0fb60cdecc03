from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.labelling.queue import QueueItem, QueueProgress
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.storage.stores.queues import QueueTable
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace

FORK = multiprocessing.get_context("fork")
N = 40


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    samples = [Sample(f"q{k}", f"query {k}", "answer", dimensions={"area": AREAS[k]}) for k in range(N)]
    return workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")


AREAS = ["fees"] * 30 + ["cards"] * 8 + ["fraud"] * 2


@pytest.fixture
def criterion(workspace: Workspace, run: RunInfo) -> Criterion:
    return workspace.criteria.add("bank", Criterion("correctness", guideline="v1"))


def test_a_label_is_stored_at_once_with_all_it_says(workspace: Workspace, run: RunInfo, criterion: Criterion):
    before = datetime.now(UTC)
    item = QueueItem("q3", 0.25, queue="random")
    workspace.labels.record(run, criterion, "q3", 1, annotator="ann", item=item, rationale="cites the fee", seconds=8.5)
    [label] = workspace.labels.current("bank", "correctness", run)
    assert (label.sample_id, label.level, label.annotator, label.run) == ("q3", 1, "ann", "v1")
    assert (label.probability, label.rationale, label.guideline_version) == (0.25, "cites the fee", 1)
    assert label.at is not None
    assert before <= label.at <= datetime.now(UTC)
    [entry] = workspace.labels.history("bank")
    assert (entry.seconds, entry.queue, entry.kind, entry.superseded) == (8.5, "random", "label", False)


def test_a_second_thought_supersedes_and_the_log_keeps_both(workspace: Workspace, run: RunInfo, criterion: Criterion):
    first = workspace.labels.record(run, criterion, "q3", 1, annotator="ann", item=QueueItem("q3", 0.25))
    edited = workspace.criteria.edit_guideline("bank", criterion, "v2")
    second = workspace.labels.record(run, edited, "q3", 0, annotator="ann")
    [label] = workspace.labels.current("bank")
    assert (label.level, label.probability, label.guideline_version) == (0, 0.25, 2)  # drawn as it was the first time
    assert second.supersedes == first.id
    history = workspace.labels.history("bank", sample_id="q3")
    assert [(entry.level, entry.superseded) for entry in history] == [(1, True), (0, False)]


def test_annotators_do_not_supersede_each_other(workspace: Workspace, run: RunInfo, criterion: Criterion):
    workspace.labels.record(run, criterion, "q3", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q3", 0, annotator="bob")
    assert [(label.annotator, label.level) for label in workspace.labels.current("bank")] == [("ann", 1), ("bob", 0)]
    assert [label.level for label in workspace.labels.current("bank", annotator="bob")] == [0]


def test_undo_withdraws_the_latest_and_the_sample_is_open_again(
    workspace: Workspace, run: RunInfo, criterion: Criterion
):
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q2", 1, annotator="ann")
    withdrawn = workspace.labels.undo(run, criterion, annotator="ann")
    assert withdrawn is not None
    assert withdrawn.sample_id == "q2"
    assert [label.sample_id for label in workspace.labels.current("bank")] == ["q1"]
    assert [entry.kind for entry in workspace.labels.history("bank", sample_id="q2")] == ["label", "withdrawn"]
    workspace.labels.record(run, criterion, "q2", 0, annotator="ann")  # and labelled anew
    assert [(label.sample_id, label.level) for label in workspace.labels.current("bank")] == [("q1", 1), ("q2", 0)]


def test_undo_goes_back_one_at_a_time_and_ends(workspace: Workspace, run: RunInfo, criterion: Criterion):
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q2", 1, annotator="bob")
    assert workspace.labels.undo(run, criterion, annotator="ann") is not None
    assert workspace.labels.undo(run, criterion, annotator="ann") is None
    assert [label.annotator for label in workspace.labels.current("bank")] == ["bob"]


def test_undoing_a_change_gives_way_to_what_was_said_before(workspace: Workspace, run: RunInfo, criterion: Criterion):
    first = workspace.labels.record(run, criterion, "q1", 1, annotator="ann", rationale="as it stands", seconds=4.0)
    workspace.labels.record(run, criterion, "q2", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")
    workspace.labels.cannot_judge(run, criterion, "q1", "the texts don't tell", annotator="ann")
    said: list[list[tuple[str, str, int | None]]] = []
    while (undone := workspace.labels.undo(run, criterion, annotator="ann")) is not None:
        held = workspace.store.log.current(run.project_id, criterion=criterion.name, run_id=run.id)
        said.append(sorted((record.sample_id, record.kind, record.level) for record in held))
        assert undone.annotator == "ann"
    # Backwards through all that was said, q2 before the first label of q1: it was said after that.
    assert said == [
        [("q1", "label", 0), ("q2", "label", 1)],
        [("q1", "label", 1), ("q2", "label", 1)],
        [("q1", "label", 1)],
        [],
    ]
    history = workspace.labels.history("bank", sample_id="q1")
    again = history[4]
    assert (again.restores, again.rationale, again.seconds, again.details) == (
        first.id,
        "as it stands",
        4.0,
        first.details,
    )
    assert [entry.kind for entry in history] == ["label", "label", "cannot_judge", "label", "label", "withdrawn"]


def test_an_undone_change_leaves_the_queue_as_it_was(workspace: Workspace, run: RunInfo, criterion: Criterion):
    queue = workspace.queues.plan(run, criterion)
    item = workspace.queues.next_item(queue, "ann")
    assert item is not None
    workspace.labels.record(run, criterion, item.sample_id, 1, annotator="ann", item=item)
    following = workspace.queues.next_item(queue, "ann")
    before = workspace.queues.progress(queue, "ann")
    workspace.labels.record(run, criterion, item.sample_id, 0, annotator="ann")
    workspace.labels.undo(run, criterion, annotator="ann")
    assert workspace.queues.next_item(queue, "ann") == following
    assert workspace.queues.progress(queue, "ann") == before
    [label] = workspace.labels.current("bank")
    assert (label.level, label.probability) == (1, item.probability)


def test_what_is_said_after_an_undone_change_is_undone_first(workspace: Workspace, run: RunInfo, criterion: Criterion):
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")
    workspace.labels.undo(run, criterion, annotator="ann")
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")
    workspace.labels.record(run, criterion, "q3", 0, annotator="ann")
    levels = []
    while workspace.labels.undo(run, criterion, annotator="ann") is not None:
        levels.append({label.sample_id: label.level for label in workspace.labels.current("bank")})
    assert levels == [{"q1": 0}, {"q1": 1}, {}]


@pytest.mark.parametrize("statement", ["UPDATE label SET level = 0", "DELETE FROM label"])
def test_the_database_itself_refuses_to_change_the_log(
    workspace: Workspace, run: RunInfo, criterion: Criterion, tmp_path: Path, statement: str
):
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    with closing(sqlite3.connect(tmp_path / "hcat.db")) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
        assert connection.execute("SELECT level FROM label").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("supersedes", "constraint"), [(1, "label.supersedes"), (None, "label.run_id, label.criterion_id")]
)
def test_the_database_itself_keeps_one_chain_a_sample(
    workspace: Workspace,
    run: RunInfo,
    criterion: Criterion,
    tmp_path: Path,
    supersedes: int | None,
    constraint: str,
):
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    workspace.labels.record(run, criterion, "q1", 0, annotator="ann")  # supersedes entry 1
    entry = (
        "INSERT INTO label (run_id, criterion_id, sample_id, annotator, kind, level, probability, queue, "
        "guideline_version, at, supersedes) VALUES (1, 1, 'q1', 'ann', 'label', 1, 1, 'none', 1, '2026', ?)"
    )
    with closing(sqlite3.connect(tmp_path / "hcat.db")) as connection:
        with pytest.raises(sqlite3.IntegrityError, match=f"UNIQUE constraint failed: {constraint}"):
            connection.execute(entry, [supersedes])
        assert connection.execute("SELECT count(*) FROM label").fetchone() == (2,)


def test_annotators_at_the_same_time_lose_nothing(workspace: Workspace, run: RunInfo, criterion: Criterion):
    def work(annotator: str) -> None:
        for k in range(10):
            workspace.labels.record(run, criterion, f"q{k}", k % 2, annotator=annotator)

    threads = [threading.Thread(target=work, args=[name]) for name in ("ann", "bob", "cem", "ann")]  # ann in two tabs
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    labels = workspace.labels.current("bank")
    assert len(workspace.labels.history("bank")) == 40
    assert sorted((label.annotator, label.sample_id) for label in labels) == sorted(
        (name, f"q{k}") for name in ("ann", "bob", "cem") for k in range(10)
    )


def record_ten(settings: Settings, annotator: str, others: Barrier) -> None:
    with Workspace.open(settings) as own:
        run, criterion = own.runs.get("bank", "v1"), own.criteria.get("bank", "correctness")
        others.wait(300)
        for k in range(10):
            own.labels.record(run, criterion, f"q{k}", k % 2, annotator=annotator)


def test_processes_at_the_same_time_lose_nothing(workspace: Workspace, run: RunInfo, criterion: Criterion):
    at_once = FORK.Barrier(3)
    processes = [
        FORK.Process(target=record_ten, args=[workspace.settings, name, at_once]) for name in ("ann", "bob", "bob")
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(workspace.labels.history("bank")) == 30
    assert len(workspace.labels.current("bank")) == 20


def test_wrong_labels_are_refused(workspace: Workspace, run: RunInfo, criterion: Criterion):
    with pytest.raises(HcatError, match=r"has no level 2: it has 0 \(fail\), 1 \(pass\)"):
        workspace.labels.record(run, criterion, "q1", 2, annotator="ann")
    with pytest.raises(NotFoundError, match="no sample 'zzz'"):
        workspace.labels.record(run, criterion, "zzz", 1, annotator="ann")
    with pytest.raises(NotFoundError, match=r"no criterion 'other' \(it has: correctness\)"):
        workspace.labels.record(run, Criterion("other"), "q1", 1, annotator="ann")
    with pytest.raises(HcatError, match="the annotator needs a name"):
        workspace.labels.record(run, criterion, "q1", 1, annotator=" ")
    with pytest.raises(HcatError, match="take the next one"):
        workspace.labels.record(run, criterion, "q1", 1, annotator="ann", item=QueueItem("q2", 0.5))
    assert workspace.labels.history("bank") == []


def test_imported_labels_are_all_stored_or_none(workspace: Workspace, run: RunInfo, criterion: Criterion):
    good = Label("q1", "correctness", 1, "ann", at=datetime(2026, 1, 2, 3, 4))  # a file's time without a zone
    with pytest.raises(NotFoundError, match="no sample 'zzz'"):
        workspace.labels.add(run, criterion, [good, Label("zzz", "correctness", 1)])
    assert workspace.labels.current("bank") == []
    workspace.labels.add(run, criterion, [good, Label("q2", "relevance", 0)])  # of another criterion: left alone
    [label] = workspace.labels.current("bank")
    assert (label.sample_id, label.at) == ("q1", datetime(2026, 1, 2, 3, 4, tzinfo=UTC))


def test_importing_the_same_labels_twice_adds_nothing(workspace: Workspace, run: RunInfo, criterion: Criterion):
    labels = [Label("q1", "correctness", 1, "ann"), Label("q2", "correctness", 0, "ann", rationale="no")]
    assert len(workspace.labels.add(run, criterion, labels)) == 2
    assert workspace.labels.add(run, criterion, labels) == []
    changed = [Label("q1", "correctness", 0, "ann")]
    assert len(workspace.labels.add(run, criterion, changed)) == 1
    assert [(label.sample_id, label.level) for label in workspace.labels.current("bank")] == [("q2", 0), ("q1", 0)]


def test_labels_can_be_asked_for_by_run(workspace: Workspace, run: RunInfo, criterion: Criterion):
    other = workspace.runs.add("bank", "v2", workspace.runs.samples(run), source="x")
    workspace.labels.record(run, criterion, "q1", 1, annotator="ann")
    workspace.labels.record(other, criterion, "q1", 0, annotator="ann")
    assert [(label.run, label.level) for label in workspace.labels.current("bank", "correctness")] == [
        ("v1", 1),
        ("v2", 0),
    ]
    assert [label.level for label in workspace.labels.current("bank", "correctness", other)] == [0]


def test_a_queue_is_worked_through_and_resumed(workspace: Workspace, run: RunInfo, criterion: Criterion):
    seen = []
    while item := workspace.queues.next_item(workspace.queues.plan(run, criterion, planned=10), "ann"):
        assert item.probability == 0.25  # 10 / 40
        if len(seen) == 3:
            workspace.labels.skip(run, criterion, item.sample_id, annotator="ann", item=item, reason="unreadable")
        else:
            workspace.labels.record(run, criterion, item.sample_id, 1, annotator="ann", item=item)
        seen.append(item.sample_id)
    assert len(seen) == len(set(seen)) == 10
    assert workspace.queues.progress(workspace.queues.plan(run, criterion), "ann") == QueueProgress(
        done=9, skipped=1, planned=10
    )
    assert {label.probability for label in workspace.labels.current("bank")} == {0.25}
    assert len(workspace.labels.current("bank")) == 9  # the skipped one is no label
    workspace.labels.undo(run, criterion, annotator="ann")
    item = workspace.queues.next_item(workspace.queues.plan(run, criterion), "ann")
    assert item is not None
    assert item.sample_id == seen[-1]


def test_the_order_is_the_same_for_all_and_in_another_workspace(
    workspace: Workspace, run: RunInfo, criterion: Criterion, tmp_path: Path
):
    other = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'b.db'}", artifacts=str(tmp_path / "artifacts-b"))
    )
    copy = other.runs.add(other.projects.create("copy"), "other name", workspace.runs.samples(run), source="x")
    other.criteria.add("copy", criterion)
    mine = workspace.queues.items(workspace.queues.plan(run, criterion))
    assert other.queues.items(other.queues.plan(copy, criterion)) == mine
    assert {item.sample_id for item in mine} == {f"q{k}" for k in range(N)}
    relevance = workspace.criteria.add("bank", Criterion("relevance"))
    assert workspace.queues.items(workspace.queues.plan(run, relevance)) != mine


def test_each_annotator_has_the_whole_queue(workspace: Workspace, run: RunInfo, criterion: Criterion):
    first = workspace.queues.next_item(workspace.queues.plan(run, criterion), "ann")
    assert first is not None
    workspace.labels.record(run, criterion, first.sample_id, 1, annotator="ann", item=first)
    assert workspace.queues.next_item(workspace.queues.plan(run, criterion), "bob") == first
    assert workspace.queues.progress(workspace.queues.plan(run, criterion), "bob").done == 0
    assert workspace.queues.team_progress(workspace.queues.plan(run, criterion)).complete == 1  # anybody


def test_labels_by_a_rule_are_nobodys_work(workspace: Workspace, run: RunInfo, criterion: Criterion):
    rule = [Label(f"q{k}", "correctness", 1, "reference-rule", probability=0.5, source="rule") for k in range(N)]
    workspace.labels.add(run, criterion, rule, queue="rule")
    assert workspace.queues.team_progress(workspace.queues.plan(run, criterion)).labels == {}
    assert workspace.queues.next_item(workspace.queues.plan(run, criterion), "ann") is not None


def test_a_queue_is_not_drawn_again(workspace: Workspace, run: RunInfo, criterion: Criterion):
    workspace.queues.plan(run, criterion, planned=10)
    assert workspace.queues.plan(run, criterion).planned == 10
    with pytest.raises(ConflictError, match="drawn with 10 samples"):
        workspace.queues.plan(run, criterion, planned=20)


def test_a_queue_drawn_by_two_at_once_is_one(
    workspace: Workspace, run: RunInfo, criterion: Criterion, monkeypatch: pytest.MonkeyPatch
):
    theirs = workspace.queues.plan(run, criterion, planned=10)
    look, looks = QueueTable.newest, []

    def look_too_early_once(table: QueueTable, *wanted: object) -> QueueInfo | None:
        looks.append(wanted)
        return None if len(looks) == 1 else look(table, *wanted)  # type: ignore[arg-type]

    monkeypatch.setattr(QueueTable, "newest", look_too_early_once)
    assert workspace.queues.plan(run, criterion) == theirs
    assert len(looks) == 2


def test_a_stratified_queue_draws_the_same_of_each(workspace: Workspace, run: RunInfo, criterion: Criterion):
    queue = workspace.queues.plan(run, criterion, kind="stratified", dimension="area", planned=12)
    items = workspace.queues.items(queue)
    # 12 over three is 4 each; fraud has but 2, so fees and cards give 5 each: 5/30, 5/8, 2/2.
    assert {(item.stratum, item.probability) for item in items} == {("fees", 5 / 30), ("cards", 5 / 8), ("fraud", 1.0)}
    assert {item.queue for item in items} == {"stratified by area"}
    assert workspace.queues.plan(run, criterion).id != queue.id  # the random queue is another


@pytest.mark.parametrize(
    ("kind", "dimension", "message"),
    [
        ("stratified", None, "needs the dimension"),
        ("random", "area", "takes none"),
        ("stratified", "colour", "no dimension 'colour': choose one of area, topic"),
        ("stratified", "topic", "find them first"),
    ],
)
def test_a_queue_that_cannot_be_drawn_says_why(
    workspace: Workspace, run: RunInfo, criterion: Criterion, kind: str, dimension: str | None, message: str
):
    with pytest.raises(HcatError, match=message):
        workspace.queues.plan(run, criterion, kind=kind, dimension=dimension)  # type: ignore[arg-type]


def test_a_sample_of_the_random_queue_keeps_its_probability_when_picked_by_hand(
    workspace: Workspace, run: RunInfo, criterion: Criterion
):
    drawn = {item.sample_id for item in workspace.queues.items(workspace.queues.plan(run, criterion, planned=10))}
    inside, outside = sorted(drawn)[0], sorted({f"q{k}" for k in range(N)} - drawn)[0]
    assert workspace.labels.record(run, criterion, inside, 1, annotator="ann").probability == 0.25
    assert workspace.labels.record(run, criterion, outside, 1, annotator="ann").probability == 1.0


def test_labels_of_several_queues_have_the_probability_of_their_union(
    workspace: Workspace, run: RunInfo, criterion: Criterion
):
    half = [Label(f"q{k}", "correctness", 1, "reference-rule", probability=0.5, source="rule") for k in range(0, N, 2)]
    workspace.labels.add(run, criterion, half, queue="rule")
    assert {label.probability for label in workspace.labels.current("bank", run=run)} == {0.5}
    for _ in range(10):
        item = workspace.queues.next_item(workspace.queues.plan(run, criterion), "ann")
        assert item is not None
        workspace.labels.record(run, criterion, item.sample_id, 0, annotator="ann", item=item)
    # A random half and 10 of 40 in random order: 1 − 0.5 · 0.75 for all, whoever labelled. The log keeps the draws'.
    assert [label.probability for label in workspace.labels.current("bank", run=run)] == pytest.approx([0.625] * 30)
    assert {entry.probability for entry in workspace.labels.history("bank")} == {0.5, 1.0}
    queue = workspace.queues.plan(run, criterion, kind="stratified", dimension="area", planned=12)
    item = workspace.queues.items(queue)[0]
    workspace.labels.record(run, criterion, item.sample_id, 0, annotator="bob", item=item)
    size = AREAS.count(str(item.stratum))
    for label in workspace.labels.current("bank", run=run):
        inside = AREAS[int(label.sample_id[1:])] == item.stratum
        assert label.probability == pytest.approx(1 - 0.375 * (1 - 1 / size) if inside else 0.625)
    workspace.labels.record(run, criterion, "q39", 1, annotator="cy", item=QueueItem("q39", 1.0, queue="none"))
    assert 0.5 in {
        label.probability for label in workspace.labels.current("bank", run=run)
    }  # by hand: no design, as stored
