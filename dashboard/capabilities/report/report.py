"""The report on screen: the choice of its content, the job that builds it, a preview, downloads, and all versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.display.edition import LANGUAGES, find_language
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import ReportVersion
from hcat.core.view.renderers.render import MEDIA_TYPES, RENDERERS, render
from hcat.core.view.tree import Report
from hcat.dashboard.capabilities.report.choice import choose
from hcat.dashboard.capabilities.report.evidence_pack import evidence_panel
from hcat.dashboard.capabilities.report.opinion import opinion_panel
from hcat.dashboard.capabilities.report.preview import live_preview, report_preview
from hcat.dashboard.capabilities.report.sign_off import sign_off_panel
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel, newest_status
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.loaders.workspace import workspace


@dataclass(frozen=True, slots=True)
class AskedReport:
    """The report that was asked for last on this page: the job that builds it, and its content."""

    job: int
    project: int
    chosen: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class BuiltReport:
    """A version as it was built, and with its sign-off on the cover as it will be downloaded; stored for as long as the
    page shows it."""

    version: ReportVersion
    unsigned: Report
    report: Report
    html: bytes


def report_panel(project: ProjectInfo) -> None:
    """State an opinion, choose the content of the report, build, read, download."""
    names = [run.name for run in workspace().runs.all(project)]
    if not names:
        st.info("This project has no run yet: there is nothing to report.")
        link_to("runs", "Import a run")
        return
    opinion_panel(project)
    runs, look, chapters = choose(names)
    left, right = st.columns([1, 2])
    with left:
        author = name_field("Author", key="report-author")
    note = right.text_input(
        "What changed since the last version", key="report-note", max_chars=300, placeholder="Optional"
    ).strip()
    busy = is_under_way(newest_status(project, kinds=(ReportRequest.job_kind,)))
    if st.button("Build the report", type="primary", icon=":material/description:", key="build-report", disabled=busy):
        _start(project, runs, look, chapters, author=author, note=note)
    job_panel(project, kinds=(ReportRequest.job_kind,))
    built = None if busy else _built(project, (runs, look, chapters))
    if built is not None:
        _downloads(project, built)
        report_preview(built.html)
    else:
        live_preview(project, runs, look, chapters)
    sign_off_panel(project)
    evidence_panel(project, runs, look, chapters, author=author)
    _versions(project)


def _start(
    project: ProjectInfo, runs: list[str], look: ReportTemplate, chapters: list[str], *, author: str, note: str
) -> None:
    """In a job, so that every page can be closed meanwhile."""
    if not runs or not chapters:
        st.error("Choose at least one run and one chapter.")
        return
    try:
        job = workspace().jobs.start(project, ReportRequest(author, tuple(runs), tuple(chapters), look, note))
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["report-asked"] = AskedReport(job.id, project.id, (runs, look, chapters))
    st.rerun()


def _built(project: ProjectInfo, chosen: tuple[object, ...]) -> BuiltReport | None:
    """The newest version, where it was asked for on this page and the choices are still those."""
    asked: AskedReport | None = st.session_state.get("report-asked")
    if asked is None or (asked.project, asked.chosen) != (project.id, chosen):
        return None
    versions = workspace().reports.versions(project)
    if not versions or workspace().jobs.get(asked.job).status != "done":
        return None
    built: BuiltReport | None = st.session_state.get("report")
    try:
        known = built is not None and built.version == versions[-1]
        unsigned = built.unsigned if built is not None and known else workspace().reports.read(versions[-1])
        report = workspace().sign_offs.on_cover(project, unsigned)
    except HcatError as error:
        st.error(sentence(error))
        return None
    if built is None or not known or built.report != report:
        built = BuiltReport(versions[-1], unsigned, report, render(report, format="html"))
        st.session_state["report"] = built
    return built


def _downloads(project: ProjectInfo, built: BuiltReport) -> None:
    report, number = built.report, built.version.version
    st.success(f"Version {number}, built {report.created_at:%Y-%m-%d %H:%M} UTC. The same content keeps its version.")
    stem = re.sub(r"[^A-Za-z0-9]+", "-", project.name).strip("-").lower() or "project"
    with st.container(horizontal=True):
        for name in RENDERERS:
            st.download_button(
                f"Download {name.upper()}",
                data=built.html if name == "html" else partial(render, report, format=name),
                file_name=f"hcat-{stem}-v{number}.{name}",
                mime=MEDIA_TYPES[name],
                icon=":material/download:",
                on_click="ignore",
                key=f"download-{name}",
            )


def _versions(project: ProjectInfo) -> None:
    versions = workspace().reports.versions(project)[::-1]
    if not versions:
        return
    st.subheader("Versions")
    rows = {
        "Version": [version.version for version in versions],
        "Built (UTC)": [f"{version.at:%Y-%m-%d %H:%M}" for version in versions],
        "Prepared by": [version.author or "–" for version in versions],
        "Language": [LANGUAGES[find_language(str(version.contents.get("language", "en")))] for version in versions],
        "Opinion": [str(version.contents.get("opinion") or "–") for version in versions],
        "Labels": [version.contents.get("labels") for version in versions],
        "Findings": [version.contents.get("findings") for version in versions],
        "What changed": [version.note or "–" for version in versions],
        "SHA-256": [version.hash[:16] for version in versions],
    }
    event = selectable_table(
        pd.DataFrame(rows),
        hide_index=True,
        key="report-versions",
        selection_mode="single-row",
        alt="Versions of the report, newest first",
    )
    if not event.selection.rows:
        st.caption("Select a version to download it again as it was built.")
        return
    chosen = versions[event.selection.rows[0]]
    try:
        report = workspace().sign_offs.on_cover(project, workspace().reports.read(chosen))
    except HcatError as error:
        st.error(sentence(error))
        return
    with st.container(horizontal=True):
        for name in RENDERERS:
            st.download_button(
                f"Download version {chosen.version} as {name.upper()}",
                data=partial(render, report, format=name),
                file_name=f"hcat-report-v{chosen.version}.{name}",
                mime=MEDIA_TYPES[name],
                icon=":material/download:",
                on_click="ignore",
                key=f"download-version-{name}",
            )
