"""The metrics of safety as scores of the run, so that every other page has them too."""

from __future__ import annotations

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.metrics.loader import registered_metrics
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.loaders.runs import scores
from hcat.dashboard.loaders.workspace import workspace


def score_panel(run: RunInfo) -> None:
    """A button while a metric of safety is not scored; the job shows on Runs, as every other."""
    table = scores(run)
    scored = () if table is None else table.metrics
    missing = [
        name for name, metric in registered_metrics().items() if metric.family == "safety" and name not in scored
    ]
    if not missing:
        return
    titles = ", ".join(metric_title(name) for name in missing)
    st.caption(f"Not among the run's scores yet: {titles}. Scored, they can be sliced, calibrated and reported.")
    if st.button(
        f"Score {counted(len(missing), 'metric')} of safety", key="score-safety", icon=":material/play_arrow:"
    ):
        workspace().jobs.start_scoring(run, missing)
        st.info("Scoring has begun. Runs shows how far it is.")
