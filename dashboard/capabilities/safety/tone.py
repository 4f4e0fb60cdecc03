"""Answers that a classifier calls hateful or unprofessional: their number, and each with its worst sentences marked."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.safety.tone import ToneFlags, tone_flags
from hcat.core.capabilities.safety.toxicity_functions import packaged_functionality
from hcat.core.capabilities.safety.views.tone import functions_view, tone_view
from hcat.core.capabilities.safety.wording.tone import SENTIMENT
from hcat.core.display.numbers import format_estimate, format_number
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.metrics.loader import explanation, score_summary
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import scores, some_samples
from hcat.dashboard.selection import SampleSelection

LEGEND = "Coloured: the two sentences that decided. Point at them for the probability."


def tone_panel(run: RunInfo) -> None:
    """The flags of each metric of tone, the flagged answers one at a time, and the functionality table."""
    st.subheader("Toxicity and tone")
    table, known = scores(run), packaged_functionality()
    flags = () if table is None else tone_flags(table)
    if table is None or not flags:
        st.info("The answers were not read for tone yet: the button above scores them, some seconds a hundred answers.")
    else:
        measured = known.revision in table.provenance.models.values()
        show_view(tone_view(flags, measured=measured), key="tone", draw={})
        _flagged(run, flags)
        _sentiment(run)
    with st.expander("What the packaged classifier misses", icon=":material/rule:"):
        show_view(functions_view(known), key="tone-functions", draw={})


def _flagged(run: RunInfo, flags: tuple[ToneFlags, ...]) -> None:
    """The flagged answers, worst first, the chosen one with its worst sentences marked."""
    flagged = [(each.metric, name, probability) for each in flags for name, probability in each.worst]
    if not flagged:
        return
    place = st.selectbox(
        "Flagged answer",
        range(len(flagged)),
        format_func=lambda i: f"{flagged[i][1]}: {metric_title(flagged[i][0])} {format_number(flagged[i][2])}",
        key="tone-answer",
    )
    metric, name, _ = flagged[place]
    explained = explanation(run, name, [metric]).get(metric)
    sample = some_samples(run, [name])[name]
    if isinstance(explained, dict):
        explained_view(sample, explained, legend=LEGEND, dark=is_dark(), key=f"tone-{metric}-{name}")
    if st.button("Open the sample", key="tone-open", icon=":material/article:"):
        open_samples(SampleSelection(), metric=metric, sample_id=name)


def _sentiment(run: RunInfo) -> None:
    summary = score_summary(run).get("sentiment")
    if summary is not None:
        mean = summary.mean
        st.caption(plain(f"Mean sentiment {format_estimate(mean)}, n = {mean.n}. {SENTIMENT}"))
