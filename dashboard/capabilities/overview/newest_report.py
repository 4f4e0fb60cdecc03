"""The newest report of a project on its overview: its author, time and hash, or its progress."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.sign_off.wording.sign_off import built_text
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.runs.jobs import job_panel
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.stored import reports_of


def newest_report(project: ProjectInfo) -> None:
    """Nothing where there is no report, and none is being built."""
    job_panel(project, kinds=("report",))
    versions = reports_of(project)
    if versions:
        st.caption(plain(built_text(versions[-1])))
        link_to("report", "Read and download the report", icon=":material/description:")
