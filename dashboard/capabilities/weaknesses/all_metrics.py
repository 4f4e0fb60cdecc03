"""Every level of the chosen dimensions against every metric of the run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.capabilities.calibration.fitness import MetricFitness
from hcat.core.capabilities.calibration.wording.fitness import fitness_sentences
from hcat.core.capabilities.weaknesses.wording import sentences
from hcat.core.figures.marginal_heatmap import marginal_heatmaps
from hcat.core.records.project import RunInfo
from hcat.core.slices.slices import row_slice
from hcat.core.wording.figures import scale_sentence
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.cells import as_table_toggle, cells
from hcat.dashboard.capabilities.weaknesses.loader import fitness, slice_metrics, slices_in_view
from hcat.dashboard.capabilities.weaknesses.slice_panel import slice_panel
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import is_machine_verdict
from hcat.dashboard.loaders.runs import scores


def all_metrics_panel(run: RunInfo, by: list[str]) -> None:
    """One cell a level and metric, rates of passing first. A click on a cell opens the samples of its level."""
    if st.session_state.get("dimension") not in (None, *by):
        del st.session_state["dimension"]
    dimension = st.selectbox("Dimension", by, key="dimension", bind="query-params")
    names = [name for name in slice_metrics(run) if _has_worse_values(run, name)]
    tested = slices_in_view(run, names, [dimension], pairs=False)
    titles = {name: slice_metric_title(name, tested.settings.labels) for name in names}
    machine = [name for name in names if is_machine_verdict(run, name)]
    heatmaps = marginal_heatmaps(tested, titles=titles, machine=machine)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("How to read it", icon=":material/help:"):
            st.markdown(plain(" ".join(sentences(tested))))
            st.markdown(scale_sentence(heatmaps[0]))
        as_table_toggle()
    st.markdown(plain(" ".join(fitness_sentences(_verdicts(run, names)))))
    chosen = None
    for number, data in enumerate(heatmaps):
        if data.machine:
            st.subheader("Verdicts of a machine")
        clicked = cells(data, key=f"all-metrics-{number}", title=f"Metrics by {dimension}")
        chosen = chosen or clicked
    if chosen is None:
        st.caption("Click a cell to see the samples of its level.")
        return
    metric = next(name for name, title in titles.items() if title == chosen.level_2)
    alone = slices_in_view(run, [metric], [dimension], pairs=False)  # with the pass rate by labels
    row = next(row for _, row in alone.frame.iterrows() if row_slice(row).title == chosen.level_1)
    slice_panel(run, alone, metric, row_slice(row), row, chart=chosen.chart)


def _verdicts(run: RunInfo, names: Sequence[str]) -> list[MetricFitness]:
    """The fitness of each metric as a substitute for people; pass rates by labels have none, being people's
    verdicts."""
    verdicts = [fitness(run, name) for name in names]
    return [verdict for verdict in verdicts if verdict is not None]


def _has_worse_values(run: RunInfo, name: str) -> bool:
    """Whether one direction of a metric is worse, and any sample is scored."""
    table = scores(run)
    if table is None or name not in table.metrics:
        return True
    return table.n_scored(name) > 0 and table.direction_of(name) != "none"
