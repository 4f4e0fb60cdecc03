"""Answers collected from a live system into a project: each asked for once, whatever ends the process in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hcat.core.capabilities.collect.collect import Collected, Collection, Plan
from hcat.core.capabilities.collect.description import Target, target_from, target_record
from hcat.core.capabilities.collect.opening import check_address, open_system
from hcat.core.capabilities.collect.screening import check_from_page, check_stored
from hcat.core.errors import ConflictError, HcatError
from hcat.core.faults.work_folder import work_folder
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.project.runs import Runs
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.types import JsonValue, OnProgress, Progress, Sample

LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class CollectionRequest:
    """A request for answers of a system to test cases. `name` is that of the run to be; `source` says in words where
    the test cases come from, `tests` names their file in the store, `hash` is that of the test set. `target` holds no
    secret."""

    job_kind: ClassVar[str] = "collect"

    name: str
    source: str
    hash: str
    tests: str
    target: Mapping[str, JsonValue]
    trials: int = 1
    again: bool = False


@dataclass(frozen=True)
class Collections:
    """Collections of answers. A journal next to the database holds the answers until the run is stored."""

    store: OpenStore
    runs: Runs

    def prepare(
        self,
        project: ProjectInfo,
        name: str,
        cases: Sequence[Sample],
        target: Target,
        *,
        source: str,
        hash: str,  # noqa: A002
        trials: int = 1,
        again: bool = False,
        from_page: bool = False,
    ) -> CollectionRequest:
        """Store the test cases, and return the request for `plan` and `collect`.

        HcatError where the run's name is taken, there is nothing to ask, or the target holds a secret in plain words or
        something that a page may not ask for.
        """
        name = checked_name(name, "run")
        if name in {run.name for run in self.store.repository.runs(project.id, archived=True)}:
            raise ConflictError(f"the project already has a run {name!r}: choose another name")
        if not cases:
            raise HcatError("there are no test cases to ask: choose a test set with some")
        if from_page:
            check_from_page(target, allow_python=self.store.settings.allow_python_targets)
        else:
            check_stored(target)
        tests = SampleFiles(self.store.artifacts).write(cases).artifact
        return CollectionRequest(name, source, hash, tests, target_record(target), trials, again)

    def plan(self, project: ProjectInfo, request: CollectionRequest) -> Plan:
        """The requests that would be sent now, and their cost; nothing is asked. HcatError for an address that is
        refused."""
        self.store.access.check_reading("results", project.id)
        check_address(target_from(request.target), allow_private=self.store.settings.allow_private_targets)
        return self._collection(project, request).plan()

    def ask(
        self,
        project: ProjectInfo,
        request: CollectionRequest,
        *,
        on_progress: OnProgress | None = None,
        stop: threading.Event | None = None,
    ) -> Collected:
        """Ask for what is missing. What `on_progress` raises ends the asking, as `stop` does.

        What is there stays in the journal, and the same request goes on from it. HcatError where the system refuses
        all, or no answer came.
        """
        self.store.access.check_reading("results", project.id)
        collection = self._collection(project, request)
        with watched(on_progress, stop or threading.Event()) as (ended, tell):
            again = request.again or not collection.plan().answered
            found = collection.run(again=again, stop=ended, on_answer=tell)
        if found.complete and not found.answered:
            raise HcatError(f"no answer came: {_commonest(found)}. Nothing was stored: mend the target and try again")
        return found

    def collect(
        self, project: ProjectInfo, request: CollectionRequest, *, on_progress: OnProgress | None = None
    ) -> RunInfo:
        """Ask for what is missing, and store the run once every answer is there or has failed; HcatError before."""
        found = self.ask(project, request, on_progress=on_progress)
        if not found.complete:
            raise HcatError(
                f"stopped at {found.answered} of {found.answers} answers: {found.stopped}. What is there is kept; the "
                "same collection goes on from it"
            )
        return self.store_answers(project, request)

    def store_answers(self, project: ProjectInfo, request: CollectionRequest) -> RunInfo:
        """Store what is there as the run, although answers are missing; the rest is not asked for any more."""
        collection = self._collection(project, request)
        samples = collection.samples()
        if not samples:
            raise HcatError("there is no answer yet: collect some first")
        run = self.runs.add(project, request.name, samples, source=f"{request.source}, SHA-256 {request.hash[:12]}")
        journal = self._journal(project, request)
        journal.rename(journal.with_name(f"run-{run.id}-{journal.name}"))  # the next collection of this name asks anew
        return run

    def _collection(self, project: ProjectInfo, request: CollectionRequest) -> Collection:
        target = target_from(request.target)
        return Collection(
            SampleFiles(self.store.artifacts).all(request.tests),
            open_system(target, allow_private=self.store.settings.allow_private_targets),
            limits=target.limits,
            trials=request.trials,
            journal=self._journal(project, request),
        )

    def _journal(self, project: ProjectInfo, request: CollectionRequest) -> Path:
        described = {name: value for name, value in request.target.items() if name not in _LIMITS}
        key = sha256_of_json([project.id, request.name, request.tests, described, request.trials])
        folder = work_folder(self.store.settings) / "collections"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{key[:16]}.journal"


_LIMITS = ("concurrency", "requests_per_minute", "attempts", "budget", "timeout", "backoff", "price")
"""The fields of a target that don't decide what is answered: the same collection goes on with others."""


def _commonest(found: Collected) -> str:
    return max(found.failures, key=lambda reason: found.failures[reason], default="nothing was asked")


@contextmanager
def watched(
    on_progress: OnProgress | None, stop: threading.Event, *, stage: str = "collect"
) -> Iterator[tuple[threading.Event, Callable[[int, int], None]]]:
    """An event that ends the asking, and a callback for each answer. What `on_progress` raises is raised at the end."""
    ended = threading.Event()
    errors: list[Exception] = []
    newest = Progress(stage, 0, 0, 0.0)

    def tell(done: int, of: int) -> None:
        nonlocal newest
        newest = Progress(stage, done, of, done / of if of else 0.0)

    def look() -> None:
        while on_progress is not None:
            try:
                on_progress(newest)
            except Exception as error:  # noqa: BLE001 - raised again below
                errors.append(error)
                stop.set()
                return
            if ended.wait(LOOK_SECONDS):
                return

    thread = threading.Thread(target=look, name="collection", daemon=True)
    thread.start()
    try:
        yield stop, tell
    finally:
        ended.set()
        thread.join()
    if errors:
        raise errors[0]
    if on_progress is not None:
        on_progress(newest)
