"""Reviews: random orders, the last decision counts, rates with their intervals, what stands, what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hcat.core.capabilities.test_sets.case_changes import compare_cases
from hcat.core.capabilities.test_sets.review import (
    acceptance_rates,
    cases_to_freeze,
    decision_counts,
    decisions_in_force,
    next_case,
    review_order,
)
from hcat.core.records.test_case import TestCase, record
from hcat.core.records.test_set import CaseDecision

CASES = tuple(
    TestCase(f"c{k}", f"What is fee {k}?", f"{k} euros", type="open" if k % 2 else "yes/no") for k in range(10)
)
AT = datetime(2026, 1, 1, tzinfo=UTC)


def log(*entries: tuple[str, str]) -> list[CaseDecision]:
    return [
        CaseDecision(
            number, name, decision, "ann", AT, edited=record(replace(CASES[0], id=name, query="Edited?"))  # type: ignore[arg-type]
            if decision == "edit" else None,
        )
        for number, (name, decision) in enumerate(entries, start=1)
    ]  # fmt: skip


def test_an_order_is_random_the_same_again_and_another_for_each_reviewer() -> None:
    def order(reviewer: str, cases: Sequence[TestCase] = CASES) -> tuple[str, ...]:
        return review_order(cases, content_hash="ab", reviewer=reviewer)

    assert order("ann") == order("ann")
    assert sorted(order("ann")) == sorted(case.id for case in CASES)
    assert len({order(f"reviewer {k}") for k in range(20)}) == 20
    # Each case comes first for a tenth of the reviewers: 200 of 2,000, with a standard deviation of 13.4.
    first = Counter(order(f"reviewer {k}")[0] for k in range(2000))
    assert min(first.values()) > 200 - 4 * 13.4
    assert max(first.values()) < 200 + 4 * 13.4


def test_the_next_case_is_the_first_that_nobody_decided_on() -> None:
    assert next_case(["a", "b", "c"], log(("a", "accept"))) == "b"
    assert next_case(["a", "b"], log(("a", "accept"), ("a", "undo"))) == "a"
    assert next_case(["a", "b"], log(("a", "accept")), passed=frozenset({"b"})) is None
    assert next_case([], []) is None


def test_an_undo_takes_a_decision_back_and_the_last_one_counts() -> None:
    entries = log(("c0", "accept"), ("c0", "undo"), ("c1", "accept"), ("c1", "reject"), ("c2", "undo"))
    assert {name: entry.decision for name, entry in decisions_in_force(entries).items()} == {"c1": "reject"}


def test_rates_count_what_was_reviewed_of_each_type() -> None:
    entries = log(("c0", "accept"), ("c2", "edit"), ("c4", "reject"), ("c1", "accept"))
    rates = {rate.type: rate for rate in acceptance_rates(CASES, entries)}
    assert list(rates) == ["all types", "open", "yes/no"]
    every = rates["all types"]
    assert (every.n, every.reviewed, every.edited) == (10, 4, 1)
    assert (every.accepted.value, every.standing.value, every.accepted.n) == (0.5, 0.75, 4)
    # Wilson for 2 of 4 at 95%: centre 0.5, half √(1/16 + 3.8415/64) · 1.96 / (1 + 3.8415/4) = 0.3500
    assert every.accepted.low == pytest.approx(0.1500, abs=1e-4)
    assert rates["yes/no"].accepted.value == pytest.approx(1 / 3)
    assert rates["open"].standing.value == 1.0
    assert rates["open"].accepted.low < 0.25


def test_what_stands_are_the_accepted_the_edited_and_if_wanted_the_unreviewed() -> None:
    entries = log(("c0", "accept"), ("c2", "edit"), ("c4", "reject"))
    standing = cases_to_freeze(CASES, entries, unreviewed="left out")
    assert [(case.id, case.query) for case in standing] == [("c0", "What is fee 0?"), ("c2", "Edited?")]
    assert len(cases_to_freeze(CASES, entries, unreviewed="included")) == 9
    assert decision_counts(CASES, entries) == {"accepted": 1, "edited": 1, "rejected": 1, "unreviewed": 7}


def test_two_versions_are_compared_by_id() -> None:
    later = (replace(CASES[1], query="Other?", reference="7"), *CASES[2:], TestCase("new", "New?"))
    changes = compare_cases(CASES, later)
    assert [case.id for case in changes.added] == ["new"]
    assert [case.id for case in changes.gone] == ["c0"]
    assert [(change.before.id, change.fields) for change in changes.changed] == [("c1", ("query", "reference"))]
    assert changes.unchanged == 8
    assert not compare_cases(CASES, CASES).any
