"""How many answers a classifier calls hateful or unprofessional, and each of them with its worst sentences marked."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_estimate, format_interval, format_number, format_percent
from hcat.core.records.project import RunInfo
from hcat.core.safety.tone import ToneFlags, tone_flags
from hcat.core.safety.toxicity_functions import packaged_functionality
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.wording.safety.tone import MEANING, SENTIMENT, flags_sentence, functionality_sentence
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.metrics import explanation, score_summary
from hcat.dashboard.loaders.runs import scores, some_samples
from hcat.dashboard.selection import SampleSelection

LEGEND = "Coloured: the two sentences that decided. Point at them for the probability."


def tone_panel(run: RunInfo) -> None:
    """The flags of each metric of tone, the flagged answers one at a time, and the functionality table."""
    st.subheader("Toxicity and tone")
    table = scores(run)
    flags = () if table is None else tone_flags(table)
    if table is None or not flags:
        st.info("The answers were not read for tone yet: the button above scores them, some seconds a hundred answers.")
    else:
        for each in flags:
            st.markdown(plain(flags_sentence(each)))
        st.caption(plain(MEANING))
        _flagged(run, flags)
        _sentiment(run)
    _functionality(table)


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


def _functionality(table: ScoreTable | None) -> None:
    """What the packaged head gets right and wrong, kind of text by kind of text, the worst first."""
    known = packaged_functionality()
    with st.expander("What the classifier misses", icon=":material/rule:"):
        if table is not None and tone_flags(table) and known.revision not in table.provenance.models.values():
            st.warning(
                "These scores are of another classifier than the packaged one, which the table below is about: "
                "measure yours with `python -m benchmarks.toxicity`."
            )
        st.markdown(plain(functionality_sentence(known)))
        rows = [
            {
                "Kind of text": row.describes,
                "People say": "hateful" if row.toxic else "not hateful",
                "Right": format_percent(row.right.value),
                "95% interval": format_interval(row.right, percent=True),
                "n": row.right.n,
            }
            for row in sorted(known.rows, key=lambda row: row.right.value)
        ]
        data_table(
            pd.DataFrame(rows), hide_index=True, key="tone-functions", alt="Kinds of text and how many are right"
        )
