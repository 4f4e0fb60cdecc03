"""All metrics in a table, and one explained: meaning, formula, unscored samples with reasons, distribution."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.capabilities.calibration.wording.combination import combination_note
from hcat.core.capabilities.judges.wording.machine_verdicts import EXPLANATION, mean_text
from hcat.core.capabilities.metrics.heads import kinds_of, methods
from hcat.core.capabilities.metrics.view import methods_view, unscored_view
from hcat.core.display.numbers import format_count
from hcat.core.metrics.registry import Metric
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import MetricSummary, ScoreTable
from hcat.core.wording.languages import validation_note
from hcat.dashboard.capabilities.metrics.loader import registered_metrics, score_summary
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.distribution import histogram
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.sample_table import ordered_ids
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import languages, scores
from hcat.dashboard.selection import SampleSelection

WORST = 10
RULES = "Whether it is fit for use on your samples, labels decide on Calibration."
SENTENCES = (
    "q, c, a, r: the sentences of query, contexts, answer and reference; m, n, k, p: how many there are; cos: the "
    "cosine of two sentences' embeddings."
)
SYMBOLS = {
    "retrieval": "g at rank r: the grade of the passage at that rank, 0 if not relevant; g*: in the best ranking.",
    "factual numbers": "N: the distinct numbers of a text, without those that only repeat the query.",
}
"""Symbols in the formulas of a family."""
ENTAILMENT = (
    "D: the signed distance of each of the answer's k sentences to the entailment boundary, the greatest over the "
    "premises; σ: the logistic function."
)


def metric_list(run: RunInfo | None) -> None:
    """All metrics in a table, with their means on the chosen run where it is scored."""
    registered = registered_metrics()
    table = scores(run) if run is not None else None
    summary = {} if run is None else score_summary(run)
    models_of = {} if table is None else table.provenance.models_of
    rows = pd.DataFrame(
        {
            "Metric": [metric.title for metric in registered.values()],
            "On this run": [mean_text(summary[n]) if n in summary else "not scored" for n in registered],
            "Language": [
                "" if run is None else validation_note(name, languages(run), models_of.get(name, ()))
                for name in registered
            ],
            "Unscored": [format_count(sum(summary[n].unscored.values())) if n in summary else "" for n in registered],
            "Recommended": [metric.recommended for metric in registered.values()],
            "Says": [metric.description for metric in registered.values()],
            "Better": [metric.direction for metric in registered.values()],
            "Needs": [", ".join(metric.needs) for metric in registered.values()],
        }
    )
    data_table(rows, hide_index=True, height=330, key="all-metrics", alt="All metrics")
    if table is not None and table.provenance.from_files:
        _from_files(table, summary)


def _from_files(table: ScoreTable, summary: Mapping[str, MetricSummary]) -> None:
    """The metrics of the run that hcat did not compute, with the files that they came from."""
    st.markdown("**Scores from files** of the chosen run; hcat did not compute them.")
    declared = table.provenance.from_files
    rows = pd.DataFrame(
        {
            "Metric": list(declared),
            "On this run": [mean_text(summary[name]) for name in declared],
            "Unscored": [format_count(sum(summary[name].unscored.values())) for name in declared],
            "Better": [metric.direction or "not stated" for metric in declared.values()],
            "Range": ["not stated" if metric.bounds == ".." else metric.bounds for metric in declared.values()],
            "Source": [metric.origin for metric in declared.values()],
        }
    )
    data_table(rows, hide_index=True, key="metrics-from-files", alt="Metrics whose scores came from files")


def metric_card(metric: Metric, run: RunInfo | None) -> None:
    """Meaning, formula, needs, range, direction and source; failures, distribution and worst samples of the run."""
    with st.container(border=True):
        st.subheader(metric.title)
        st.markdown(metric.description)
        if metric.limit:
            st.warning(metric.limit, icon=":material/warning:")
        if metric.recommended:
            st.info(f"Recommended: {metric.recommended}. {RULES}")
        if metric.formula:
            st.latex(metric.formula)
            st.caption(_symbols(metric), text_alignment="center")
        better = "neither way is better" if metric.direction == "none" else f"{metric.direction} is better"
        low, high = metric.range
        computed = f" · computed with {', '.join(metric.models)}" if metric.models else " · computed without a model"
        st.caption(
            f"Column `{metric.name}` · needs {', '.join(metric.needs)} · range {low:g} to {high:g}, {better}"
            f"{computed} · source: {plain(metric.source)}"
        )
        show_view(methods_view(kinds_of([metric.name])), key=f"about-{metric.name}", draw={})
        table = scores(run) if run is not None else None
        if run is None or table is None or metric.name not in table.metrics:
            st.info("This metric is not scored on the chosen run.")
            return
        _on_this_run(metric, run, table)


def methods_panel() -> None:
    """Show the purpose and limits of the estimates, tests and verdicts that use metrics and labels."""
    with st.expander("Methods: what each is for, and what it can't show", icon=":material/functions:"):
        show_view(methods_view(methods()), key="methods", draw={})


def _symbols(metric: Metric) -> str:
    """The meaning of the symbols in the metric's formula, unless the formula states it."""
    if "entailment" in metric.models:
        return ENTAILMENT
    return SYMBOLS.get(metric.family, SENTENCES if metric.models == ("encoder",) else "")


def _on_this_run(metric: Metric, run: RunInfo, table: ScoreTable) -> None:
    summary = score_summary(run)[metric.name]
    st.markdown(f"On this run: {mean_text(summary)}")
    if summary.judged:
        st.caption(EXPLANATION)
    if metric.recommended and (note := combination_note(table.provenance)):
        st.warning(f"{plain(note)}.")
    left, right = st.columns([3, 2])
    with right:
        _unscored(metric, table, summary)
    if summary.mean.n == 0:
        return
    figure = histogram(table.values(metric.name), metric=metric.title, mean=summary.mean.value, dark=is_dark())
    with left:
        st.plotly_chart(
            figure,
            key=f"histogram-{metric.name}",
            config={"displayModeBar": False},
            alt=described(figure, f"Distribution of {metric.title}, mean {summary.mean.value:.3f}"),
        )
    if st.button(_worst_label(metric), key=f"worst-{metric.name}", icon=":material/article:"):
        open_samples(SampleSelection(sample_ids=worst_ids(run, table, metric.name)), metric=metric.name)


def worst_ids(run: RunInfo, table: ScoreTable, name: str) -> tuple[str, ...]:
    """The samples with the worst scores, the worst first; where neither way is better, the lowest. None unscored."""
    values = pd.Series(table.values(name), index=list(table.sample_ids))
    scored = [str(sample_id) for sample_id in values.index[np.isfinite(values)]]
    return tuple(ordered_ids(run, scored, name)[:WORST])


def _worst_label(metric: Metric) -> str:
    return "Open the ten lowest" if metric.direction == "none" else "Open the ten worst"


def _unscored(metric: Metric, table: ScoreTable, summary: MetricSummary) -> None:
    """Which samples have no score, by reason: none of them counts as zero."""
    reasons, n = table.reasons(metric.name), len(table.sample_ids)
    if not reasons:
        st.markdown(f"All samples are scored (n = {n:,}).")
        return
    st.markdown(f"**{sum(reasons.values()):,} of {n:,} samples are unscored**; none of them counts as zero.")
    view = unscored_view([(metric.title, summary)], "Why samples are unscored")
    show_view(view, key=f"unscored-{metric.name}", draw={})
