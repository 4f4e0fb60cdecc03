"""Choices for a calibration: metrics, method, α, and the groups within which the sets have their coverage."""

from __future__ import annotations

import streamlit as st

from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.stage_2 import MOST_CELLS, NOT_CONDITIONAL
from hcat.core.calibration.maps.methods import METHODS
from hcat.core.estimates.label_evaluation import CalibrationSpec
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import read_calibration, saved_calibration
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.loaders.runs import dimensions

METRICS, ALPHA, THRESHOLD, CELLS = "calibrated-metrics", "alpha", "decision-threshold", "conditional"
OPENED = "calibration-opened"
DEFAULT_METRICS = ("answer_f1", "groundedness_combined", "groundedness")
CONDITIONAL = {NOT_CONDITIONAL: "one for all samples", BY_CLASS: "one for each class"}


def pick_question(run: RunInfo, criterion: Criterion) -> CalibrationSpec | None:
    """The controls of a calibration, which open at the one in force; None where no metric is chosen."""
    _open_at_saved(run, criterion)
    names = _pick_metrics(list(required_scores(run).metrics))
    left, right = st.columns(2)
    with left:
        alpha = st.slider(
            "α: share of prediction sets that may miss the label",
            0.01,
            0.5,
            0.1,
            0.01,
            key=ALPHA,
            bind="query-params",
            help=with_glossary(
                "Conformal prediction covers the label with probability at least 1 − α (HCAT 5.2).",
                "conformal prediction set",
                "α",
            ),
        )
    with right:
        conditional = _pick_conditional(run)
    decision_threshold = st.slider(
        "Decision threshold: the machine passes a sample from this probability on",
        0.05,
        0.95,
        DECISION_THRESHOLD,
        0.05,
        key=THRESHOLD,
        bind="query-params",
        help=with_glossary(
            "Type I and type II errors are measured here. Prediction sets and the verdict do not depend on it.",
            "type I error",
        ),
    )
    if not names:
        st.info("Choose at least one metric.")
        return None
    method = _pick_method(len(names), criterion)
    return CalibrationSpec(criterion, tuple(names), method, alpha, conditional, decision_threshold)


def _open_at_saved(run: RunInfo, criterion: Criterion) -> None:
    """The first time that a run and criterion are looked at, the controls are those of the calibration in force."""
    asked = (run.id, criterion.name)
    if st.session_state.get(OPENED) == asked:
        return
    st.session_state[OPENED] = asked
    record = saved_calibration(run, criterion.name)
    if record is None:
        return
    saved = read_calibration(record)
    if not set(saved.metrics) <= set(required_scores(run).metrics):
        return
    use_evaluator(criterion, saved.metrics, saved.method)
    measured = saved.diagnostics
    threshold = None if measured is None else measured.decision_threshold
    for key, value in ((ALPHA, saved.alpha), (THRESHOLD, threshold)):
        if value is not None and key not in st.query_params:
            st.session_state[key] = value
    if saved.conditional in (*CONDITIONAL, *dimensions(run).columns):
        st.session_state[CELLS] = saved.conditional


def use_evaluator(criterion: Criterion, metrics: tuple[str, ...], method: str) -> None:
    """Calibrate these metrics by this method from now on; for callbacks."""
    st.session_state[METRICS] = list(metrics)
    st.session_state[_method_key(criterion)] = method


def _pick_metrics(available: list[str]) -> list[str]:
    default = [name for name in DEFAULT_METRICS if name in available][:1] or available[:1]
    return st.multiselect(
        "Metrics to calibrate, alone or combined",
        available,
        default=None if METRICS in st.session_state else default,
        key=METRICS,
        format_func=metric_title,
        persist_state="session",
        help=with_glossary(
            "Several metrics make a combined evaluator: one probability from all of them.", "combined evaluator"
        ),
    )


def _method_key(criterion: Criterion) -> str:
    return f"method-{criterion.is_binary}"


def _pick_method(metrics: int, criterion: Criterion) -> str:
    """The chosen method of turning scores into a probability. Methods for one metric, or for more than two levels, are
    offered for these alone."""
    fitting = [candidate for candidate in METHODS if not (candidate.single and metrics > 1)]
    offered = [candidate for candidate in fitting if not (candidate.by_level and criterion.is_binary)]
    titles = {candidate.name: candidate.title for candidate in offered}
    key = _method_key(criterion)
    if (before := st.session_state.get(key)) is not None and before not in titles:
        st.session_state[key] = "logistic"
        st.caption(f"The method “{before}” takes one metric only: logistic is used instead.")
    chosen = st.segmented_control(
        "Method",
        list(titles),
        default=None if key in st.session_state else "logistic",
        required=True,
        key=key,
        format_func=titles.__getitem__,
        persist_state="session",
    )
    return chosen or "logistic"


def _pick_conditional(run: RunInfo) -> str:
    """The groups within which the sets have their coverage: all, each class, or the levels of a small dimension."""
    frame = dimensions(run)
    few = [str(name) for name in frame.columns if frame[name].nunique() <= MOST_CELLS and name not in CONDITIONAL]
    return st.selectbox(
        "Thresholds",
        [*CONDITIONAL, *few],
        format_func=lambda by: CONDITIONAL.get(by, f"one for each level of {by}"),
        key=CELLS,
        persist_state="session",
        help="One threshold guarantees coverage 1 − α on average; thresholds by class or dimension guarantee it "
        "within each, which takes enough labels in each.",
    )
