"""Import a system's answers, score them, and see which runs the project has."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.runs.criteria import criteria_panel
from hcat.dashboard.capabilities.runs.file_scores import upload_scores_panel
from hcat.dashboard.capabilities.runs.housekeeping import housekeeping_panel, run_menu
from hcat.dashboard.capabilities.runs.importing import import_panel
from hcat.dashboard.capabilities.runs.retention import retention_panel
from hcat.dashboard.capabilities.runs.run_list import run_list, scoring_panel
from hcat.dashboard.components.new_project import new_project_form
from hcat.dashboard.components.sidebar import current
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.workspace import workspace

st.title("Runs")
if not workspace().projects.all():
    st.info("Begin with a project: one system under validation.")
    new_project_form()
    housekeeping_panel(None)
    stop_page()
chosen = current()
if chosen.run is not None:
    run_list(chosen.project)
    run_menu(chosen.project, chosen.run)
    scoring_panel(chosen.run)
import_panel(chosen.project)
if chosen.run is not None:
    upload_scores_panel(chosen.run)
criteria_panel(chosen.project, chosen.run)
housekeeping_panel(chosen.project)
retention_panel(chosen.project)
