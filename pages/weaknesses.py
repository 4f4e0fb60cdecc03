"""Weaknesses of the system, and whether they are evidence or noise."""

from __future__ import annotations

import streamlit as st

from hcat.core.slices.keys import CORRECTED
from hcat.dashboard.capabilities.weaknesses.loader import default_dimensions
from hcat.dashboard.capabilities.weaknesses.views import weakness_views
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.pickers import pick_metric
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.runs import dimensions

st.title("Weaknesses")
project, run = current_run()
left, right = st.columns([2, 3])
with left:
    metric = pick_metric(run, of_slices=True)
if metric == CORRECTED:
    calibration_in_force(run)
frame = dimensions(run)
names = [str(name) for name in frame.columns]
if not names:
    st.info("All samples have the same values: there is no dimension to slice by. Add dimensions to the run file.")
    stop_page()
with right:
    chosen = st.multiselect(
        "Dimensions",
        names,
        default=default_dimensions(run, metric),
        key="by",
        bind="query-params",
        help="Dimensions that define the slices in view. Which are in view changes no q-value.",
    )
if not chosen:
    st.info("Choose at least one dimension.")
    stop_page()
weakness_views(run, metric, chosen)
