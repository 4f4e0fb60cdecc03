"""The list of findings, and one of them: its frozen evidence and its status."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pandas as pd
import streamlit as st

from hcat.core.capabilities.findings.services.findings import SEVERITIES
from hcat.core.capabilities.findings.wording import withdrawal_sentence
from hcat.core.capabilities.weaknesses.wording import finding_sentence
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import WITHDRAWN, Finding, ProjectInfo
from hcat.core.slices.frozen import FrozenSelection
from hcat.dashboard.capabilities.findings.changes import change_form, withdraw_form
from hcat.dashboard.capabilities.findings.fresh_labels import fresh_labels_panel
from hcat.dashboard.capabilities.findings.statement import history_panel, statement_panel
from hcat.dashboard.charts.frozen import frozen_chart
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table, selectable_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection

SETTLED = ("accepted", "closed", WITHDRAWN)


def findings_table(findings: Sequence[Finding]) -> Finding:
    """All findings, the most severe open ones first; gives the chosen one, at first the first."""
    ordered = sorted(findings, key=_urgency)
    today = datetime.now(UTC).date()
    rows = pd.DataFrame(
        {
            "Finding": [finding.title for finding in ordered],
            "Severity": [finding.severity for finding in ordered],
            "Status": [finding.status for finding in ordered],
            "Owner": [finding.owner or "–" for finding in ordered],
            "Due": [_due(finding, today) for finding in ordered],
            "Confirmed by": [finding.author for finding in ordered],
            "On": [finding.created_at.strftime("%Y-%m-%d") for finding in ordered],
        }
    )
    event = selectable_table(
        rows,
        key="findings",
        hide_index=True,
        selection_mode="single-row",
        alt="Findings, the most severe open ones first",
    )
    return ordered[event.selection.rows[0]] if event.selection.rows else ordered[0]


def finding_panel(project: ProjectInfo, finding: Finding) -> None:
    """Show the verified evidence of a finding, and the form that changes its status."""
    with st.container(border=True):
        st.subheader(plain(finding.title))
        if finding.withdrawal is not None:
            st.warning(plain(withdrawal_sentence(finding.withdrawal)))
        try:
            frozen = workspace().findings.selection(finding)
        except HcatError as error:
            st.error(f"The data behind this finding can't be shown: {plain(error)}")
            change_form(finding)
            return
        statement_panel(project, finding, frozen)
        if finding.slice:
            st.markdown(plain(finding_sentence(finding.evidence)))
        if finding.withdrawal is None:
            fresh_labels_panel(project, finding)
        change_form(finding)
        withdraw_form(finding)
        history_panel(finding)
        _evidence(project, finding, frozen)


def _evidence(project: ProjectInfo, finding: Finding, frozen: FrozenSelection | None) -> None:
    if frozen is None:
        st.info("This finding was confirmed before selections were frozen: only its statistics are stored.")
        st.json(dict(finding.evidence), expanded=False)
        return
    st.caption(
        f"Frozen: {counted(len(frozen.scores), 'sample')} of run “{plain(frozen.run)}”, {plain(frozen.title)}, on "
        f"{metric_title(frozen.metric)}. SHA-256 {(finding.frozen_hash or '')[:16]}…, verified now."
    )
    if frozen.chart is not None:
        figure = frozen_chart(frozen.chart, dark=is_dark())
        st.plotly_chart(
            figure,
            config={"displayModeBar": False},
            key=f"frozen-{finding.id}",
            alt="The chart as it was when confirmed",
        )
    _frozen_samples(project, finding, frozen)


def _frozen_samples(project: ProjectInfo, finding: Finding, frozen: FrozenSelection) -> None:
    rows = pd.DataFrame({"Sample": list(frozen.scores), metric_title(frozen.metric): list(frozen.scores.values())})
    data_table(rows, hide_index=True, height=220, alt="The frozen samples with their scores then")
    runs = {run.name: run for run in workspace().runs.all(project)}
    if frozen.run in runs and st.button("Open these samples", icon=":material/article:", key=f"open-{finding.id}"):
        st.session_state["next-run"] = runs[frozen.run].name
        open_samples(SampleSelection(sample_ids=frozen.sample_ids), run=runs[frozen.run], metric=frozen.metric)


def _urgency(finding: Finding) -> tuple[bool, int, int]:
    return finding.status in SETTLED, -SEVERITIES.index(finding.severity), finding.id


def _due(finding: Finding, today: date) -> str:
    if finding.due is None:
        return "–"
    overdue = finding.due < today and finding.status not in SETTLED
    return f"{finding.due:%Y-%m-%d}" + (" · overdue" if overdue else "")
