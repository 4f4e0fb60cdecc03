"""Explanation of one metric's score of one sample: in the texts, and in tables of all that it contains."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.judges.wording.machine_verdicts import outside_sentence
from hcat.core.display.numbers import format_number
from hcat.core.metrics.sample_view import TEXT_ERASED
from hcat.core.records.project import RunInfo
from hcat.core.scoring.domain import outside_domain
from hcat.core.types import JsonValue, Sample, Score
from hcat.dashboard.capabilities.metrics.loader import explanation, explanation_at_hand
from hcat.dashboard.capabilities.retrieval.query import query_panel
from hcat.dashboard.charts.transport import Flow, transport_heatmap
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_help, metric_title, required_scores
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.sample_view.marks import Explanation, marks, rows
from hcat.dashboard.components.sample_view.tables import TABLES, claim_counts, facts_table, list_table
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import funnel
from hcat.dashboard.loaders.runs import sample as read_sample

HINT = (
    "Hover over a highlighted sentence to see its best match; click to keep it open. "
    "Wavy underline: score below 0.5, unsupported claim, or number that is doubtful or not found."
)
NOT_OPENED = (
    "The vectors that an explanation takes are not stored. The model that reads sentences is opened for them first: "
    "that takes some seconds, once."
)
_ASKED_FOR = "explain-with-model"
NUMBERS = ("Score", "Weight", "Distance D", "Cosine", "Precision up to here", "Difference")


def read_explanation(run: RunInfo, sample_id: str, metric: str) -> Explanation | None:
    """The explanation of a metric's score; empty where there is none. None where the sentence encoder would have to be
    opened for it, and nobody has asked for that yet (`offer_explanation`)."""
    read = explanation if st.session_state.get(_ASKED_FOR) else explanation_at_hand
    found = read(run, sample_id, [metric])
    if found is None:
        return None
    explained = found.get(metric)
    return explained if isinstance(explained, dict) else {}


def offer_explanation() -> None:
    """A button that asks for explanations which take the sentence encoder, from now on in this session."""
    st.caption(NOT_OPENED)
    st.button("Explain the score", key="explain-score", on_click=_ask)


def _ask() -> None:
    st.session_state[_ASKED_FOR] = True


def score_line(run: RunInfo, sample_id: str, metric: str) -> None:
    """The metric with its score of the sample, or why there is none."""
    table, score = required_scores(run), _score(run, sample_id, metric)
    shown = "not scored yet" if score is None else format_number(score.value, decimals=3)
    value = plain(score.reason) if score is not None and score.reason is not None else shown
    st.markdown(f"**{metric_title(metric)}: {value}**", help=metric_help(metric, table))
    outside = outside_domain([read_sample(run, sample_id)], table.provenance).get(metric, {}).get(sample_id)
    if outside is not None and score is not None and score.value is not None:
        st.caption(outside_sentence(outside))


def unscored_sentence(run: RunInfo, sample_id: str, metric: str, explained: Explanation) -> str:
    """Why there is nothing to explain; empty where there is an explanation."""
    if "unscored" not in explained:
        return ""
    score = _score(run, sample_id, metric)
    if explained["unscored"] == TEXT_ERASED and score is not None and score.value is not None:
        return "The score was computed before the text was erased. It still counts, but can no longer be explained."
    return f"Unscored: {explained['unscored']}. It counts in no mean."


def _score(run: RunInfo, sample_id: str, metric: str) -> Score | None:
    table = required_scores(run)
    return table.score(sample_id, metric) if metric in table.metrics else None


def explanation_panel(run: RunInfo, sample_id: str, metric: str) -> None:
    """Any metric's explanation: coloured texts where it refers to places in them, then its tables."""
    sample, explained = read_sample(run, sample_id), read_explanation(run, sample_id, metric)
    score_line(run, sample_id, metric)
    if explained is None:
        offer_explanation()
        _view(sample, {}, metric)
        return
    if unscored := unscored_sentence(run, sample_id, metric, explained):
        st.info(plain(unscored))
    if "from_file" in explained:
        st.info(f"The score is {plain(explained['from_file'])}. hcat did not compute it and cannot explain it.")
    elif "plan" in explained:
        transport_panel(explained)
    elif "stage_1" in explained and sample_id in funnel(run).funnels:
        query_panel(run, sample_id, funnel(run).funnels[sample_id], linked=False)
    else:
        _view(sample, explained, metric)
        _tables(explained, metric)


def _view(sample: Sample, explained: Explanation, metric: str) -> None:
    legend = HINT if marks(explained) else ""
    explained_view(sample, explained, legend=legend, dark=is_dark(), key=f"view-{sample.id}-{metric}")


def _tables(explained: Explanation, metric: str) -> None:
    if counts := claim_counts(explained):
        st.markdown(" · ".join(f"**{name}** {count}" for name, count in counts.items()))
        st.caption("TP: claims of the answer that the reference supports. FP: its others. FN: what it lacks.")
    for key, title in TABLES.items():
        frame = list_table(explained, key)
        if frame.empty:
            continue
        st.markdown(f"**{title}**")
        data_table(
            frame,
            hide_index=True,
            key=f"{key}-{metric}",
            column_config={name: st.column_config.NumberColumn(format="%.3f") for name in NUMBERS if name in frame}
            | {
                "Text": st.column_config.TextColumn(width="large"),
                "Premise": st.column_config.TextColumn(width="large"),
            },
            alt=title,
        )
    _contexts(explained, metric)
    facts = facts_table(explained)
    if not facts.empty:
        data_table(facts, hide_index=True, key=f"facts-{metric}", alt="What else the explanation says")


def _contexts(explained: Explanation, metric: str) -> None:
    """The claims that were compared with each context alone."""
    for position, row in enumerate(rows(explained.get("contexts"))):
        frame = list_table(row, "claims")
        if not frame.empty:
            with st.expander(f"Claims against context {position + 1}"):
                data_table(frame, hide_index=True, key=f"claims-{position}-{metric}", alt="Claims of one context")


def transport_panel(explained: Explanation | None) -> None:
    """The transport plan of completeness, or why there is none."""
    if explained is None:
        offer_explanation()
        return
    if "plan" not in explained:
        st.info(f"No transport plan: {plain(explained.get('unscored', 'not computed'))}.")
        return
    cost = float(str(explained["cost"]))
    st.markdown(
        f"**Cost W = {cost:.3f}**, so completeness by transport is {1 - cost:.3f}.",
        help=metric_help("completeness_transport"),
    )
    context, answer = _texts(explained["contexts"]), _texts(explained["answer"])
    figure = transport_heatmap(context, answer, [_flow(move) for move in rows(explained["plan"])], dark=is_dark())
    still_chart(figure, "Transport plan: mass moved from each context sentence to each answer sentence", key="plan")
    named = [(f"c{i + 1}", text) for i, text in enumerate(context)]
    named += [(f"a{i + 1}", text) for i, text in enumerate(answer)]
    data_table(
        pd.DataFrame(named, columns=["Sentence", "Text"]),
        hide_index=True,
        height=220,
        key="plan-texts",
        alt="The sentences of the plan",
    )


def _flow(move: Explanation) -> Flow:
    source, target = int(str(move["context"])), int(str(move["answer"]))
    return Flow(source, target, float(str(move["mass"])), float(str(move["distance"])))


def _texts(value: JsonValue) -> list[str]:
    return [str(row["text"]) for row in rows(value)]
