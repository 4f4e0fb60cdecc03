"""Actions on the samples in view: confirm them as a finding, label them, download them as a file."""

from __future__ import annotations

import streamlit as st

from hcat.core.opened.sample_filter import SampleFilter
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.findings.form import confirm_popover
from hcat.dashboard.capabilities.labelling.picked import label_these
from hcat.dashboard.capabilities.samples.download import download_popover
from hcat.dashboard.selection import SampleSelection


def selection_actions(
    run: RunInfo,
    metric: str,
    selection: SampleSelection,
    wanted: SampleFilter,
    sample_ids: list[str],
    *,
    criterion: Criterion | None,
    title: str,
) -> None:
    """Buttons for all samples in view, however many they are; a filter makes a list of the samples that pass it."""
    if not sample_ids:
        return
    chosen = selection if wanted == SampleFilter() else SampleSelection(sample_ids=tuple(sample_ids))
    with st.container(horizontal=True):
        if len(sample_ids) < run.n:
            confirm_popover(run, metric, chosen, sample_ids, title=title)
            label_these(run, chosen, sample_ids, title=title)
        download_popover(run, sample_ids, criterion=criterion, title=title)
