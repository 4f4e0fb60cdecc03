"""Strict and lenient: who passes more on the same samples, and whether the run's verdict depends on who judged."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.agreement.analysis import Policy
from hcat.core.capabilities.agreement.leniency import conclusion, leniencies
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.view import leniency_view
from hcat.core.display.numbers import format_estimate, format_percent
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.agreement.chart import leniency_rows, policy_rows
from hcat.dashboard.capabilities.estimates.pass_rate import pick_evaluator
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.labels import policies
from hcat.dashboard.loaders.runs import scores

CONSENSUS = "Consensus of all"
SAID = {
    "shown": "reached",
    "not reached": "not reached",
    "open": "open: the interval contains both",
    "insufficient evidence": INSUFFICIENT,
}


def leniency_panel(criterion: Criterion, table: Ratings) -> None:
    """Each annotator's pass rate less that of the others on the same samples."""
    st.markdown("**Who is strict, who is lenient**")
    differences = leniencies(table, criterion=criterion)
    st.plotly_chart(
        leniency_rows(differences, dark=is_dark()),
        key="leniency",
        config={"displayModeBar": False},
        alt="Difference in pass rate of each annotator to the others on the same samples",
    )
    show_view(leniency_view(differences), key="leniency-view", draw={})


def policies_panel(run: RunInfo, criterion: Criterion) -> None:
    """The run's pass rate and the fitness of the metrics by each annotator's labels alone, against the consensus."""
    st.markdown("**Does the verdict on the run depend on who judged?**")
    if scores(run) is None:
        st.info("The pass rate of the whole run takes scores: score the run first.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return
    evaluator = pick_evaluator(run, criterion)
    target = st.slider(
        "At least this share of answers should pass", 0.0, 1.0, 0.9, 0.01, format="percent", key="target"
    )
    found = policies(run, criterion, evaluator.metrics, evaluator.method)
    names = [CONSENSUS if one.annotator is None else one.annotator for one in found]
    st.plotly_chart(
        policy_rows(
            names,
            [one.estimates.labels_only for one in found],
            [one.estimates.ppi for one in found],
            target,
            dark=is_dark(),
        ),
        key="policies",
        config={"displayModeBar": False},
        alt="Pass rate of the run by the labels of each annotator, and the target",
    )
    st.markdown(in_words(found, target))
    rows = [(name, *_cells(one, target)) for name, one in zip(names, found, strict=True)]
    columns = ["Judged by", "Labels", "Pass rate, PPI++", "Target", "Metrics fit for use", "Coverage of sets", "AUC"]
    data_table(pd.DataFrame(rows, columns=columns), hide_index=True, key="policy-table", alt="Verdicts by policy")
    for name, one in zip(names, found, strict=True):
        if one.missing:
            st.caption(f"{plain(name)}: no calibration. {plain(one.missing)}")
    st.caption(
        "Each row uses the labels of one annotator only; the consensus is the majority of people on pass or fail, "
        "and the adjudication where there is one; the reference rule is not used. Calibrations are at α = 0.1. Few "
        "labels give wide intervals: differing rows are evidence of different standards only where the paired "
        "differences above are."
    )


def in_words(found: Sequence[Policy], target: float) -> str:
    """Whether all annotators lead to the conclusion of the consensus, in one sentence."""
    wanted = f"at least {format_percent(target, decimals=0)} of answers pass"
    said = {one.annotator: conclusion(one.estimates.ppi, target) for one in found}
    whole = said.pop(None, "insufficient evidence")
    others = {name: word for name, word in said.items() if word != whole}
    start = f"By the consensus, that {wanted} is **{plain(SAID[whole])}**."
    if not others:
        return f"{start} Each annotator alone leads to the same conclusion."
    against = {"shown": "not reached", "not reached": "shown"}.get(whole)
    turned = [plain(name) for name, word in others.items() if word == against and name]
    if turned:
        return f"{start} **It depends on who judged**: by the labels of {', '.join(turned)} alone it is the opposite."
    listed = "; ".join(f"{plain(name)}: {plain(SAID[word])}" for name, word in others.items())
    return f"{start} By the labels of one person alone it differs: {listed}."


def _cells(policy: Policy, target: float) -> tuple[int, str, str, str, str, str]:
    rate = policy.estimates.ppi
    shown = format_estimate(rate, percent=True) if not math.isnan(rate.low) else f"{INSUFFICIENT}, n = {rate.n}"
    start = (policy.estimates.n_labels, shown, SAID[conclusion(rate, target)])
    if policy.calibration is None:
        return (*start, "–", "–", "–")
    measured = policy.calibration.diagnostics
    if measured is None:
        return (*start, policy.calibration.fit_for_use.value, "–", "–")
    return (
        *start,
        policy.calibration.fit_for_use.value,
        format_estimate(measured.coverage, percent=True),
        format_estimate(measured.auc),
    )
