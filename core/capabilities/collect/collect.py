"""Collects the answers of a live system to a test set: each requested until it succeeds or fails, recorded once.

A request that failed for a temporary cause (429, 5xx, no connection, no reply in time) is repeated with growing pauses
under the same key, by which the system may recognise it. A missing answer is unscored, with the reason: a failure is no
wrong answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from hcat.core.capabilities.collect.contexts import read_context
from hcat.core.capabilities.collect.journal import Journal, Key
from hcat.core.capabilities.collect.pace import Pace
from hcat.core.capabilities.collect.reply import Limits, NoReply, System
from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_json, sha256_of_text
from hcat.core.records.run_file import to_jsonl
from hcat.core.types import JsonValue, Sample

LONGEST_PAUSE = 60.0
"""The most seconds between two requests for one answer, unless the system asks for more."""

OnAnswer = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """The requests to make.

    `unknown` were sent when an earlier process ended: they are sent again, under the same key. `most_requests` counts
    every attempt; `cost` is at one request an answer."""

    answers: int
    answered: int
    failed: int
    unknown: int
    requests: int
    most_requests: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Collected:
    """The end of a collection. `stopped` says why it ended early; "" if no request is left."""

    answers: int
    answered: int
    failures: Mapping[str, int]
    requests: int
    stopped: str = ""

    @property
    def complete(self) -> bool:
        return not self.stopped


class Collection:
    """The requests of a test set to a system, `trials` times each, with a journal next to the output.

    `reasons` say by test case why an earlier answer to it was not accepted; they are sent with the query."""

    def __init__(
        self,
        cases: Sequence[Sample],
        system: System,
        *,
        limits: Limits,
        trials: int,
        journal: Path,
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        if trials < 1:
            raise HcatError("trials: ask each test case once at least")
        if len({case.id for case in cases}) < len(cases):
            raise HcatError("two test cases have the same id: each needs its own")
        self.cases, self.system, self.limits, self.trials = tuple(cases), system, limits, trials
        self.reasons: Mapping[str, str] = reasons or {}
        parts: list[JsonValue] = [sha256_of_text(to_jsonl(cases)), dict(system.description)]
        self._identity = sha256_of_json([*parts, dict(self.reasons)] if self.reasons else parts)
        self._header: dict[str, JsonValue] = {"identity": self._identity, "trials": trials, "cases": len(cases)}
        self._path = journal

    def plan(self) -> Plan:
        """The requests that would be made now; none is sent."""
        if not self._path.exists():
            return self._plan(replies=0, failures=0, unknown=0, requests=0)
        journal = Journal(self._path, self._header)
        journal.close()
        return self._plan(
            replies=len(journal.replies),
            failures=len(journal.failures),
            unknown=len(journal.unknown),
            requests=journal.requests,
        )

    def run(
        self, *, again: bool = False, stop: threading.Event | None = None, on_answer: OnAnswer | None = None
    ) -> Collected:
        """Request the missing answers; with `again` also the failed ones. Raises HcatError if the system refuses
        all."""
        journal = Journal(self._path, self._header)
        try:
            if again:
                journal.forget_failures()
            asking = _Asking(self, journal, stop or threading.Event(), on_answer)
            asking.run()
        finally:
            journal.close()
        reasons: dict[str, int] = {}
        for reason in journal.failures.values():
            reasons[reason] = reasons.get(reason, 0) + 1
        return Collected(len(self.cases) * self.trials, len(journal.replies), reasons, journal.requests, asking.stopped)

    def samples(self) -> tuple[Sample, ...]:
        """The run, in the order of the test set: the answers, and the failures with their reasons."""
        journal = Journal(self._path, self._header)
        journal.close()
        return tuple(
            self._sample(case, trial, journal)
            for case in self.cases
            for trial in range(self.trials)
            if (case.id, trial) in journal.replies or (case.id, trial) in journal.failures
        )

    def request_key(self, key: Key) -> str:
        """A key that is always the same for the same answer of the same collection."""
        return sha256_of_json([self._identity, key[0], key[1]])[:32]

    def missing(self, journal: Journal) -> list[tuple[Key, str]]:
        """The requests without an answer or a failure, with their queries: all first trials, then all second ones."""
        return [
            ((case.id, trial), case.query)
            for trial in range(self.trials)
            for case in self.cases
            if (case.id, trial) not in journal.replies and (case.id, trial) not in journal.failures
        ]

    def _plan(self, *, replies: int, failures: int, unknown: int, requests: int) -> Plan:
        answers = len(self.cases) * self.trials
        left = answers - replies - failures
        most = left * self.limits.attempts
        if self.limits.requests is not None:
            most = min(most, max(0, self.limits.requests - requests))
        cost = None if self.limits.price is None else left * self.limits.price
        return Plan(answers, replies, failures, unknown, requests, most, cost)

    def _sample(self, case: Sample, trial: int, journal: Journal) -> Sample:
        key = (case.id, trial)
        reply = journal.replies.get(key)
        metadata = dict(case.metadata)
        answer: str | None = None
        contexts: Iterable[JsonValue] = ()
        if reply is None:
            metadata["failure"] = journal.failures[key]
        else:
            answer = None if reply["answer"] is None else str(reply["answer"])
            contexts = _items(reply.get("contexts"))
            if reply.get("candidates"):
                metadata["candidates"] = reply["candidates"]
        return replace(
            case,
            id=case.id if self.trials == 1 else f"{case.id}#{trial + 1}",
            answer=answer,
            contexts=tuple(read_context(context, None) for context in contexts),
            test_case=case.test_case or case.id,
            trial=trial,
            metadata=metadata,
        )


class _Asking:
    """One pass over the missing answers: threads that request one after the other."""

    def __init__(
        self, collection: Collection, journal: Journal, stop: threading.Event, on_answer: OnAnswer | None
    ) -> None:
        self.stopped = ""
        self._collection, self._journal = collection, journal
        self._cancelled, self._ended = stop, threading.Event()
        self._on_answer = on_answer
        self._pace = Pace(collection.limits.per_minute)
        self._lock = threading.Lock()
        self._error: HcatError | None = None

    def run(self) -> None:
        missing = iter(self._collection.missing(self._journal))
        watcher = threading.Thread(target=self._watch, daemon=True)
        watcher.start()

        def work() -> None:
            while not self._ended.is_set():
                with self._lock:
                    task = next(missing, None)
                if task is None:
                    return
                try:
                    self._answer(*task)
                except BaseException:
                    self._ended.set()  # what stops one thread, such as a full disk, stops all
                    raise

        try:
            with ThreadPoolExecutor(self._collection.limits.concurrency, thread_name_prefix="collect") as pool:
                for future in [pool.submit(work) for _ in range(self._collection.limits.concurrency)]:
                    future.result()
        finally:
            self._ended.set()
            watcher.join()
        if self._error is not None:
            raise self._error

    def _watch(self) -> None:
        """End the waiting on cancellation, too."""
        while not self._ended.is_set():
            if self._cancelled.wait(0.1):
                self._end("cancelled")

    def _answer(self, key: Key, query: str) -> None:
        limits, name = self._collection.limits, self._collection.request_key(key)
        for attempt in range(1, limits.attempts + 1):
            if not self._pace.turn(self._ended) or not self._within_budget(key):
                return
            try:
                reply = self._collection.system.ask(query, key=name, reason=self._collection.reasons.get(key[0], ""))
            except NoReply as none:
                if none.wait:
                    self._pace.pause(none.wait)
                if none.passing and attempt < limits.attempts:
                    self._ended.wait(min(LONGEST_PAUSE, limits.backoff * 2 ** (attempt - 1)))
                    continue
                times = f" ({attempt} requests)" if attempt > 1 else ""
                self._journal.failed(key, f"{none.reason}{times}")
            except HcatError as error:
                self._error = error
                self._end(str(error))
                return
            else:
                self._journal.answered(key, reply.record())
            self._tell()
            return

    def _within_budget(self, key: Key) -> bool:
        """Count a request before it is sent; False if the budget is used up."""
        budget = self._collection.limits.requests
        with self._lock:
            if budget is not None and self._journal.requests >= budget:
                self._end(f"the budget of {budget} requests is spent")
                return False
            self._journal.asked(key)
            return True

    def _end(self, reason: str) -> None:
        self.stopped = self.stopped or reason
        self._ended.set()

    def _tell(self) -> None:
        if self._on_answer is not None:
            done = len(self._journal.replies) + len(self._journal.failures)
            self._on_answer(done, len(self._collection.cases) * self._collection.trials)


def _items(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else ()
