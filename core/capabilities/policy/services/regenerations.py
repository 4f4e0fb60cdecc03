"""What a policy sends back, asked of the system again and stored as a run of its own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hcat.core.capabilities.collect.collect import OnAnswer
from hcat.core.capabilities.collect.description import described, target_from, target_record
from hcat.core.capabilities.collect.opening import open_system
from hcat.core.capabilities.collect.screening import check_from_page, check_stored
from hcat.core.capabilities.collect.service import watched
from hcat.core.capabilities.policy.services.applied import REGENERATED
from hcat.core.capabilities.policy.services.policies import Policies
from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.faults.work_folder import work_folder
from hcat.core.project.open_runs import OpenRuns
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.run_file import content_hash
from hcat.core.types import JsonValue, OnProgress, Progress

if TYPE_CHECKING:
    from hcat.core.capabilities.collect.description import Target
    from hcat.core.capabilities.policy.analysis.asking_again import RegenerationPlan
    from hcat.core.capabilities.policy.analysis.regeneration import Regeneration


@dataclass(frozen=True, slots=True)
class RegenerationRequest:
    """Which run's answers are asked for again by which policy, of whom; `name` is that of the run to be. `target` holds
    no secret."""

    job_kind: ClassVar[str] = "regenerate"

    run: int
    policy: int
    name: str
    target: Mapping[str, JsonValue]


@dataclass(frozen=True)
class Regenerations:
    """Regenerated answers. Journals beside the database hold what came until the run is stored."""

    store: OpenStore
    run_data: OpenRuns
    policies: Policies

    def prepare(
        self, run: RunInfo, record: PolicyRecord, name: str, target: Target, *, from_page: bool = False
    ) -> RegenerationRequest:
        """What `plan` and `regenerate` take.

        HcatError where the run's name is taken, there is nothing to ask for again, or the target holds a secret in
        plain words or something that a page may not ask for.
        """
        name = checked_name(name, "run")
        if name in {each.name for each in self.store.repository.runs(run.project_id, archived=True)}:
            raise ConflictError(f"the project already has a run {name!r}: choose another name")
        if from_page:
            check_from_page(target, allow_python=self.store.settings.allow_python_targets)
        else:
            check_stored(target)
        request = RegenerationRequest(run.id, record.id, name, target_record(target))
        if not self.plan(request).answers:
            raise HcatError(f"the policy sends no answer of run {run.name!r} back: there is nothing to regenerate")
        return request

    def plan(self, request: RegenerationRequest) -> RegenerationPlan:
        """What is asked at most, and what it costs; nothing is asked."""
        from hcat.core.capabilities.policy.analysis.asking_again import plan_regeneration
        from hcat.core.capabilities.policy.analysis.regeneration import attempts_spent, to_regenerate

        run = self.run_data.runs.by_id(request.run)
        columns, policy = self.run_data.columns(run), self.policies.read(self._record(run, request))
        if attempts_spent(columns, policy):
            raise HcatError(
                f"the answers of run {run.name!r} were regenerated already: choose the run of the first ones"
            )
        return plan_regeneration(len(to_regenerate(columns, policy)), policy, target_from(request.target).limits)

    def regenerate(self, request: RegenerationRequest, *, on_progress: OnProgress | None = None) -> RunInfo:
        """Ask again, score and decide anew, at most as often as the policy says; then store the run with its scores.

        What `on_progress` raises ends the asking; the same request goes on from what came. HcatError where the system
        refuses all, or no answer came.
        """
        from hcat.core.capabilities.policy.analysis.asking_again import AskingAgain
        from hcat.core.capabilities.policy.analysis.regeneration import regenerate
        from hcat.core.capabilities.policy.wording.regeneration import reason_text

        run, target = self.run_data.runs.by_id(request.run), target_from(request.target)
        record = self._record(run, request)
        finished = self._finished(run, record, request)
        if finished is not None:
            return finished
        policy = self.policies.read(record)
        system = open_system(target, allow_private=self.store.settings.allow_private_targets)

        def watch(number: int) -> AbstractContextManager[tuple[threading.Event, OnAnswer]]:
            return watched(on_progress, threading.Event(), stage=f"asking again, attempt {number}")

        def journal(number: int) -> Path:
            return self._journal(run, record, request, number)

        if on_progress is not None:
            on_progress(Progress("load", 0, 0, 0.0))
        rescore = self.run_data.scoring.rescoring(run, policy.metrics)
        done = regenerate(
            self.run_data.columns(run),
            policy,
            ask=AskingAgain(system, target.limits, journal, watch),
            rescore=rescore,
            reason=reason_text,
        )
        stored = self._stored(run, record, request, done)
        for attempt in done.attempts:  # the next regeneration of this name asks anew
            path = journal(attempt.number)
            path.rename(path.with_name(f"run-{stored.id}-{path.name}"))
        return stored

    def _stored(self, run: RunInfo, record: PolicyRecord, request: RegenerationRequest, done: Regeneration) -> RunInfo:
        """The run with its scores; a run that an earlier go stored without them gets them."""
        runs, owner = self.run_data.runs, self.run_data.projects.of(run)
        try:
            stored = runs.get(owner, request.name)
        except NotFoundError:
            stored = runs.add(owner, request.name, done.samples, source=_source(run, record), format=REGENERATED)
        if stored.content_hash != content_hash(done.samples):
            raise ConflictError(f"the project has another run {request.name!r} by now: choose another name")
        self.run_data.scoring.add_rescored(stored, done.scores)
        return stored

    def _finished(self, run: RunInfo, record: PolicyRecord, request: RegenerationRequest) -> RunInfo | None:
        """The run, where an earlier go stored all of it and ended before it could say so."""
        stored = {each.name: each for each in self.run_data.runs.all(self.run_data.projects.of(run))}.get(request.name)
        same = stored is not None and (stored.format, stored.filename) == (REGENERATED, _source(run, record))
        return stored if stored is not None and same and self.run_data.scoring.latest(stored) is not None else None

    def _record(self, run: RunInfo, request: RegenerationRequest) -> PolicyRecord:
        project: ProjectInfo = self.run_data.projects.of(run)
        record = next((each for each in self.policies.all(project) if each.id == request.policy), None)
        if record is None:
            raise NotFoundError("the policy of this regeneration is gone: begin another one")
        return record

    def _journal(self, run: RunInfo, record: PolicyRecord, request: RegenerationRequest, number: int) -> Path:
        asked = described(target_from(request.target))
        key = sha256_of_json([run.project_id, run.content_hash, record.hash, request.name, asked, number])
        folder = work_folder(self.store.settings) / "collections"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{key[:16]}.journal"


def _source(run: RunInfo, record: PolicyRecord) -> str:
    return f"run {run.name}, regenerated by policy version {record.version} on {record.criterion}"
