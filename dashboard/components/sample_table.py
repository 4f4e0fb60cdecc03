"""A table of samples, the weakest first; choosing a row opens the sample."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.records.project import RunInfo
from core.refusals.state import TITLES, answer_state
from dashboard.components.pickers import metric_direction, metric_title
from dashboard.loaders import samples, scores, values

SHOWN_CHARACTERS = 160


def ordered_ids(run: RunInfo, sample_ids: list[str], metric: str) -> list[str]:
    """The ids with the worst score first and the unscored last; by length where neither way is better."""
    scored = values(run, metric).reindex(sample_ids)
    ascending = metric_direction(metric, scores(run)) != "lower"
    return [str(sample_id) for sample_id in scored.sort_values(ascending=ascending, kind="stable").index]


def sample_table(run: RunInfo, sample_ids: list[str], metric: str, *, key: str, height: int = 260) -> str | None:
    """The samples as rows; gives the id of the chosen one. Texts are shown as text."""
    by_id = samples(run)
    rows = pd.DataFrame(
        {
            metric_title(metric): values(run, metric).reindex(sample_ids).to_numpy(),
            "Query": [_short(by_id[sample_id].query) for sample_id in sample_ids],
            "State": [TITLES[answer_state(by_id[sample_id])] for sample_id in sample_ids],
            "Answer": [_short(by_id[sample_id].answer) for sample_id in sample_ids],
            "Sample": sample_ids,
        }
    )
    event = st.dataframe(
        rows,
        key=key,
        height=height,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={metric_title(metric): st.column_config.NumberColumn(format="%.3f", width=140)},
        alt="Samples with their scores, worst first",
    )
    chosen = event.selection.rows
    return sample_ids[chosen[0]] if chosen else None


def _short(text: str | None) -> str:
    if text is None:
        return "(no answer)"
    single = " ".join(text.split())
    return single if len(single) <= SHOWN_CHARACTERS else single[: SHOWN_CHARACTERS - 1] + "…"
