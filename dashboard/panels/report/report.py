"""The report on screen: its contents, and one download a format."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from core.display.numbers import counted
from core.records.project import ProjectInfo
from core.report.renderers.render import RENDERERS, render
from core.report.tree import Report
from dashboard.components.links import link_to
from dashboard.components.person import name_field
from dashboard.loaders import workspace

MIME_TYPES = {"html": "text/html", "json": "application/json"}


def report_panel(project: ProjectInfo) -> None:
    """Build, read the contents, download."""
    if not workspace().runs.all(project):
        st.info("This project has no run yet: there is nothing to report.")
        link_to("runs", "Import a run")
        return
    author = name_field("Author", key="report-author")
    if st.button("Build the report", type="primary", icon=":material/description:", key="build-report"):
        with st.spinner("Gathering the evidence …"):
            st.session_state["report"] = (project.name, workspace().reports.build(project, author=author))
    last = st.session_state.get("report")
    if last is None or last[0] != project.name:
        st.info("The report is built from what is stored now: runs, scores, labels, calibrations, findings.")
        return
    _contents(last[1], project)


def _contents(report: Report, project: ProjectInfo) -> None:
    st.success(f"Built {report.created_at:%Y-%m-%d %H:%M} UTC with {counted(len(report.sections), 'section')}.")
    stem = re.sub(r"[^A-Za-z0-9]+", "-", project.name).strip("-").lower() or "project"
    with st.container(horizontal=True):
        for name in RENDERERS:
            st.download_button(
                f"Download {name.upper()}",
                data=partial(render, report, format=name),
                file_name=f"hcat-{stem}.{name}",
                mime=MIME_TYPES[name],
                icon=":material/download:",
                on_click="ignore",
                key=f"download-{name}",
            )
    st.markdown("**Contents**")
    for number, section in enumerate(report.sections, start=1):
        st.text(f"{number}. {section.title}")
