"""The samples in view as a file for a spreadsheet."""

from __future__ import annotations

import re
from functools import partial
from tempfile import TemporaryFile

import streamlit as st

from hcat.core.display.numbers import format_count
from hcat.core.project.exporting.sample_export import Form
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import sample_facts
from hcat.dashboard.loaders.runs import scores
from hcat.dashboard.loaders.workspace import workspace

FORMS: tuple[tuple[Form, str, str], ...] = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
)
MOST_DOWNLOADED = 100_000


def download_popover(run: RunInfo, sample_ids: list[str], *, criterion: Criterion | None, title: str) -> None:
    """CSV and Excel of the samples, in the run's order; a file is made when its button is pressed."""
    with st.popover("Download", icon=":material/download:", on_change="rerun", key="download-samples") as popover:
        if not popover.open:
            return
        st.caption(
            "Query, answer, reference, contexts, label, prediction, dimensions and all scores. No cell is run as a "
            "formula: one that begins with = + - @ begins with an apostrophe."
        )
        if len(sample_ids) > MOST_DOWNLOADED:
            st.info(
                f"{format_count(len(sample_ids))} samples are more than a browser is sent. The command "
                "`hcat samples export --project … --run … -o samples.parquet` writes them, as .csv or .jsonl, too."
            )
            return
        stem = re.sub(r"[^\w]+", "-", f"{run.name} {title}").strip("-")[:80]
        for form, label, mime in FORMS:
            st.download_button(
                label,
                partial(_file, run, sample_ids, criterion, form),
                file_name=f"{stem}.{form}",
                mime=mime,
                key=f"samples-{label.lower()}",
                on_click="ignore",
            )


def _file(run: RunInfo, sample_ids: list[str], criterion: Criterion | None, form: Form) -> bytes:
    facts, table = sample_facts(run, criterion), scores(run)
    name = None if criterion is None else criterion.name
    with TemporaryFile() as file:
        workspace().exports.write_samples(file, sample_ids, facts, table, criterion=name, form=form)
        file.seek(0)
        return file.read()
