"""Actions of the keys of the review. Each decision is stored at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

import streamlit as st

from hcat.core.capabilities.test_sets.review import decisions_in_force, last_entries
from hcat.core.errors import HcatError
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import CaseDecision, ReviewDecision, TestSetInfo
from hcat.dashboard.loaders.workspace import workspace

PRESSED, SAID, FAILED, ASKING = "review-presses", "review-said", "review-failed", "review-asking"
"""In the session: how many buttons were pressed, what the last one did, whether it failed, and what the card asks for:
"edit", "reject", or nothing."""
REASONS = (
    "nobody would ask this",
    "the answer is wrong or incomplete",
    "the passage does not answer it",
    "unclear or ambiguous",
    "badly worded",
    "repeats another case",
)
ANSWERED = "the corpus does answer it"
"""A reason of its own for unanswerable queries."""
P = ParamSpec("P")


def _press(action: Callable[P, None]) -> Callable[P, None]:
    """Count the press, by which the keys that wait in the browser know that it arrived."""

    @wraps(action)
    def counted(*args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state[PRESSED] = st.session_state.get(PRESSED, 0) + 1
        action(*args, **kwargs)

    return counted


def reasons_for(case: TestCase) -> tuple[str, ...]:
    """The reasons offered for rejecting a case."""
    return (ANSWERED, *REASONS[3:], REASONS[0]) if case.type == "unanswerable" else REASONS


@_press
def ask(what: str | None) -> None:
    """Ask for the new text or for the reason; or for nothing any more."""
    st.session_state[ASKING] = what
    st.session_state[SAID], st.session_state[FAILED] = "", False


@_press
def accept(test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int) -> None:
    """Accept the case unchanged."""
    _decide(test_set, case, "accept", reviewer, previous, said="Accepted. U undoes.")


@_press
def reject(test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int, reason: str | None) -> None:
    """The case is left out; without a reason, that of the field."""
    why = reason or str(st.session_state.get(f"review-reason-{case.id}", ""))
    _decide(test_set, case, "reject", reviewer, previous, reason=why, said=f"Rejected: {why}. U undoes.")


@_press
def save_edit(test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int) -> None:
    """Accept the case as it was rewritten; unchanged texts are no edit."""
    query = " ".join(str(st.session_state.get(f"review-query-{case.id}", "")).split())
    answer = " ".join(str(st.session_state.get(f"review-answer-{case.id}", "")).split()) or None
    edited = replace(case, query=query, reference=answer if case.reference is not None else None)
    if edited == case:
        _tell("Nothing was changed: accept the case, or change its text.", failed=True)
        return
    if case.reference is not None and answer is None:
        _tell("The case needs an answer: reject it to leave it out.", failed=True)
        return
    _decide(test_set, case, "edit", reviewer, previous, edited=edited, said="The edited case is saved. U undoes.")


@_press
def undo(test_set: TestSetInfo, reviewer: str) -> None:
    """Withdraw this reviewer's latest decision in force."""
    log = workspace().test_sets.decisions(test_set)
    latest = latest_of(log, reviewer)
    if latest is None:
        _tell("There is nothing of yours to undo.", failed=True)
        return
    case = TestCase(latest.case_id, "")
    _decide(test_set, case, "undo", reviewer, last_entries(log)[latest.case_id], said="Undone.")


def latest_of(log: Sequence[CaseDecision], reviewer: str) -> CaseDecision | None:
    """The latest decision of a reviewer in force."""
    own = [entry for entry in decisions_in_force(log).values() if entry.reviewer == reviewer]
    return max(own, key=lambda entry: entry.id, default=None)


def _decide(
    test_set: TestSetInfo,
    case: TestCase,
    decision: ReviewDecision,
    reviewer: str,
    previous: int,
    *,
    said: str,
    reason: str = "",
    edited: TestCase | None = None,
) -> None:
    try:
        workspace().test_sets.decide(
            test_set, case, decision, reviewer=reviewer, previous=previous, reason=reason, edited=edited
        )
    except HcatError as error:
        _tell(f"Nothing was saved: {error}", failed=True)
        return
    st.session_state[ASKING] = None
    _tell(said, failed=False)


def _tell(said: str, *, failed: bool) -> None:
    st.session_state[SAID], st.session_state[FAILED] = said, failed
