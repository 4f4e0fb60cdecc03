"""One case at a time, in random order, by keys: accept, edit, reject with a reason. Who wrote the case is not shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.robustness.wording.robustness import MEANINGS
from hcat.core.capabilities.test_sets.review import (
    acceptance_rates,
    decisions_in_force,
    last_entries,
    next_case,
    review_order,
)
from hcat.core.display.numbers import counted, format_estimate
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import CaseDecision, TestSetInfo
from hcat.dashboard.capabilities.test_sets import review_actions as act
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import passages_behind, stored_cases
from hcat.dashboard.capabilities.test_sets.passages import show_passage
from hcat.dashboard.components.label_keys import KeyTarget, label_keys
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import annotator_name
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

NEAREST_SHOWN = 3


def review_panel(project: ProjectInfo, test_set: TestSetInfo) -> None:
    """Show the reviewer, the progress, the open case with its passages, and the results of the decisions."""
    reviewer = annotator_name()
    if not reviewer:
        st.info("Enter your name to begin. Every decision is stored with who made it and when.")
        return
    cases = stored_cases(test_set)
    log = workspace().test_sets.decisions(test_set)
    done = len(decisions_in_force(log))
    st.progress(done / len(cases), text=f"{done:,} of {counted(len(cases), 'case')} reviewed")
    order = review_order(cases, content_hash=test_set.content_hash, reviewer=reviewer)
    open_id = next_case(order, log)
    status = st.container()
    if open_id is None:
        st.success("Every case is reviewed. Freeze the version under “Versions”.")
        targets = _undo_row(test_set, log, reviewer)
    else:
        case = next(case for case in cases if case.id == open_id)
        targets = _card(project, test_set, case, reviewer, last_entries(log).get(case.id, 0), log)
    with status:
        if st.session_state.get(act.FAILED):
            st.warning(sentence(st.session_state.get(act.SAID, "")))
        label_keys(
            targets,
            item=f"{open_id} {st.session_state.get(act.ASKING)}",
            pressed=st.session_state.get(act.PRESSED, 0),
            said="" if st.session_state.get(act.FAILED) else st.session_state.get(act.SAID, ""),
            failed=bool(st.session_state.get(act.FAILED)),
        )
    _rates(cases, log)


def _card(
    project: ProjectInfo,
    test_set: TestSetInfo,
    case: TestCase,
    reviewer: str,
    previous: int,
    log: Sequence[CaseDecision],
) -> dict[str, KeyTarget]:
    """The case and its keys; returns the effects of the keys."""
    passages = passages_behind(project, test_set)
    with st.container(border=True, key="review-card"):
        st.caption(f"{case.type} · {case.difficulty}")
        st.markdown(f"#### {plain(case.query)}")
        if case.variant is not None:
            _variant(case, {each.id: each for each in stored_cases(test_set)}.get(case.variant.of))
        if case.options:
            st.markdown("  \n".join(f"- {plain(option)}" for option in case.options))
        if case.reference is None:
            st.markdown("**Right answer:** to decline, since the corpus does not answer this.")
        else:
            st.markdown(f"**Right answer:** {plain(case.reference)}")
        asking = st.session_state.get(act.ASKING)
        if asking == "edit":
            targets = _edit(test_set, case, reviewer, previous)
        elif asking == "reject":
            targets = _reasons(test_set, case, reviewer, previous)
        else:
            targets = _decisions(test_set, case, reviewer, previous, log)
    _evidence(case, passages)
    return targets


def _variant(case: TestCase, origin: TestCase | None) -> None:
    """Show the origin of a variant, since a misspelt query is no bad case there."""
    family = "" if case.variant is None else case.variant.family
    st.caption(f"A variant ({plain(family)}), after which the right answer {MEANINGS[case.expectation]}.")
    if origin is not None:
        st.markdown(f"**Made from:** {plain(origin.query)}")


def _decisions(
    test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int, log: Sequence[CaseDecision]
) -> dict[str, KeyTarget]:
    given = (test_set, case, reviewer, previous)
    with st.container(horizontal=True, key="review-keys"):
        st.button("Accept (A)", key="review-accept", type="primary", on_click=act.accept, args=given)
        st.button("Edit (E)", key="review-edit", on_click=act.ask, args=("edit",))
        st.button("Reject (R)", key="review-reject", on_click=act.ask, args=("reject",))
        _undo_button(test_set, log, reviewer)
    return {
        "a": KeyTarget("review-accept"),
        "e": KeyTarget("review-edit"),
        "r": KeyTarget("review-reject"),
        "u": KeyTarget("review-undo"),
    }


def _undo_row(test_set: TestSetInfo, log: Sequence[CaseDecision], reviewer: str) -> dict[str, KeyTarget]:
    with st.container(horizontal=True, key="review-keys"):
        _undo_button(test_set, log, reviewer)
    return {"u": KeyTarget("review-undo")}


def _undo_button(test_set: TestSetInfo, log: Sequence[CaseDecision], reviewer: str) -> None:
    st.button(
        "Undo (U)",
        key="review-undo",
        disabled=act.latest_of(log, reviewer) is None,
        on_click=act.undo,
        args=(test_set, reviewer),
        help="Takes back your latest decision.",
    )


def _edit(test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int) -> dict[str, KeyTarget]:
    st.text_area("Query", case.query, key=f"review-query-{case.id}", height=80)
    if case.reference is not None:
        st.text_area("Right answer", case.reference, key=f"review-answer-{case.id}", height=80)
    with st.container(horizontal=True):
        st.button(
            "Save the edited case",
            key="review-save",
            type="primary",
            on_click=act.save_edit,
            args=(test_set, case, reviewer, previous),
        )
        st.button("Back (Esc)", key="review-back", on_click=act.ask, args=(None,))
    return {"Escape": KeyTarget("review-back")}


def _reasons(test_set: TestSetInfo, case: TestCase, reviewer: str, previous: int) -> dict[str, KeyTarget]:
    reasons = act.reasons_for(case)
    st.markdown("**Why is it rejected?**")
    with st.container(horizontal=True):
        for number, reason in enumerate(reasons, start=1):
            st.button(
                f"{number} · {reason}",
                key=f"review-because-{number}",
                on_click=act.reject,
                args=(test_set, case, reviewer, previous, reason),
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("In your own words", key=f"review-reason-{case.id}", max_chars=500)
        st.button(
            "Reject for this reason",
            key="review-own-reason",
            on_click=act.reject,
            args=(test_set, case, reviewer, previous, None),
        )
        st.button("Back (Esc)", key="review-back", on_click=act.ask, args=(None,))
    keys = {str(number): KeyTarget(f"review-because-{number}") for number in range(1, len(reasons) + 1)}
    return keys | {"Escape": KeyTarget("review-back")}


def _evidence(case: TestCase, passages: Mapping[str, CorpusPassage]) -> None:
    """The passages that contain the answer; of an unanswerable case, the nearest ones."""
    ids = case.passages or case.nearest[:NEAREST_SHOWN]
    shown = [passages[name] for name in ids if name in passages]
    if not ids:
        st.caption("The case names no passage.")
        return
    if case.passages:
        title = "The passage with the answer" if len(ids) == 1 else "The passages that the answer takes"
    else:
        title = "The nearest passages. None of them should answer the query"
    st.markdown(f"**{title}**")
    if not shown:
        st.caption(f"{plain(', '.join(ids))}: the corpus that they are of is not in this project.")
    for passage in shown:
        show_passage(passage, case if case.passages else None)


def _rates(cases: Sequence[TestCase], log: Sequence[CaseDecision]) -> None:
    rates = [rate for rate in acceptance_rates(cases, log) if rate.reviewed]
    if not rates:
        return
    st.markdown("**Acceptance**")
    rows = [
        (
            rate.type,
            f"{rate.reviewed:,} of {rate.n:,}",
            format_estimate(rate.accepted, percent=True),
            format_estimate(rate.standing, percent=True),
        )
        for rate in rates
    ]
    columns = ["Type", "Reviewed", "Accepted as it is", "Accepted or edited"]
    data_table(pd.DataFrame(rows, columns=columns), hide_index=True, key="review-rates", alt="Acceptance by type")
    st.caption(
        "Cases come in random order, so that the share of those reviewed stands for all of the type. Intervals are "
        "Wilson's at 95%."
    )
