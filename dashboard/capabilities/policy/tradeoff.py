"""The curve of the trade-off, and the threshold on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from hcat.core.capabilities.policy.analysis.policy import ALL, PolicySpec
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.dashboard.capabilities.policy.chart import trade_off_chart
from hcat.dashboard.capabilities.policy.loader import fitted_policy, policy_curves
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.selection import selected_customdata

THRESHOLD = "policy-threshold"
CLICKED = "policy-clicked"
ON_SEVERAL = (
    " On several criteria the probability is the least of all, and failures and bound are those of the criterion that "
    "is worst there."
)


def threshold_panel(run: RunInfo, records: Sequence[CalibrationRecord], spec: PolicySpec) -> Policy:
    """The policy with the threshold that is chosen on the slider or the curve; the lowest that is shown at first."""
    curves = policy_curves(run, records, spec)
    level = ALL
    if spec.by is not None:
        level = str(st.selectbox(f"Curve of {plain(spec.by)}", list(curves), key="policy-level"))
    policy = fitted_policy(run, records, spec)
    accept_from = next((rule.accept_from for rule in policy.rules if (rule.level or ALL) == level), None)
    if spec.by is None:
        suggested = 1.0 if accept_from is None else accept_from
        accept_from = _slider(suggested, stated=f"{spec.promise} {[each.criterion for each in records]}")
        if accept_from != suggested:
            policy = fitted_policy(run, records, replace(spec, accept_from=accept_from))
    figure = trade_off_chart(curves[level], policy.tested, accept_from=accept_from, dark=is_dark())
    event = st.plotly_chart(
        figure,
        key="policy-curve",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=described(figure, "Accepted answers and the error let through, by threshold"),
    )
    picked = selected_customdata(event)
    if picked and spec.by is None and picked[0][0] != st.session_state.get(CLICKED):
        st.session_state[CLICKED] = picked[0][0]
        st.session_state["next-" + THRESHOLD] = float(picked[0][0])
        st.rerun()
    st.caption(
        "Drag the threshold, or click the curve. Solid: failures among the labelled answers from there on that did not "
        "fit the map. Dashed: their upper bound, if this threshold alone had been chosen beforehand. In the shaded "
        "range the promise holds for all thresholds at once, so that one may be picked by sight."
        + ON_SEVERAL
        * (len(records) > 1)
    )
    return policy


def _slider(suggested: float, *, stated: str) -> float:
    """The threshold; the suggested one again as soon as something else is promised."""
    chosen = st.session_state.pop("next-" + THRESHOLD, None)
    if st.session_state.get("policy-stated") != (stated, suggested):
        st.session_state["policy-stated"] = (stated, suggested)
        chosen = suggested
    if chosen is not None or THRESHOLD not in st.session_state:
        st.session_state[THRESHOLD] = suggested if chosen is None else chosen
    return float(st.slider("Accept from a probability of", 0.0, 1.0, step=0.01, key=THRESHOLD))
