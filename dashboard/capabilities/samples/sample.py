"""One sample: texts side by side with an explanation, the transport plan, all scores, its labels."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from hcat.core.calibration.conformal.level_sets import decision_title
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.display.numbers import format_number
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import LabelSource
from hcat.dashboard.capabilities.calibration.loader import decisions
from hcat.dashboard.capabilities.labelling.picked import label_this
from hcat.dashboard.capabilities.samples.contributions import WHY, contributions_panel
from hcat.dashboard.capabilities.samples.explanation import (
    HINT,
    explanation_panel,
    offer_explanation,
    read_explanation,
    score_line,
    transport_panel,
    unscored_sentence,
)
from hcat.dashboard.components.pickers import metric_help, metric_title, required_scores
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import sample as read_sample
from hcat.dashboard.loaders.stored import criteria_of
from hcat.dashboard.loaders.workspace import workspace

VIEWS = {
    "Groundedness": ("groundedness", "Each answer sentence against the contexts."),
    "Completeness": ("completeness", "Each context sentence against the answer."),
    "Context relevancy": ("context_relevancy", "Each query sentence against the contexts."),
    "Answer relevancy": ("answer_relevancy", "Each answer sentence against the query."),
    "Answer recall": ("answer_recall", "Each reference sentence against the answer."),
    "Answer precision": ("answer_precision", "Each answer sentence against the reference."),
}
OTHER_VIEWS = {
    "answer_f1": "Answer precision",
    CALIBRATED: WHY,
    "completeness_transport": "Transport plan",
}
"""Views that explain metrics whose own explanation is only a number or two."""
SOURCES: Mapping[LabelSource, str] = {
    "person": "person",
    "rule": "rule",
    "adjudication": "person, deciding over the labels of others",
    "llm": "language model",
}
"""Titles of the kinds of annotator."""
TRANSPORT, ANY, SCORES, LABELS = "Transport plan", "Any metric", "All scores", "Labels"


def step_buttons(ids: list[str], shown: str) -> None:
    """To the previous and the next sample of the selection, with the arrow keys too."""
    place = ids.index(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Previous", key="previous", shortcut="Left", disabled=place == 0):
            _go(ids[place - 1])
        if st.button("Next", key="next", shortcut="Right", disabled=place == len(ids) - 1):
            _go(ids[place + 1])
        label_this(shown)
        st.text(f"{place + 1:,} of {len(ids):,} · {shown}")


def _go(sample_id: str) -> None:
    st.query_params["sample"] = sample_id
    st.rerun()


def sample_panel(project: ProjectInfo, run: RunInfo, sample_id: str, metric: str) -> None:
    """The sample under the view that the user chose; the view of the page's metric comes first."""
    by_metric = {name: view for view, (name, _) in VIEWS.items()} | OTHER_VIEWS
    default = by_metric.get(metric.removesuffix("_min").removesuffix("_weighted"), ANY)
    view = st.segmented_control(
        "Explain",
        [*VIEWS, TRANSPORT, ANY, WHY, SCORES, LABELS],
        default=default,
        required=True,
        key="explain",
        label_visibility="collapsed",
    )
    if view == TRANSPORT:
        transport_panel(read_explanation(run, sample_id, "completeness_transport"))
    elif view == ANY:
        _any_metric(run, sample_id, metric)
    elif view == WHY:
        contributions_panel(run, sample_id)
    elif view == SCORES:
        _all_scores(run, sample_id)
    elif view == LABELS:
        _labels(project, run, sample_id)
    elif view is not None:
        _explained(run, sample_id, view)


def _explained(run: RunInfo, sample_id: str, view: str) -> None:
    metric, meaning = VIEWS[view]
    explained = read_explanation(run, sample_id, metric)
    score_line(run, sample_id, metric)
    legend = meaning
    if explained is None:
        offer_explanation()
    else:
        legend += f" {unscored_sentence(run, sample_id, metric, explained) or HINT}"
    sample, key = read_sample(run, sample_id), f"view-{sample_id}-{metric}"
    explained_view(sample, explained or {}, legend=legend, dark=is_dark(), key=key)


def _any_metric(run: RunInfo, sample_id: str, metric: str) -> None:
    """Whichever metric the user wants explained, the page's own at first."""
    names = list(required_scores(run).metrics)
    place = names.index(metric) if metric in names else 0
    chosen = st.selectbox("Metric to explain", names, index=place, key=f"any-{metric}", format_func=metric_title)
    st.caption(metric_help(chosen, required_scores(run)))
    explanation_panel(run, sample_id, chosen)


def _all_scores(run: RunInfo, sample_id: str) -> None:
    table = required_scores(run)
    rows = []
    for name in table.metrics:
        score = table.score(sample_id, name)
        rows.append((metric_title(name), score.value, score.reason or "", metric_help(name, table)))
    frame = pd.DataFrame(rows, columns=["Metric", "Score", "Unscored because", "Meaning"])
    columns = {"Score": st.column_config.NumberColumn(format="%.3f")}
    data_table(
        frame, hide_index=True, key="all-scores", column_config=columns, height=420, alt="All scores of the sample"
    )
    decided = decisions(run)
    if decided is not None and sample_id in decided.index:
        probability = format_number(float(decided["probability"][sample_id]))
        decision = decision_title(str(decided["decision"][sample_id]))
        st.markdown(f"Calibrated probability of a pass: **{probability}**; decision: **{decision}**.")


def _labels(project: ProjectInfo, run: RunInfo, sample_id: str) -> None:
    records = workspace().labels.history(project, run=run, sample_id=sample_id)
    if not records:
        st.info("Nobody has labelled this sample yet.")
        return
    levels = {criterion.name: criterion.levels for criterion in criteria_of(project)}
    rows = [
        (
            record.at,
            record.annotator,
            SOURCES[record.source],
            record.criterion,
            record.kind if record.level is None else levels[record.criterion][record.level],
            record.rationale or "",
            "superseded" if record.superseded else "holds",
        )
        for record in records
    ]
    frame = pd.DataFrame(rows, columns=["At", "Annotator", "Who", "Criterion", "Label", "Rationale", "State"])
    data_table(frame, hide_index=True, key="label-history", alt="The sample's label history")
    for name, value in read_sample(run, sample_id).dimensions.items():
        st.text(f"{name}: {value}")
