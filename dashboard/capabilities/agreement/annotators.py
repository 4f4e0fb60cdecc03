"""Each annotator on their own: against themselves, against what is right, and over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.capabilities.agreement.drift import drifts
from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.capabilities.agreement.view import drift_view
from hcat.core.capabilities.agreement.wording import MEASURES
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_estimate
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Estimate, Label
from hcat.dashboard.capabilities.agreement.chart import drift_blocks
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import columns
from hcat.dashboard.loaders.workspace import workspace


def annotators_panel(run: RunInfo, criterion: Criterion, labels: Sequence[Label]) -> None:
    """Self-consistency, gold items, and drift."""
    _consistency(run, criterion)
    _accuracy(run, criterion)
    _drift(run, criterion, labels)


def _consistency(run: RunInfo, criterion: Criterion) -> None:
    st.markdown("**Against themselves: hidden repeats**")
    consistencies = workspace().annotators.consistency(run, criterion, rng=_generator())
    if not consistencies:
        st.caption(
            "No sample has been shown to anybody twice yet. Plan a queue with a share of hidden repeats to measure "
            "this."
        )
        return
    rows = [
        (
            repeats.annotator,
            _shown(repeats.same, repeats.enough, percent=True),
            _shown(repeats.kappa, repeats.kappa_enough),
            repeats.cannot_judge,
        )
        for repeats in consistencies
    ]
    columns = ["Annotator", "Same label again", "κ with themselves", "Can't judge (not counted)"]
    data_table(pd.DataFrame(rows, columns=columns), hide_index=True, key="consistency", alt="Self-consistency")
    st.caption(
        "Self-consistency is an upper bound for agreement with others. Wilson's interval for shares, a bootstrap for "
        f"κ; below {MINIMUM_N} repeats nothing is concluded."
    )


def _accuracy(run: RunInfo, criterion: Criterion) -> None:
    st.markdown("**Against what is right: gold items**")
    accuracies = workspace().annotators.accuracy(run, criterion)
    if not accuracies:
        st.caption(
            "Nobody has labelled a gold item yet: a sample whose right level is known, mixed into queues unannounced."
        )
        return
    rows = [
        (
            accuracy.annotator,
            _shown(accuracy.level_right, accuracy.enough, percent=True),
            _shown(accuracy.side_right, accuracy.enough, percent=True),
            accuracy.cannot_judge,
        )
        for accuracy in accuracies
    ]
    columns = ["Annotator", "Right level", "Right on pass or fail", "Can't judge (not counted)"]
    data_table(pd.DataFrame(rows, columns=columns), hide_index=True, key="gold", alt="Accuracy on gold items")


def _drift(run: RunInfo, criterion: Criterion, labels: Sequence[Label]) -> None:
    st.markdown("**Over time: does an annotator's judgement change?**")
    measure = st.segmented_control(
        "Measure",
        list(MEASURES),
        default="passes",
        required=True,
        key="drift-measure",
        format_func=lambda name: say(MEASURES[name][0]),
    )
    clusters = columns(run).shared_clusters
    tests = drifts(labels, criterion=criterion, rng=_generator(), measure=measure, test_cases=clusters)
    show_view(drift_view(tests, measure), key=f"drifts-{measure}", draw={})
    likeliest = min(range(len(tests)), key=lambda place: (np.nan_to_num(tests[place].p, nan=2.0), place))
    names = [drift.annotator for drift in tests]
    test = tests[names.index(st.selectbox("Annotator", names, index=likeliest, key="drift-annotator"))]
    title = say(MEASURES[measure][0])
    if test.blocks:
        st.plotly_chart(
            drift_blocks(test, title, share=measure != "lenience", dark=is_dark()),
            key="drift-chart",
            config={"displayModeBar": False},
            alt=f"{title} of {test.annotator} in blocks of labels, oldest first",
        )


def _shown(estimate: Estimate, enough: bool, *, percent: bool = False) -> str:
    return format_estimate(estimate, percent=percent) if enough else f"{INSUFFICIENT}, n = {estimate.n}"


def _generator() -> np.random.Generator:
    return np.random.default_rng(workspace().settings.seed)
