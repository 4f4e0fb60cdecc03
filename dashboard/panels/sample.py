"""One sample: texts side by side with an explanation, the transport plan, all scores, its labels."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.formats import format_number
from core.storage.records import ProjectInfo, RunInfo
from core.types import JsonValue
from dashboard.charts.transport import Flow, transport_heatmap
from dashboard.components.markdown import plain
from dashboard.components.pickers import metric_help, metric_title, required_scores
from dashboard.components.sample_view import explained_view
from dashboard.components.theme import is_dark
from dashboard.loaders import decisions, explanation, samples, workspace

VIEWS = {
    "Groundedness": ("groundedness", "Each answer sentence against the contexts."),
    "Completeness": ("completeness", "Each context sentence against the answer."),
    "Context relevancy": ("context_relevancy", "Each query sentence against the contexts."),
    "Answer relevancy": ("answer_relevancy", "Each answer sentence against the query."),
    "Reference recall": ("answer_recall", "Each reference sentence against the answer."),
    "Reference precision": ("answer_precision", "Each answer sentence against the reference."),
}
TRANSPORT, SCORES, LABELS = "Transport plan", "All scores", "Labels"
HINT = "Hover a coloured sentence to see its best match, click to pin it. Wavy: below 0.5."


def step_buttons(ids: list[str], shown: str) -> None:
    """To the previous and the next sample of the selection, with the arrow keys too."""
    place = ids.index(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Previous", key="previous", shortcut="Left", disabled=place == 0):
            _go(ids[place - 1])
        if st.button("Next", key="next", shortcut="Right", disabled=place == len(ids) - 1):
            _go(ids[place + 1])
        st.text(f"{place + 1} of {len(ids)} · {shown}")


def _go(sample_id: str) -> None:
    st.query_params["sample"] = sample_id
    st.rerun()


def sample_panel(project: ProjectInfo, run: RunInfo, sample_id: str, metric: str) -> None:
    """The sample under the view that the user chose; the view of the page's metric comes first."""
    by_metric = {name: view for view, (name, _) in VIEWS.items()}
    default = by_metric.get(metric.removesuffix("_min").removesuffix("_weighted"), "Groundedness")
    view = st.segmented_control(
        "Explain",
        [*VIEWS, TRANSPORT, SCORES, LABELS],
        default=default,
        required=True,
        key="explain",
        label_visibility="collapsed",
    )
    if view == TRANSPORT:
        _transport(run, sample_id)
    elif view == SCORES:
        _all_scores(run, sample_id)
    elif view == LABELS:
        _labels(project, run, sample_id)
    elif view is not None:
        _explained(run, sample_id, view)


def _explained(run: RunInfo, sample_id: str, view: str) -> None:
    metric, meaning = VIEWS[view]
    found = _explanation(run, sample_id, metric)
    score = required_scores(run).score(sample_id, metric) if metric in required_scores(run).metrics else None
    value = "not scored yet" if score is None else score.reason or format_number(score.value, decimals=3)
    st.markdown(f"**{metric_title(metric)}: {value}**", help=metric_help(metric))
    legend = (
        f"{meaning} {HINT}" if "sentences" in found else f"{meaning} Unscored: {found.get('unscored', 'no reason')}."
    )
    explained_view(samples(run)[sample_id], found, legend=legend, dark=is_dark(), key=f"view-{sample_id}-{metric}")


def _explanation(run: RunInfo, sample_id: str, metric: str) -> dict[str, JsonValue]:
    found = explanation(run, sample_id, [metric]).get(metric)
    return found if isinstance(found, dict) else {}


def _transport(run: RunInfo, sample_id: str) -> None:
    found = _explanation(run, sample_id, "completeness_transport")
    if "plan" not in found:
        st.info(f"No transport plan: {plain(found.get('unscored', 'not computed'))}.")
        return
    cost = float(str(found["cost"]))
    st.markdown(
        f"**Cost W = {cost:.3f}**, so completeness by transport is {1 - cost:.3f}.",
        help=metric_help("completeness_transport"),
    )
    context, answer = _texts(found["contexts"]), _texts(found["answer"])
    flows = [
        Flow(
            int(str(move["context"])), int(str(move["answer"])), float(str(move["mass"])), float(str(move["distance"]))
        )
        for move in _rows(found["plan"])
    ]
    figure = transport_heatmap(context, answer, flows, dark=is_dark())
    st.plotly_chart(figure, key="plan", config={"displayModeBar": False}, alt="Transport plan")
    sentences = [(f"c{i + 1}", text) for i, text in enumerate(context)]
    sentences += [(f"a{i + 1}", text) for i, text in enumerate(answer)]
    st.dataframe(pd.DataFrame(sentences, columns=["Sentence", "Text"]), hide_index=True, height=220, key="plan-texts")


def _all_scores(run: RunInfo, sample_id: str) -> None:
    table = required_scores(run)
    rows = []
    for name in table.metrics:
        score = table.score(sample_id, name)
        rows.append((metric_title(name), score.value, score.reason or "", metric_help(name)))
    frame = pd.DataFrame(rows, columns=["Metric", "Score", "Unscored because", "Meaning"])
    columns = {"Score": st.column_config.NumberColumn(format="%.3f")}
    st.dataframe(frame, hide_index=True, key="all-scores", column_config=columns, height=420)
    decided = decisions(run)
    if decided is not None and sample_id in decided.index:
        probability = format_number(float(decided["probability"][sample_id]))
        decision = decided["decision"][sample_id]
        st.markdown(f"Calibrated probability of a pass: **{probability}**; decision: **{decision}**.")


def _labels(project: ProjectInfo, run: RunInfo, sample_id: str) -> None:
    records = workspace().label_history(project, run=run, sample_id=sample_id)
    if not records:
        st.info("Nobody labelled this sample yet.")
        return
    levels = {criterion.name: criterion.levels for criterion in workspace().criteria(project)}
    rows = [
        (
            record.at,
            record.annotator,
            record.criterion,
            record.kind if record.level is None else levels[record.criterion][record.level],
            record.rationale or "",
            "superseded" if record.superseded else "holds",
        )
        for record in records
    ]
    frame = pd.DataFrame(rows, columns=["At", "Annotator", "Criterion", "Label", "Rationale", "State"])
    st.dataframe(frame, hide_index=True, key="label-history", alt="The sample's label history")
    for name, value in samples(run)[sample_id].dimensions.items():
        st.text(f"{name}: {value}")


def _rows(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _texts(value: JsonValue) -> list[str]:
    return [str(row["text"]) for row in _rows(value)]
