"""The form that makes a finding of whatever samples are in view: a slice, a lasso, or the result of a filter."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from hcat.core.capabilities.estimates.wording.fresh_labels import SAME_DATA
from hcat.core.capabilities.findings.services.findings import SEVERITIES
from hcat.core.capabilities.findings.wording import SEVERITY_HELP
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import RunInfo
from hcat.core.slices.family import frozen_verdict
from hcat.core.slices.verdicts import SHOWN
from hcat.core.types import JsonValue
from hcat.dashboard.capabilities.weaknesses.loader import values
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.loaders.runs import sample_ids as ids_of_run
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection

MOST_CHART_BYTES = 2_000_000
"""A chart larger than this is not frozen; the scores behind it are stored anyway."""


def confirm_popover(
    run: RunInfo,
    metric: str,
    selection: SampleSelection,
    sample_ids: Sequence[str],
    *,
    title: str,
    statistics: Mapping[str, JsonValue] | None = None,
    chart: go.Figure | None = None,
) -> None:
    """A button that opens the form. What is in view is frozen when it is sent: filter, samples, scores and chart."""
    with (
        st.popover("Confirm as a finding", icon=":material/flag:"),
        st.form(f"finding-{title}-{metric}", border=False),
    ):
        st.caption(
            f"{counted(len(sample_ids), 'sample')}: ids, scores and the chart are frozen with it, under one hash."
        )
        verdict = frozen_verdict(statistics or {})
        start = f"{verdict.capitalize()}, " if verdict in SHOWN else ""
        name = st.text_input("Title", f"{start}{metric_title(metric)}: {title}"[:200], max_chars=200)
        left, right = st.columns(2)
        severity = left.selectbox("Severity", SEVERITIES, index=1, help=SEVERITY_HELP)
        due = right.date_input("Due", value=None)
        with left:
            author = name_field("Confirmed by", key=f"finding-author-{title}-{metric}")
        owner = right.text_input("Owner", max_chars=80, help="Who is responsible for it.")
        comment = st.text_area("Comment", max_chars=2000)
        if not st.form_submit_button("Confirm", type="primary"):
            return
        if not author:
            st.error("Enter who confirms the finding.")
            return
        try:
            frozen = workspace().findings.freeze(
                run,
                title,
                metric=metric,
                scores=dict(zip(sample_ids, values(run, metric).reindex(list(sample_ids)).tolist(), strict=True)),
                filter={"slice": None, **selection.to_query(tuple(ids_of_run(run)))},
                statistics=statistics,
                chart=_document(chart),
            )
            workspace().findings.confirm(
                run,
                name,
                selection=frozen,
                slice=selection.slice,
                severity=severity,
                author=author,
                owner=owner,
                due=due,
                comment=comment,
            )
        except HcatError as error:
            st.error(sentence(error))
            return
        st.success(f"Confirmed. It is now on the Findings page and in the report. {SAME_DATA}")


def _document(chart: go.Figure | None) -> dict[str, JsonValue] | None:
    if chart is None:
        return None
    text = str(chart.to_json())
    if len(text) > MOST_CHART_BYTES:
        return None
    document: dict[str, JsonValue] = json.loads(text)
    return document
