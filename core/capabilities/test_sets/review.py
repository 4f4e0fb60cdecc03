"""The review of a test set: the next case, the current decisions, and the acceptance rate per type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.test_case import TestCase, from_record
from hcat.core.records.test_set import CaseDecision, Unreviewed
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.types import Estimate

ALL_TYPES = "all types"


@dataclass(frozen=True, slots=True)
class AcceptanceRate:
    """Acceptance among the `reviewed` cases of a type: the shares accepted unchanged, and accepted or edited
    (`standing`). `n` is the number of cases of the type."""

    type: str
    n: int
    reviewed: int
    edited: int
    accepted: Estimate
    standing: Estimate


def decisions_in_force(log: Sequence[CaseDecision]) -> dict[str, CaseDecision]:
    """The last decision on each case that was not undone, by case id."""
    decisions: dict[str, CaseDecision] = {}
    for entry in log:
        if entry.decision == "undo":
            decisions.pop(entry.case_id, None)
        else:
            decisions[entry.case_id] = entry
    return decisions


def last_entries(log: Sequence[CaseDecision]) -> dict[str, int]:
    """The number of the last entry on each case, undone or not; the next entry refers to it."""
    return {entry.case_id: entry.id for entry in log}


def review_order(cases: Sequence[TestCase], *, content_hash: str, reviewer: str) -> tuple[str, ...]:
    """The ids of the cases in random order, reproducible for a reviewer and different between reviewers.

    The first reviewed cases are then a random sample of the set and of each type, so that acceptance rates are
    representative; and concurrent reviewers seldom review the same case."""
    seed = int(sha256_of_text(f"{content_hash} {reviewer}")[:16], 16)
    return tuple(cases[int(place)].id for place in np.random.default_rng(seed).permutation(len(cases)))


def next_case(order: Sequence[str], log: Sequence[CaseDecision], *, passed: frozenset[str] = frozenset()) -> str | None:
    """The first case in the order without a decision that this reviewer did not just skip; None if there is none."""
    decided = decisions_in_force(log).keys()
    return next((case_id for case_id in order if case_id not in decided and case_id not in passed), None)


def acceptance_rates(cases: Sequence[TestCase], log: Sequence[CaseDecision]) -> tuple[AcceptanceRate, ...]:
    """Acceptance rates of all types together, then of each type in alphabetical order, with Wilson intervals."""
    decisions = decisions_in_force(log)
    types = sorted({case.type for case in cases})
    by_type = {name: [decisions.get(case.id) for case in cases if case.type == name] for name in types}
    every = [decisions.get(case.id) for case in cases]
    return tuple(_rate(name, group) for name, group in ((ALL_TYPES, every), *by_type.items()))


def cases_to_freeze(
    cases: Sequence[TestCase], log: Sequence[CaseDecision], *, unreviewed: Unreviewed
) -> tuple[TestCase, ...]:
    """The accepted cases, the edited ones as edited, and the unreviewed ones if `unreviewed` includes them."""
    decisions = decisions_in_force(log)
    return tuple(
        standing for case in cases if (standing := _standing(case, decisions.get(case.id), unreviewed)) is not None
    )


def decision_counts(cases: Sequence[TestCase], log: Sequence[CaseDecision]) -> Mapping[str, int]:
    """Numbers of accepted, edited, rejected and unreviewed cases."""
    decisions = decisions_in_force(log)
    names = {"accept": "accepted", "edit": "edited", "reject": "rejected"}
    counts = Counter(names[decisions[case.id].decision] if case.id in decisions else "unreviewed" for case in cases)
    return {name: counts[name] for name in (*names.values(), "unreviewed")}


def _standing(case: TestCase, decision: CaseDecision | None, unreviewed: Unreviewed) -> TestCase | None:
    if decision is None:
        return case if unreviewed == "included" else None
    if decision.decision == "edit" and decision.edited is not None:
        return from_record(dict(decision.edited), at=f"the edited case {case.id}")
    return case if decision.decision == "accept" else None


def _rate(name: str, decisions: Sequence[CaseDecision | None]) -> AcceptanceRate:
    made = Counter(decision.decision for decision in decisions if decision is not None)
    reviewed = sum(made.values())
    return AcceptanceRate(
        type=name,
        n=len(decisions),
        reviewed=reviewed,
        edited=made["edit"],
        accepted=proportion_interval(made["accept"], reviewed),
        standing=proportion_interval(made["accept"] + made["edit"], reviewed),
    )
