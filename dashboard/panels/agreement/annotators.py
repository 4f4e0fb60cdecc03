"""Each annotator on their own: against themselves, against what is right, and over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.agreement.drift import LEAST_LABELS, Drift, Measure, drifts
from hcat.core.agreement.pairwise import MINIMUM_N
from hcat.core.display.numbers import format_estimate, format_p_value
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Estimate, Label
from hcat.core.wording.agreement import drift_word
from hcat.dashboard.charts.agreement import drift_blocks
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import columns
from hcat.dashboard.loaders.workspace import workspace

MEASURES: dict[Measure, tuple[str, str]] = {
    "passes": (
        "Pass rate",
        "The share of passes among the annotator's labels. It also moves where later samples are of another kind, as "
        "in a queue that begins with the hard ones.",
    ),
    "agrees with the others": (
        "Agreement with the others",
        "How many of the others gave the sample the same level, on samples that others labelled too.",
    ),
    "lenience": (
        "Leniency against the others",
        "A pass counts 1, a fail 0, less the share of the others who pass the same sample: harder or easier samples "
        "do not change it, only people do.",
    ),
}


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
        format_func=lambda name: MEASURES[name][0],
    )
    st.caption(MEASURES[measure][1])
    clusters = columns(run).shared_clusters
    tests = drifts(labels, criterion=criterion, rng=_generator(), measure=measure, test_cases=clusters)
    data_table(
        pd.DataFrame(
            [(test.annotator, test.n, *_verdict(test, measure)) for test in tests],
            columns=["Annotator", "Labels", "Verdict", "p", "p (Holm)", "Before", "After"],
        ),
        hide_index=True,
        key="drifts",
        alt="Whether each annotator drifts",
    )
    likeliest = min(range(len(tests)), key=lambda place: (np.nan_to_num(tests[place].p, nan=2.0), place))
    names = [drift.annotator for drift in tests]
    test = tests[names.index(st.selectbox("Annotator", names, index=likeliest, key="drift-annotator"))]
    if test.blocks:
        st.plotly_chart(
            drift_blocks(test, MEASURES[measure][0], share=measure != "lenience", dark=is_dark()),
            key="drift-chart",
            config={"displayModeBar": False},
            alt=f"{MEASURES[measure][0]} of {test.annotator} in blocks of labels, oldest first",
        )
    st.caption(
        "Test: the largest deviation of the running sum, against 2,000 random orders of the same labels (samples "
        "of one cluster stay together, and trade places with those of another that has as many). In a team that does "
        "not change, any drift is shown in at most 5% of cases (Holm over all annotators). This is of one measure: "
        f"choose it before you look. Below {LEAST_LABELS} labels nothing is tested. The place of a change is chosen by "
        "the labels themselves, so the before and after values overstate it. Labels from a file without times are in "
        "the file's order."
    )


def _verdict(test: Drift, measure: Measure) -> tuple[str, str, str, str, str]:
    p, p_holm = format_p_value(test.p), format_p_value(test.p_holm)
    if not test.is_shown:
        return drift_word(test), p, p_holm, "", ""
    share = measure != "lenience"
    before, after = (format_estimate(mean, percent=share) for mean in (test.before, test.after))
    return f"{drift_word(test)}, most after label {test.change}", p, p_holm, before, after


def _shown(estimate: Estimate, enough: bool, *, percent: bool = False) -> str:
    return format_estimate(estimate, percent=percent) if enough else f"{INSUFFICIENT}, n = {estimate.n}"


def _generator() -> np.random.Generator:
    return np.random.default_rng(workspace().settings.seed)
