"""The slices of a run that are shown to be worse than the rest, or may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import streamlit as st

from hcat.core.capabilities.calibration.wording.fitness import fitness_sentence
from hcat.core.capabilities.weaknesses.views.weaknesses import slices_table
from hcat.core.capabilities.weaknesses.wording import family_sentence, found_sentence
from hcat.core.errors import NotFoundError
from hcat.core.records.project import RunInfo
from hcat.core.slices.family import as_planned
from hcat.core.slices.same_samples import with_other_names
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable, ranked
from hcat.core.slices.verdicts import POSSIBLE, SHOWN
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.loader import default_dimensions, default_slice_metric, fitness, weaknesses
from hcat.dashboard.components.links import link_to, open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.view import show_view
from hcat.dashboard.selection import SampleSelection

if TYPE_CHECKING:
    import pandas as pd

MOST = 5


def weakest(run: RunInfo) -> None:
    """The first five of them, by the default metric of the Weaknesses page, over the same tests."""
    st.subheader("Weakest slices")
    metric, names, table = weakest_slices(run)
    if metric is None:
        return
    if table is None:
        st.info("All samples have the same values: there is no dimension to slice by. Add dimensions to the run file.")
        return
    st.markdown(f"**{plain(slice_metric_title(metric, table.settings.labels))}.** {plain(found_sentence(table))}")
    beside = fitness(run, metric)
    if beside is not None:
        st.markdown(plain(fitness_sentence(beside)))
    st.caption(plain(f"{family_sentence(table)} Dimensions: {', '.join(names)}."))
    rows = with_other_names(ranked(table))
    rows = rows[rows["verdict"].isin([*SHOWN, *POSSIBLE])].head(MOST)
    if len(rows):
        _slice_list(table, rows, metric)
    link_to("weaknesses", "All slices on the Weaknesses page")


def weakest_slices(run: RunInfo) -> tuple[str | None, list[str], WeaknessTable | None]:
    """The metric and the dimensions that the Weaknesses page begins with, and its table; None where there are none."""
    try:
        metric = default_slice_metric(run)
    except NotFoundError:
        return None, [], None
    names = default_dimensions(run, metric)
    return metric, names, as_planned(weaknesses(run, metric, names, pairs=True)) if names else None


def _slice_list(table: WeaknessTable, rows: pd.DataFrame, metric: str) -> None:
    view = View((slices_table(table, rows, title="The weakest slices"),))
    chosen = show_view(view, key="weakest", draw={}, rows=[[(place,) for place in range(len(rows))]])
    st.caption("Select a row to open its samples.")
    if chosen is not None:
        open_samples(SampleSelection(slice=row_slice(rows.iloc[cast("int", chosen[0])])), metric=metric)
