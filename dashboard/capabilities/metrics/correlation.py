"""Which metrics say the same: rank correlations of all pairs, and any pair sample by sample."""

from __future__ import annotations

import numpy as np
import streamlit as st

from hcat.core.display.numbers import format_estimate
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import ScoreTable
from hcat.dashboard.capabilities.metrics.correlation_chart import correlation_heatmap, metric_scatter
from hcat.dashboard.capabilities.metrics.loader import correlations
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import scores
from hcat.dashboard.selection import SampleSelection, selected_customdata

CHART, FIRST, SECOND = "correlations", "pair-first", "pair-second"


def correlation_panel(run: RunInfo | None) -> None:
    """The heatmap of the chosen families, and below it the scatter of one pair."""
    table = scores(run) if run is not None else None
    if run is None or table is None:
        return
    st.subheader("Correlation between metrics")
    st.caption(
        "Spearman's rank correlation over the samples that both metrics of a pair scored. Two metrics with a "
        "correlation near 1 measure the same; one that correlates with answer length may measure length."
    )
    varying = [name for name in table.metrics if _varies(table, name)]
    family = {name: table.facts(name).family for name in varying}
    families = list(dict.fromkeys(family.values()))
    chosen = st.pills("Families", families, default=families, selection_mode="multi", key="families")
    names = [name for name in varying if family[name] in chosen]
    if len(names) < 2:
        st.info("Choose families with at least two metrics that vary on this run.")
        return
    left_out = [metric_title(name) for name in table.metrics if name not in varying]
    if left_out:
        st.caption(f"Not shown, because they are constant or unscored on this run: {', '.join(left_out)}.")
    titles = {name: metric_title(name) for name in names}
    heatmap = correlation_heatmap(correlations(run), names, titles, dark=is_dark())
    st.plotly_chart(
        heatmap,
        key=CHART,
        on_select=_take_pair,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=described(heatmap, "Rank correlation of each pair of metrics; choose a pair below"),
    )
    _pair(run, table, names)


def _take_pair() -> None:
    """Show the pair whose cell was clicked."""
    picked = selected_customdata(st.session_state[CHART])
    if picked:
        st.session_state[FIRST], st.session_state[SECOND] = picked[0][:2]


def _pair(run: RunInfo, table: ScoreTable, names: list[str]) -> None:
    for key, default in ((FIRST, names[0]), (SECOND, names[1])):
        if st.session_state.get(key) not in names:
            st.session_state[key] = default
    left, right = st.columns(2)
    first = left.selectbox("Across", names, key=FIRST, format_func=metric_title)
    second = right.selectbox("Up", names, key=SECOND, format_func=metric_title)
    if first == second:
        st.info("Choose two different metrics, or click a cell above.")
        return
    estimate = correlations(run).of(first, second)
    text = "undefined" if estimate is None else format_estimate(estimate)
    st.markdown(f"Spearman's ρ: **{text}**")
    event = st.plotly_chart(
        metric_scatter(
            table.values(first),
            table.values(second),
            table.sample_ids,
            x_title=metric_title(first),
            y_title=metric_title(second),
            dark=is_dark(),
        ),
        key=f"pair-{first}-{second}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"{metric_title(second)} against {metric_title(first)}, a point a sample; Spearman's ρ: {text}",
    )
    if picked := selected_customdata(event):
        open_samples(SampleSelection(), metric=first, sample_id=picked[0][0])


def _varies(table: ScoreTable, name: str) -> bool:
    values = table.values(name)
    scored = values[np.isfinite(values)]
    return len(scored) > 1 and float(np.ptp(scored)) > 0
