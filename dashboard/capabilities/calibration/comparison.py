"""Which method, and how many metrics, does it take: the comparison by cross-validation, and a way to use its result."""

from __future__ import annotations

import streamlit as st

from hcat.core.calibration.checks.comparison import Candidate, Comparison
from hcat.core.capabilities.calibration.views.evaluators import comparison_view, evaluator_title
from hcat.core.errors import HcatError
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import comparison
from hcat.dashboard.capabilities.calibration.spec import DEFAULT_METRICS, use_evaluator
from hcat.dashboard.capabilities.labelling.session import LIVE
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.components.view import show_view

MADE = "comparison-made"
COMPARED_FIRST = (*DEFAULT_METRICS, "completeness", "answer_recall", "context_relevancy")


@st.fragment
def comparison_panel(run: RunInfo, criterion: Criterion) -> None:
    """Every chosen metric alone and all together by every method, on labels of the fit split; made when asked for."""
    st.subheader("Is a simpler evaluator good enough?")
    available = list(required_scores(run).metrics)
    names = st.multiselect(
        "Metrics to compare, each alone and all together",
        available,
        default=[name for name in COMPARED_FIRST if name in available] or available[:3],
        key="compared-metrics",
        format_func=metric_title,
    )
    asked = (run.id, criterion.name, tuple(names))
    if st.button("Compare", icon=":material/compare_arrows:", key="compare", disabled=not names):
        try:
            st.session_state[MADE] = (asked, comparison(run, criterion, names))
        except HcatError as error:
            st.error(sentence(error))
    held = st.session_state.get(MADE)
    if held is None or held[0] != asked:
        st.caption("Cross-validated on the labels that fit the map. It takes seconds, or a minute with many labels.")
        return
    _result(held[1], criterion)


def _result(comparison: Comparison, criterion: Criterion) -> None:
    show_view(comparison_view(comparison), key="comparison", draw={})
    st.caption("Computed when the button was pressed; later labels are not included.")
    titles = {evaluator_title(candidate): candidate for candidate in comparison.candidates}
    suggested = comparison.enough or comparison.best
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Evaluator", list(titles), index=list(titles).index(evaluator_title(suggested)), key="compared-choice"
        )
        st.button(
            "Use this one",
            key="use-compared",
            on_click=_use,
            args=(criterion, titles[chosen]),
            type="primary" if titles[chosen].beats_base_rate else "secondary",
        )
    if not titles[chosen].beats_base_rate:
        st.caption("This one is not shown to beat a constant.")


def _use(criterion: Criterion, candidate: Candidate) -> None:
    use_evaluator(criterion, candidate.metrics, candidate.method)
    st.rerun(LIVE)
