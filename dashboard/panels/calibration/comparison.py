"""Which method, and how many metrics, does it take: the comparison by cross-validation, and a way to use its result."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.calibration.checks.comparison import Candidate, Comparison
from hcat.core.display.numbers import counted, format_difference, format_estimate
from hcat.core.errors import HcatError
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Estimate
from hcat.core.wording.calibration import comparison_sentence
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.calibrations import comparison
from hcat.dashboard.panels.calibration.spec import DEFAULT_METRICS, use_evaluator
from hcat.dashboard.panels.labelling.session import LIVE

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
    st.markdown(plain(comparison_sentence(comparison)))
    data_table(
        pd.DataFrame([_row(candidate) for candidate in (*comparison.candidates, comparison.base_rate)]),
        hide_index=True,
        width="stretch",
        key="comparison-table",
        alt="Log-loss, Brier score and AUC of each method",
    )
    st.caption(
        f"{counted(comparison.n, 'label')}, {comparison.passes} of them passes; {comparison.repeats} times "
        f"{comparison.folds} folds, a cluster always whole in one of them. The last row always answers with the pass "
        "rate. Gains are over that constant, differences from the first row, both in the same folds; 95% intervals by "
        f"the corrected t test of Nadeau and Bengio, which hold for all {len(comparison.candidates)} evaluators at "
        "once (Bonferroni). Computed when the button was pressed; later labels are not included."
    )
    for name, reason in comparison.skipped.items():
        st.caption(f"Left out: {plain(name)}: {plain(reason)}")
    titles = {_title(candidate): candidate for candidate in comparison.candidates}
    suggested = comparison.enough or comparison.best
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Evaluator", list(titles), index=list(titles).index(_title(suggested)), key="compared-choice"
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


def _title(candidate: Candidate) -> str:
    if not candidate.metrics:
        return "base rate (a constant)"
    on = metric_title(candidate.metrics[0]) if len(candidate.metrics) == 1 else f"{len(candidate.metrics)} metrics"
    return f"{candidate.method} on {on}"


def _row(candidate: Candidate) -> dict[str, str | int]:
    return {
        "evaluator": _title(candidate),
        "log-loss": format_estimate(candidate.log_loss).split(", n")[0],
        "gain over a constant": _difference(candidate.gain),
        "log-loss above the best": _difference(candidate.log_loss_difference),
        "Brier": format_estimate(candidate.brier).split(", n")[0],
        "Brier above the best": _difference(candidate.brier_difference),
        "AUC": format_estimate(candidate.auc).split(", n")[0],
        "AUC against the best": _difference(candidate.auc_difference),
        "labels scored": candidate.scored,
    }


def _difference(estimate: Estimate) -> str:
    if estimate.value == estimate.low == estimate.high == 0:
        return "—"
    low, high = (format_difference(bound, decimals=3) for bound in (estimate.low, estimate.high))
    return f"{format_difference(estimate.value, decimals=3)} [{low}, {high}]"
