"""The report as it will be downloaded, on the page: in a frame that runs nothing and reaches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.view.renderers.render import render
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.progress import progress_bar
from hcat.dashboard.loaders.workspace import workspace

HEIGHT = 780
FRAME = '<iframe sandbox="" title="Preview of the report" style="{style}" srcdoc="{document}"></iframe>'
STYLE = f"width: 100%; height: {HEIGHT - 10}px; border: 0"


GATHERED = "report-evidence"
"""In the session: the project, runs and language that the evidence was gathered for, and the evidence."""


def live_preview(project: ProjectInfo, runs: Sequence[str], look: ReportTemplate, chapters: Sequence[str]) -> None:
    """The report as it would be built, which follows each choice of template, frameworks and chapters."""
    if st.button("Preview without building", icon=":material/visibility:", key="preview-report"):
        try:
            with progress_bar("Gathering the evidence.") as show:
                gathered = workspace().reports.evidence(project, runs=runs, language=look.language, on_progress=show)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.session_state[GATHERED] = ((project.name, tuple(runs), look.language), gathered)
    kept: tuple[tuple[str, tuple[str, ...], str], Evidence] | None = st.session_state.get(GATHERED)
    if kept is None or kept[0] != (project.name, tuple(runs), look.language):
        st.info("The report is built from what is stored now: runs, scores, labels, calibrations, findings.")
        return
    try:
        report = build_report(kept[1], chapters=chapters, template=look)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.caption(
        f"Preview, not kept as a version. It rests on what was stored at {kept[1].created_at:%H:%M} UTC, and follows "
        "each choice above. Changes since the last report are compared when it is built."
    )
    report_preview(render(report, format="html"))


def report_preview(document: bytes) -> None:
    """The HTML of a report. Its texts are of users: the inner frame has no right to run scripts or to send anything."""
    framed = FRAME.format(style=STYLE, document=escape(document.decode("utf-8"), quote=True))
    st.iframe(framed, height=HEIGHT, alt="Preview of the report")
