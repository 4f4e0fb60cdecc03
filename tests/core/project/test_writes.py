"""Every change of the database goes through `Workspace.write`, and says who made it, what it is and when."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from hcat.core.errors import ConflictError, HcatError
from hcat.core.jobs.processes import this_worker
from hcat.core.project.actions import ACTIONS, Action
from hcat.core.project.open_store import OpenStore
from hcat.core.records.audit import first_fault
from hcat.core.records.job import Worker
from hcat.core.settings import ROOT, Settings
from hcat.core.storage.audit.chain import NOT_LOGGED
from hcat.core.storage.stores.audit import AuditLog
from hcat.core.storage.tables.projects import ProjectRow
from hcat.core.storage.write import Write
from hcat.core.types import Criterion, Label, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.core.project.test_services import SERVICES, verbs
from tests.core.project.walk import walk
from tests.pages.conftest import word_models

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Seen = list[tuple[str, str, datetime]]


@dataclass
class Clock:
    """Goes on by a second whenever it is read."""

    at: datetime = NOON

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@pytest.fixture
def seen() -> Seen:
    return []


@pytest.fixture
def workspace(tmp_path: Path, seen: Seen) -> Iterator[Workspace]:
    given = Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    observer = lambda actor, action, at: seen.append((actor, action, at))  # noqa: E731
    with word_models(), Workspace.open(given, clock=Clock(), actor="tests", observer=observer) as opened:
        yield opened


@dataclass
class Watch:
    """What was changed outside of any write, and which verbs were called."""

    strays: list[str] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    _open: Counter[int] = field(default_factory=Counter)

    @contextmanager
    def write(
        self, made: Callable[..., object], store: OpenStore, actor: str, action: Action, project_id: int | None
    ) -> Iterator[Write]:
        with made(store, actor, action, project_id) as write:  # type: ignore[attr-defined]
            self._open[threading.get_ident()] += 1
            try:
                yield write
            finally:
                self._open[threading.get_ident()] -= 1

    def statement(self, connection: object, cursor: object, statement: str, *_: object) -> None:
        changes = statement.lstrip().split()[0].upper() in ("INSERT", "UPDATE", "DELETE", "REPLACE")
        if changes and not self._open[threading.get_ident()]:
            self.strays.append(statement)


@pytest.fixture
def watch(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    watch, made = Watch(), OpenStore.write
    monkeypatch.setattr(OpenStore, "write", lambda *given: watch.write(made, *given))
    for name, service in SERVICES.items():
        for verb in verbs(service):
            monkeypatch.setattr(service, verb, _noted(watch, f"{name}.{verb}", getattr(service, verb)))
    engine = workspace.store.database._engine
    event.listen(engine, "before_cursor_execute", watch.statement)
    yield watch
    event.remove(engine, "before_cursor_execute", watch.statement)


def _noted(watch: Watch, name: str, verb: Callable[..., object]) -> Callable[..., object]:
    @wraps(verb)
    def noted(*given: object, **named: object) -> object:
        watch.called.add(name)
        return verb(*given, **named)

    return noted


def test_a_walk_through_all_verbs_changes_nothing_outside_of_a_write(
    workspace: Workspace, watch: Watch, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk(workspace, monkeypatch)
    assert watch.strays == []
    assert watch.called == {f"{name}.{verb}" for name, service in SERVICES.items() for verb in verbs(service)}
    assert {action for _, action, _ in seen} == set(ACTIONS)
    assert [at for _, _, at in seen] == sorted(at for _, _, at in seen)
    log = AuditLog(workspace.store.database)
    logged = {(entry.actor, entry.action, entry.at) for entry in log.entries() if entry.actor != "hcat"}
    assert logged == {one for one in seen if one[1] not in NOT_LOGGED}
    assert first_fault(log.entries()) is None
    assert log.changed_past_the_log() is None


def test_the_walk_would_find_a_change_outside_of_a_write(workspace: Workspace, watch: Watch) -> None:
    with workspace.store.database.write(actor="x", action="x", at=NOON).transaction() as session:
        session.add(ProjectRow(name="p"))
    assert [statement.split()[2] for statement in watch.strays] == ["project", "audit"]


def test_the_observer_is_told_who_did_what_and_when(workspace: Workspace, seen: Seen) -> None:
    project = workspace.projects.create("bank")
    criterion = workspace.criteria.add(project, Criterion("correctness"))
    run = workspace.runs.add(project, "v1", [Sample("q", "?", "!")], source="x")
    workspace.acting_as("demo").labels.add(run, criterion, [Label("q", "correctness", 1, "cem")])
    workspace.labels.record(run, criterion, "q", 1, annotator=" ann ")
    assert [(actor, action) for actor, action, _ in seen] == [
        ("tests", "project.create"),
        ("tests", "criterion.add"),
        ("tests", "run.add"),
        ("demo", "label.import"),
        ("ann", "label.record"),
    ]
    assert NOON < seen[0][2] < seen[-1][2] == workspace.store.clock.at  # type: ignore[attr-defined]


def test_a_job_is_done_by_its_worker_and_signed_by_who_started_it(workspace: Workspace, seen: Seen) -> None:
    project = workspace.projects.create("bank")
    run = workspace.runs.add(project, "v1", [Sample("q", "?", "!")], source="x")
    with workspace.write("tests", "job.start") as write:
        job = workspace.store.job_table.add(
            write, "score", {"run": run.id, "metrics": ["answer_length"]}, project_id=project.id
        )
    del seen[:]
    assert run_job(workspace, job.id)
    signed = {action: actor for actor, action, _ in seen}
    assert signed["scoring.score"] == "tests"
    assert {signed[action] for action in ("job.claim", "job.beat", "job.finish")} == {this_worker().name}


def test_what_changes_nothing_is_not_told(workspace: Workspace, seen: Seen) -> None:
    gone = Worker("elsewhere", 1, 1.0)
    assert not workspace.jobs.claim(7, gone)
    assert not workspace.jobs.finish(7, gone, "done")
    assert seen == []


def test_what_failed_is_not_told(workspace: Workspace, seen: Seen) -> None:
    workspace.projects.create("bank")
    with pytest.raises(ConflictError):
        workspace.projects.create("bank")
    with pytest.raises(KeyError), workspace.write("ann", "project.create") as write, write.transaction() as session:
        session.add(ProjectRow(name="shop"))
        session.flush()
        raise KeyError
    assert [action for _, action, _ in seen] == ["project.create"]
    assert [project.name for project in workspace.projects.all()] == ["bank"]


def test_what_was_tried_again_is_told_once(workspace: Workspace, seen: Seen) -> None:
    with workspace.write("ann", "project.create") as write:
        for _ in range(2):
            with pytest.raises(IntegrityError), write.transaction() as session:
                session.add(ProjectRow(name="bank"))
                session.flush()
                session.add(ProjectRow(name="bank"))
                session.flush()
        with write.transaction() as session:
            session.add(ProjectRow(name="bank"))
    assert [(actor, action) for actor, action, _ in seen] == [("ann", "project.create")]


def test_a_write_needs_a_name(workspace: Workspace) -> None:
    with pytest.raises(HcatError, match="a write needs a name"), workspace.write(" ", "project.create"):
        pytest.fail("it went on")


def test_only_the_open_store_makes_writes() -> None:
    """Nothing else in core or dashboard asks a database for one, so nothing passes `OpenStore.write` by."""
    root = ROOT
    asking = [
        path.relative_to(root).as_posix()
        for folder in ("core", "dashboard", "pages")
        for path in (root / folder).rglob("*.py")
        if "database.write(" in path.read_text("utf-8")
    ]
    assert asking == ["core/project/open_store.py"]


def test_whoever_opens_a_workspace_in_the_dashboard_says_so() -> None:
    root = ROOT / "dashboard"
    opening = set()
    for path in root.rglob("*.py"):
        place = path.relative_to(root)
        kind = "commands" if "/command" in f"/{place}" else place.parts[0]
        for given in re.findall(r"\bWorkspace\.open\((.*?)\)", path.read_text("utf-8")):
            opening.add((kind, *re.findall(r'\bactor="[^"]*"', given)))
    assert opening == {("commands", 'actor="command line"'), ("loaders", 'actor="dashboard"')}
