"""Every sample of every level of one dimension."""

from __future__ import annotations

import streamlit as st

from hcat.core.figures.forest import level_forest
from hcat.core.records.project import RunInfo
from hcat.core.types import Slice
from hcat.core.wording.figures import forest_in_words
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.beside import beside
from hcat.dashboard.capabilities.weaknesses.chart import marginal_violins, points_of_a_level
from hcat.dashboard.capabilities.weaknesses.loader import slices_in_view, values
from hcat.dashboard.capabilities.weaknesses.slice_panel import slice_panel
from hcat.dashboard.capabilities.weaknesses.table_note import table_note
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import dimensions
from hcat.dashboard.selection import SampleSelection, selected_customdata


def marginal_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """Every sample of every level of one dimension, with mean and interval."""
    if st.session_state.get("dimension") not in (None, *by):
        del st.session_state["dimension"]
    name = st.selectbox("Dimension", by, key="dimension", bind="query-params")
    table = slices_in_view(run, [metric], by)
    rows = table.frame[(table.frame["dimension_1"] == name) & table.frame["dimension_2"].isna()]
    beside(run, metric, table)
    table_note(run, table, metric)
    forest = level_forest(table, metric, dimension=name)
    figure = marginal_violins(
        forest,
        values(run, metric),
        dimensions(run)[name],
        metric=slice_metric_title(metric, table.settings.labels),
        dark=is_dark(),
    )
    event = st.plotly_chart(
        figure,
        key=f"violin-{metric}-{name}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=forest_in_words(forest, title=f"{slice_metric_title(metric, table.settings.labels)} by {name}"),
    )
    picked = selected_customdata(event)
    if picked:
        level, sample_id = picked[0][:2]
        chosen = Slice(name, level)
        if sample_id:
            open_samples(SampleSelection(slice=chosen), metric=metric, sample_id=sample_id)
        slice_panel(run, table, metric, chosen, rows[rows["level_1"] == level].iloc[0], chart=figure)
    else:
        most = points_of_a_level(len(forest.rows))
        thinned = any(row.mean.n > most for row in forest.rows)
        st.caption(
            "Click a diamond to see the samples of its level, or a point to open that sample."
            + (f" {_drawn_in_part(most)}" if thinned else "")
        )


def _drawn_in_part(most: int) -> str:
    return (
        f"Of a level with more than {most:,} scores, {most:,} points are drawn, evenly spaced from the lowest to the "
        "highest; its mean is of all."
    )
