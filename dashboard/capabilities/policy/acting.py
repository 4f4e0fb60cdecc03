"""Switching a policy on, and its effects: decisions, a queue for people, accepted answers with certificates."""

from __future__ import annotations

import io
import json
import math

import pandas as pd
import streamlit as st

from hcat.core.capabilities.policy.analysis.policy_export import accepted_answers
from hcat.core.capabilities.policy.decide import Decisions
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.policy.view import decisions_view, policies_view
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.importers.reading.spreadsheet import as_csv, table_rows
from hcat.core.labelling.selection import REST_SHARE, ChosenSamples
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.policy.loader import policy_decisions, policy_in_use
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import columns
from hcat.dashboard.loaders.workspace import workspace


def switch_on_panel(run: RunInfo, policy: Policy) -> None:
    """The form that puts a policy in use, signed; with a reason where its promise is not shown."""
    st.subheader("Switch on")
    record = policy_in_use(run, policy.criterion)
    if record is not None and record.hash == policy.hash:
        st.caption("This policy is in use.")
        return
    with st.form("policy-switch-on", border=False):
        author = name_field("Your name", key="policy-author")
        label = "Reason" if policy.shown else "Reason for using it although its promise is not shown"
        reason = st.text_input(label, key="policy-reason")
        if st.form_submit_button("Switch on", type="primary", key="policy-switch"):
            try:
                workspace().policies.switch_on(run, policy, author=author, reason=reason)
            except HcatError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def in_use_panel(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    """Show the decisions of the policy in use on this run's answers, the actions on them, and the policy's versions."""
    record = policy_in_use(run, criterion.name)
    if record is None:
        st.caption("No policy is in use yet. Once one is switched on, its decisions stand here.")
        return
    st.subheader("In use")
    st.markdown(
        f"Version {record.version} on {plain(' and '.join(record.criteria))}, switched on by {plain(record.author)} on "
        f"{record.at:%Y-%m-%d %H:%M} UTC{_because(record)}."
    )
    try:
        decisions = policy_decisions(run, record)
    except HcatError as error:
        st.error(plain(f"It can't decide on this run: {error}."))
        return
    counted_view = decisions_view(Decisions.of(decisions), title=f"Decisions on run {run.name}")
    show_view(counted_view, key="policy-decisions", draw={})
    _queue(run, criterion, decisions)
    _downloads(run, record, decisions)
    _versions(project, criterion)


def _queue(run: RunInfo, criterion: Criterion, decisions: pd.DataFrame) -> None:
    people = tuple(decisions.loc[decisions["action"] == "person", "sample_id"].astype(str))
    if not people:
        st.caption("Nothing goes to people.")
        return
    left, right = st.columns([1, 2], vertical_alignment="center")
    asked = left.button(
        "Queue what goes to people",
        key="policy-queue",
        help="Those that nobody has labelled yet, with a few of the rest, so that estimates of the run stay unbiased.",
    )
    if asked:
        chosen = ChosenSamples("policy: to people", people)
        try:
            unlabelled = workspace().queues.sizes(run, criterion, chosen).open_in_slice
            planned = math.ceil(unlabelled / (1 - REST_SHARE)) if unlabelled else None
            queue = workspace().queues.plan(run, criterion, kind="slice", chosen=chosen, planned=planned)
        except HcatError as error:
            right.info(plain(str(error)))
        else:
            right.success(f"Queue “{plain(queue.name)}” holds {counted(queue.planned, 'answer')}.")
    with right:
        link_to("labelling", "Label them", icon=":material/label:")


def _downloads(run: RunInfo, record: PolicyRecord, decisions: pd.DataFrame) -> None:
    policy = workspace().policies.read(record)
    lines = io.StringIO()
    for line in accepted_answers(columns(run), policy, decisions):
        lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    left, middle, right = st.columns(3)
    left.download_button(
        "Accepted answers, with certificates",
        lines.getvalue(),
        f"accepted-v{record.version}.jsonl",
        mime="application/jsonl",
        key="policy-accepted",
    )
    middle.download_button(
        "All decisions (CSV)", as_csv(table_rows(decisions)), f"decisions-v{record.version}.csv", key="policy-decisions"
    )
    right.download_button(
        "The policy (JSON)",
        json.dumps(policy.document(), indent=2, ensure_ascii=False, allow_nan=False),
        f"policy-v{record.version}.json",
        key="policy-document",
        help="For `hcat policy apply` and `hcat policy check`.",
    )


def _versions(project: ProjectInfo, criterion: Criterion) -> None:
    records = [each for each in workspace().policies.all(project) if criterion.name in each.criteria]
    with st.expander(f"Versions ({len(records)})"):
        show_view(policies_view(records), key="policy-versions", draw={})


def _because(record: PolicyRecord) -> str:
    return f", because: “{plain(record.reason)}”" if record.reason else ""
