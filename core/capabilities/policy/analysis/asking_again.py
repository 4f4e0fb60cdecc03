"""Answers that a policy sends back, asked of a live system: each once, whatever ends the work in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from hcat.core.capabilities.collect.collect import Collection, OnAnswer
from hcat.core.capabilities.collect.reply import Limits, System
from hcat.core.capabilities.policy.analysis.regeneration import Replies
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.errors import HcatError
from hcat.core.types import Sample

Watch = Callable[[int], AbstractContextManager[tuple[threading.Event, OnAnswer]]]
"""For the number of an attempt: an event that stops the requests, and a callback for each answer."""


@dataclass(frozen=True, slots=True)
class RegenerationPlan:
    """Upper bounds on regeneration: `answers`, each in up to `attempts` attempts. `most_requests` includes repeated
    requests; `cost` assumes one request an attempt."""

    answers: int
    attempts: int
    most_requests: int
    cost: float | None


def plan_regeneration(answers: int, policy: Policy, limits: Limits) -> RegenerationPlan:
    """Upper bounds on attempts, requests and cost for regenerating this number of answers."""
    times = answers * policy.failing.attempts
    most = times * limits.attempts
    return RegenerationPlan(
        answers,
        policy.failing.attempts,
        most if limits.requests is None else min(most, limits.requests),
        None if limits.price is None else limits.price * times,
    )


@dataclass
class AskingAgain:
    """Asks for one attempt after the other. Each has a journal of its own, from which it goes on; the budget of
    requests is for all of them."""

    system: System
    limits: Limits
    journal: Callable[[int], Path]
    watch: Watch
    _requests: int = field(default=0, init=False)

    def __call__(self, number: int, samples: Sequence[Sample], reasons: Mapping[str, str]) -> Replies:
        """New answers to these samples. HcatError where the requests stopped early, or the first attempt got no
        answer."""
        limits = self.limits
        if limits.requests is not None:
            limits = replace(limits, requests=max(0, limits.requests - self._requests))
        cases = [replace(sample, answer=None, contexts=()) for sample in samples]
        journal = self.journal(number)
        collection = Collection(cases, self.system, limits=limits, trials=1, journal=journal, reasons=reasons)
        with self.watch(number) as (stop, tell):
            found = collection.run(again=not collection.plan().answered, stop=stop, on_answer=tell)
        self._requests += found.requests
        if not found.complete:
            raise HcatError(
                f"stopped: {found.stopped}. Nothing is stored; what came is kept, and the same regeneration goes on "
                "from it"
            )
        if number == 1 and not found.answered:
            reasons_why = "; ".join(found.failures)
            raise HcatError(f"no answer came: {reasons_why}. Nothing is stored: mend the target and try again")
        answers = {sample.id: sample for sample in collection.samples() if "failure" not in sample.metadata}
        return Replies(answers, found.failures)
