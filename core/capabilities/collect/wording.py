"""Sentences on a planned collection of answers from a system, and on its result."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.capabilities.collect.collect import Collected, Plan
from hcat.core.display.numbers import counted, format_count, format_number
from hcat.core.types import JsonValue


def plan_sentences(plan: Plan, *, by_command: bool = True) -> tuple[str, ...]:
    """The answers that are stored, those to ask for, and the cost, in sentences."""
    left = plan.answers - plan.answered - plan.failed
    said = [
        f"{counted(plan.answers, 'answer')} wanted, {format_count(plan.answered)} there, {format_count(left)} to ask."
    ]
    if plan.failed:
        again = ": --again asks for them once more" if by_command else " and stay unscored"
        said.append(f"{counted(plan.failed, 'answer')} failed before{again}.")
    if plan.unknown:
        said.append(
            f"{counted(plan.unknown, 'request')} had no reply when the last process ended: they are sent again under "
            "the same key, by which the system may recognise them."
        )
    said.append(f"At most {counted(plan.most_requests, 'request')}.")
    if plan.cost is not None:
        said.append(f"At one request an answer: {format_number(plan.cost)} at the price that the target states.")
    return tuple(said)


def collected_sentences(found: Collected) -> tuple[str, ...]:
    """The number of answers, the failures by reason, and the reason of an early end with advice, in sentences."""
    said = [
        f"{format_count(found.answered)} of {counted(found.answers, 'answer')}, {counted(found.requests, 'request')}."
    ]
    said += failure_sentences(found.failures)
    if found.stopped:
        said.append(f"Stopped: {found.stopped}. The same command goes on where it ended.")
    return tuple(said)


def failure_sentences(failures: Mapping[str, int]) -> tuple[str, ...]:
    """The number of failed answers for each reason, the most frequent first."""
    ordered = sorted(failures.items(), key=lambda item: (-item[1], item[0]))
    return tuple(f"{counted(n, 'answer')} failed: {reason}. A failure is unscored, not wrong." for reason, n in ordered)


def collected_document(found: Collected) -> dict[str, JsonValue]:
    return {
        "answers": found.answers,
        "answered": found.answered,
        "failed": dict(found.failures),
        "requests": found.requests,
        "stopped": found.stopped or None,
    }


def plan_document(plan: Plan) -> dict[str, JsonValue]:
    return {
        "answers": plan.answers,
        "answered": plan.answered,
        "failed": plan.failed,
        "unknown": plan.unknown,
        "requests": plan.requests,
        "most_requests": plan.most_requests,
        "cost": plan.cost,
    }
