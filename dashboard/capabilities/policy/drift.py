"""A policy in use against its promise: load on people and error let through, run by run, with an alarm."""

from __future__ import annotations

import math

import streamlit as st

from hcat.core.capabilities.policy.services.applied import since_switched_on
from hcat.core.capabilities.policy.view import drift_view
from hcat.core.capabilities.policy.wording.drift import labels_needed
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.labelling.selection import REST_SHARE, ChosenSamples
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.policy.chart import drift_chart
from hcat.dashboard.capabilities.policy.loader import policy_check, policy_decisions, policy_in_use, policy_windows
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace


def drift_panel(run: RunInfo, criterion: Criterion) -> None:
    """Windows to look at, their load and error, and the next steps; nothing before a policy is in use."""
    record = policy_in_use(run, criterion.name)
    if record is None:
        return
    st.subheader("Drift since it was switched on")
    st.caption(
        "Each run of later answers is a window, in the order of import. Load and error are held against what was "
        "promised by evidence that may be looked at after every window: a false alarm comes in at most 5% of series."
    )
    windows = {each.name: each for each in policy_windows(run, record)}
    if not windows:
        st.info(
            "There are no later answers yet. Collect or import the next ones as a run of this project and score them "
            f"on {', '.join(plain(name) for name in workspace().policies.read(record).metrics)}: they are the first "
            "window."
        )
        link_to("collect", "Collect answers")
        return
    since = [each.name for each in since_switched_on(record, list(windows.values()))]
    chosen = st.multiselect(
        "Runs that the policy decided on",
        list(windows),
        default=since,
        key=f"policy-windows-{record.id}-{len(since)}",  # a new run is chosen too
        help="At first those imported since the policy was switched on. Choose them by when the answers were given, "
        "not by what they show.",
    )
    if not chosen:
        st.info("No run was imported since the policy was switched on: choose the runs that it decided on.")
        return
    _checked(record, [windows[name] for name in windows if name in chosen], criterion)


def _checked(record: PolicyRecord, runs: list[RunInfo], criterion: Criterion) -> None:
    try:
        check = policy_check(record, runs)
    except HcatError as error:
        st.error(sentence(error))
        return
    places = st.columns(2)
    for number, drift in enumerate(check.drifts):
        figure = drift_chart(drift, dark=is_dark())
        places[number % 2].plotly_chart(
            figure,
            key=f"policy-drift-{drift.quantity}",
            config={"displayModeBar": False},
            alt=described(figure, f"{drift.quantity} by window, against what was promised"),
        )
    show_view(drift_view(check), key="policy-drift", draw={})
    if check.alarm:
        with st.container(horizontal=True):
            link_to("labelling", "Label answers of the newest window", icon=":material/label:")
            link_to("calibration", "Calibrate again", icon=":material/show_chart:")
            link_to("weaknesses", "Compare with the run of the labels")
    elif check.labelled < labels_needed(check):
        _queue(record, runs[-1], criterion, labels_needed(check) - check.labelled)


def _queue(record: PolicyRecord, run: RunInfo, criterion: Criterion, wanted: int) -> None:
    """A button that queues accepted answers of the newest window, drawn at random."""
    decisions = policy_decisions(run, record)
    accepted = tuple(decisions.loc[decisions["action"] == "accept", "sample_id"].astype(str))
    left, right = st.columns([1, 2], vertical_alignment="center")
    if not accepted:
        left.caption(f"No answer of {plain(run.name)} is accepted.")
        return
    if left.button(f"Queue accepted answers of {plain(run.name)}", key="policy-drift-queue"):
        chosen = ChosenSamples("policy: accepted", accepted)
        try:
            planned = math.ceil(min(wanted, len(accepted)) / (1 - REST_SHARE))
            queue = workspace().queues.plan(run, criterion, kind="slice", chosen=chosen, planned=planned)
        except HcatError as error:
            right.info(sentence(error))
        else:
            right.success(f"Queue “{plain(queue.name)}” of {plain(run.name)} holds {counted(queue.planned, 'answer')}.")
    with right:
        link_to("labelling", "Label them", icon=":material/label:")
