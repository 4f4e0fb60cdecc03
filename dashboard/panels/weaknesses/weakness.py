"""The three views of a weakness table, and what one does with a slice: open its samples, confirm it as a finding."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.analysis.weaknesses import CALIBRATED
from core.display.numbers import format_p_value
from core.figures.forest import level_forest
from core.figures.heatmap import pair_rows, weakness_heatmap
from core.records.project import RunInfo
from core.types import Slice
from core.weakness.family import frozen_statistics
from core.weakness.slices import row_slice
from core.weakness.table import WeaknessTable, ranked
from core.weakness.testable import telling_pair
from core.wording.figures import scale_sentence
from core.wording.weakness import slice_sentence, table_sentence
from dashboard.charts.weakness import heatmap, marginal_violins
from dashboard.components.glossary import with_glossary, with_terms_of
from dashboard.components.links import open_samples
from dashboard.components.markdown import plain
from dashboard.components.outdated import outdated_note
from dashboard.components.pickers import metric_title
from dashboard.components.sample_table import ordered_ids, sample_table
from dashboard.components.theme import is_dark
from dashboard.loaders import dimensions, values
from dashboard.panels.findings.form import confirm_popover
from dashboard.panels.labelling.picked import label_these
from dashboard.panels.weaknesses.family import slices_in_view
from dashboard.selection import SampleSelection, selected_customdata

COLUMNS = {
    "Mean": "Mean score of the slice.",
    "Low": "Lower end of the 95% interval of the mean.",
    "High": "Upper end of the 95% interval of the mean.",
    "Difference": "Mean of the slice minus the mean of all other samples.",
    "Effect (g)": "Hedges' g: the difference divided by the standard deviation within slice and rest.",
    "Shrunken": "The mean, pulled towards the mean of the whole run: the fewer the samples, the more. Within a "
    "verdict, slices are ranked by it, so that a small one does not lead by chance.",
    "Selected, low": "Lower end of the interval of a weak slice's mean, wider since the slice was picked (false "
    "coverage rate).",
    "Selected, high": "Upper end of the same interval.",
}
Q_VALUE = "The p-value of the difference, adjusted for all slices tested (Benjamini–Hochberg)."


def heatmap_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """Two dimensions against each other. A click on a cell opens its samples below."""
    if len(by) < 2:
        st.info("Choose at least two dimensions for a heatmap.")
        return
    table = slices_in_view(run, metric, by)
    rows, columns = telling_pair(table, metric) or (by[0], by[1])
    left, right = st.columns(2)
    first = left.selectbox("Rows", by, index=by.index(rows), key=f"rows-{'/'.join(by)}")
    others = [name for name in by if name != first]
    place = others.index(columns) if columns in others else 0
    second = right.selectbox("Columns", others, index=place, key=f"columns-{first}-{'/'.join(by)}")
    cells = pair_rows(table, metric, rows=first, columns=second)
    data = weakness_heatmap(table, metric, rows=first, columns=second)
    _legend(run, table, metric)
    figure = heatmap(data, metric=metric_title(metric), dark=is_dark())
    event = st.plotly_chart(
        figure,
        key=f"heatmap-{metric}-{first}-{second}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"Mean {metric_title(metric)} for each pair of {first} and {second}",
    )
    picked = selected_customdata(event)
    if picked:
        level_1, level_2 = picked[0][:2]
        row = cells[(cells["level_1"] == level_1) & (cells["level_2"] == level_2)].iloc[0]
        slice_panel(run, table, metric, Slice(first, level_1, second, level_2), row, chart=figure)
    else:
        st.caption(f"{scale_sentence(data)} Click a cell to see its samples.")


def marginal_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """Every sample of every level of one dimension, with mean and interval."""
    name = st.selectbox("Dimension", by, key="dimension", bind="query-params")
    table = slices_in_view(run, metric, by)
    rows = table.frame[(table.frame["dimension_1"] == name) & table.frame["dimension_2"].isna()]
    _legend(run, table, metric)
    figure = marginal_violins(
        level_forest(table, metric, dimension=name),
        values(run, metric),
        dimensions(run)[name].astype(str),
        metric=metric_title(metric),
        dark=is_dark(),
    )
    event = st.plotly_chart(
        figure,
        key=f"violin-{metric}-{name}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"{metric_title(metric)} of every sample by {name}",
    )
    picked = selected_customdata(event)
    if picked:
        level, sample_id = picked[0][:2]
        chosen = Slice(name, level)
        if sample_id:
            open_samples(SampleSelection(slice=chosen), metric=metric, sample_id=sample_id)
        slice_panel(run, table, metric, chosen, rows[rows["level_1"] == level].iloc[0], chart=figure)
    else:
        st.caption("Click a diamond to see the samples of its level, or a point to open that sample.")


def ranked_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """All slices of all chosen dimensions and their pairs, the weakest first."""
    table = slices_in_view(run, metric, by)
    _legend(run, table, metric)
    rows = ranked(table)
    slices = [row_slice(row) for _, row in rows.iterrows()]
    shown = pd.DataFrame(
        {
            "Slice": [slice_.title for slice_ in slices],
            "Verdict": rows["verdict"],
            "n": rows["n"],
            "Mean": rows["mean"],
            "Low": rows["low"],
            "High": rows["high"],
            "Difference": rows["difference"],
            "q": [format_p_value(q) for q in rows["q"]],
            "Effect (g)": rows["effect"],
            "Shrunken": rows["shrunken"],
            "Selected, low": rows["selected_low"],
            "Selected, high": rows["selected_high"],
        }
    )
    event = st.dataframe(
        shown,
        key=f"ranked-{metric}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        height=420,
        column_config={
            "q": st.column_config.TextColumn(help=with_glossary(Q_VALUE, "q-value", "Benjamini–Hochberg")),
            **{
                name: st.column_config.NumberColumn(format="%.3f", help=with_terms_of(name, meaning))
                for name, meaning in COLUMNS.items()
            },
        },
        alt="All slices, the weakest first",
    )
    if event.selection.rows:
        position = event.selection.rows[0]
        slice_panel(run, table, metric, slices[position], rows.iloc[position])
    else:
        st.caption("Select a row to see the samples of its slice.")


def slice_panel(
    run: RunInfo, table: WeaknessTable, metric: str, slice_: Slice, row: pd.Series, *, chart: go.Figure | None = None
) -> None:
    """The samples of one slice, worst first, and the form that makes the slice a finding."""
    with st.container(border=True):
        st.subheader(plain(slice_.title))
        st.markdown(slice_sentence(row))
        chosen = SampleSelection(slice=slice_)
        ids = ordered_ids(run, chosen.choose(dimensions(run)), metric)
        opened = sample_table(run, ids, metric, key=f"slice-{slice_.title}-{metric}")
        if opened is not None:
            open_samples(chosen, metric=metric, sample_id=opened)
        with st.container(horizontal=True):
            if st.button("Open all on the Samples page", icon=":material/article:", key="open-slice"):
                open_samples(chosen, metric=metric)
            statistics = frozen_statistics(table, row, looked_at=datetime.now(UTC))
            confirm_popover(run, metric, chosen, ids, title=slice_.title, statistics=statistics, chart=chart)
            label_these(run, chosen, ids)


def _legend(run: RunInfo, table: WeaknessTable, metric: str) -> None:
    st.caption(table_sentence(table, metric) + (outdated_note(run) if metric == CALIBRATED else ""))
