"""Regenerating the answers that a policy sends back: the system to ask, the maximum cost, and the result."""

from __future__ import annotations

from collections.abc import Set

import streamlit as st

from hcat.core.capabilities.policy.services.applied import REGENERATED
from hcat.core.capabilities.policy.wording.regeneration import plan_sentence, regenerated_sentences
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.collect.target import choose_target
from hcat.dashboard.capabilities.policy.loader import policy_decisions, policy_in_use
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.runs import samples
from hcat.dashboard.loaders.workspace import workspace


def regeneration_panel(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    """Show the result of regenerating, or the form that begins it; nothing before a policy is in use."""
    record = policy_in_use(run, criterion.name)
    if record is None:
        return
    st.subheader("Regenerate")
    under_way = is_under_way(job_panel(project, kinds=("regenerate",)))
    try:
        decisions = policy_decisions(run, record)
    except HcatError as error:
        st.error(sentence(error))
        return
    if run.format == REGENERATED:
        st.markdown(f"This run: {plain(run.filename)}.")
        for said in regenerated_sentences(tuple(samples(run).values()), decisions):
            st.markdown(f"- {plain(said)}")
        return
    _of_this_run(project, run)
    again = int((decisions["action"] == "regenerate").sum())
    if not again:
        st.caption("The policy sends no answer of this run back to the system.")
        return
    st.markdown(
        f"The policy sends {counted(again, 'answer')} back. Each is asked for again with the reason, scored and "
        "decided on anew; the answers become a run of their own, and this run stays as it is."
    )
    if under_way:
        st.caption("A regeneration is under way: the next can begin when it has ended.")
    elif st.toggle("Ask the system again", key="policy-regenerate-form"):
        _form(project, run, record)


def _form(project: ProjectInfo, run: RunInfo, record: PolicyRecord) -> None:
    target = choose_target()
    st.caption(
        "In a target, `{{reason}}` stands for why the answer was not accepted; a target without it gets the reason "
        "after the question."
    )
    if target is None:
        return
    names = {each.name for each in workspace().runs.all(project)}
    name = st.text_input(
        "Name of the run with the new answers", _free_name(run, names), key=f"policy-regenerate-{run.id}-{len(names)}"
    )
    try:
        request = workspace().regenerations.prepare(run, record, name, target, from_page=True)
        plan = workspace().regenerations.plan(request)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.markdown(plain(plan_sentence(plan)))
    label = f"Regenerate {counted(plan.answers, 'answer')}"
    if st.button(label, type="primary", icon=":material/refresh:", key="policy-regenerate"):
        workspace().jobs.start(project, request)
        st.rerun()


def _of_this_run(project: ProjectInfo, run: RunInfo) -> None:
    """The runs with regenerated answers of this one."""
    for each in workspace().runs.all(project):
        if each.format == REGENERATED and each.filename.startswith(f"run {run.name}, "):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"Regenerated answers are in run {plain(each.name)}.")
                if st.button(f"Choose {plain(each.name)}", key=f"policy-choose-{each.id}"):
                    st.session_state["next-run"] = each.name
                    st.rerun()


def _free_name(run: RunInfo, names: Set[str]) -> str:
    """The first of “NAME again”, “NAME again 2” … that no run has."""
    first = f"{run.name} again"
    further = (f"{first} {number}" for number in range(2, len(names) + 3))
    return first if first not in names else next(name for name in further if name not in names)
