"""The samples in view as a file for a spreadsheet."""

from __future__ import annotations

import re

import streamlit as st

from core.records.project import RunInfo
from core.types import Criterion
from dashboard.loaders.calibrations import sample_facts
from dashboard.loaders.runs import scores
from dashboard.loaders.workspace import workspace


def download_popover(run: RunInfo, sample_ids: list[str], *, criterion: Criterion | None, title: str) -> None:
    """CSV and Excel of the samples, in the run's order; the files are made when the panel is opened."""
    with st.popover("Download", icon=":material/download:", on_change="rerun", key="download-samples") as popover:
        if not popover.open:
            return
        st.caption(
            "Query, answer, reference, contexts, label, prediction, dimensions and all scores. No cell is run as a "
            "formula: one that begins with = + - @ begins with an apostrophe."
        )
        stem = re.sub(r"[^\w]+", "-", f"{run.name} {title}").strip("-")[:80]
        facts, table = sample_facts(run, criterion), scores(run)
        name = None if criterion is None else criterion.name
        st.download_button(
            "CSV",
            workspace().exports.samples(sample_ids, facts, table, criterion=name),
            file_name=f"{stem}.csv",
            mime="text/csv",
            key="samples-csv",
            on_click="ignore",
        )
        st.download_button(
            "Excel",
            workspace().exports.samples(sample_ids, facts, table, criterion=name, form="xlsx"),
            file_name=f"{stem}.xlsx",
            mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            key="samples-excel",
            on_click="ignore",
        )
