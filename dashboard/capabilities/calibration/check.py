"""Evaluation of a calibration on held-out labels: verdict and its rule, guarantee, coverage, errors, reliability of
p."""

from __future__ import annotations

import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.capabilities.calibration.calibrate import predict
from hcat.core.capabilities.calibration.views.calibration import (
    coverage_view,
    decisions_view,
    diagnostics_view,
    rule_view,
    sets_view,
    verdict_view,
)
from hcat.core.capabilities.calibration.wording.calibration import exchangeability_sentence
from hcat.core.capabilities.calibration.wording.label_counts import labels_to_samples
from hcat.core.display.numbers import counted
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import exchangeability
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import columns


def calibration_check(fitted: Calibration, judged: ConsensusLabels, run: RunInfo) -> None:
    """Verdict, guarantee and diagnostics of a calibration, and its decisions on the run."""
    label_counts(fitted, judged)
    show_view(verdict_view(fitted), key="verdict", draw={})
    with st.expander("How the verdict is reached", icon=":material/gavel:"):
        show_view(rule_view(fitted.alpha), key="rule", draw={})
    with st.expander("What the sets promise", icon=":material/verified:"):
        show_view(sets_view(fitted), key="sets", draw={})
    if fitted.diagnostics is None:
        return
    show_view(diagnostics_view(fitted), key="diagnostics", draw={})
    _coverage(fitted)
    decisions = {str(word): int(n) for word, n in predict(columns(run), fitted)["decision"].value_counts().items()}
    show_view(decisions_view(fitted, decisions, run.name), key="decisions", draw={})


@st.fragment
def exchangeability_note(run: RunInfo, criterion: Criterion) -> None:
    """Say whether the labelled samples are like the run, as all guarantees and estimates assume; a warning if they are
    not."""
    exchange = exchangeability(run, criterion)
    if exchange.verdict == "violated":
        st.warning(plain(exchangeability_sentence(exchange)), icon=":material/balance:")
    else:
        st.caption(plain(exchangeability_sentence(exchange)))


def _coverage(fitted: Calibration) -> None:
    """Coverage within classes or the levels of a dimension, with the thresholds where they are by it."""
    measured = fitted.diagnostics
    offered = [] if measured is None else [by for by, cells in measured.cells.items() if cells]
    if not offered:
        return
    chosen = fitted.conditional if fitted.conditional in offered else BY_CLASS
    by = st.selectbox(
        "Coverage within",
        offered,
        index=offered.index(chosen) if chosen in offered else 0,
        key=f"coverage-by-{fitted.conditional}",
        help="One threshold for all guarantees coverage on average; within a class or group it can be lower.",
    )
    show_view(coverage_view(fitted, by), key="coverage", draw={})


def _in_turn(fitted: Calibration) -> str:
    checked = fitted.diagnostics
    if checked is None or checked.folds == 1:
        return ""
    few = "With fewer than 100 such samples, all" if fitted.sets_by_score is None else "All"
    return f"{few} {checked.n} are checked in turn, in {checked.folds} folds."


def label_counts(fitted: Calibration, judged: ConsensusLabels) -> None:
    """Show the number of labels for each use, and a warning if they are too few for α."""
    threshold = fitted.threshold
    said = f"{plain(labels_to_samples(judged, fitted))} Prediction sets at α = {fitted.alpha:g}. {_in_turn(fitted)}"
    st.caption(said.rstrip())
    if fitted.thresholds is not None and fitted.thresholds.short:
        named = ", ".join(f"{plain(name)} (+{missing})" for name, missing in fitted.thresholds.short.items())
        st.warning(
            f"Too few labels for α = {fitted.alpha:g}; sets then contain every class: {named}. In brackets: further "
            f"labels that {'the conformal split' if fitted.sets_by_score is None else 'each'} needs."
        )
    elif not threshold.enough:
        missing = max(threshold.needed - threshold.n, 1)
        st.warning(
            f"α = {fitted.alpha:g} needs {counted(threshold.needed, 'label')}"
            f"{' in the conformal split' if fitted.sets_by_score is None else ''}, {missing} more than now. Until then "
            "every set contains every class."
        )
