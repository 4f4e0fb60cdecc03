"""Comparison of two runs of a project, paired by test case."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.estimates.estimate import compare_runs
from hcat.core.capabilities.estimates.views.difference import difference_view
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.estimates.chart import difference_rows
from hcat.dashboard.capabilities.estimates.pass_rate import Evaluator
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import open_run, scores
from hcat.dashboard.loaders.workspace import workspace


def difference_panel(project: ProjectInfo, run: RunInfo, criterion: Criterion, evaluator: Evaluator) -> None:
    """Pick another run; see the difference three ways, with interval and p."""
    others = {other.name: other for other in workspace().runs.all(project) if other.id != run.id}
    if not others:
        st.info("This project has one run only. Import a second one to compare them.")
        link_to("runs", "Import a run", icon=":material/upload_file:")
        return
    name = st.selectbox(
        "Compare with", list(others), key="estimate-other", help="The run chosen in the sidebar less this one."
    )
    other = others[name]
    if not _ready(other, criterion, evaluator):
        return
    try:
        delta = compare_runs(
            open_run(other), open_run(run), criterion, metrics=evaluator.metrics, method=evaluator.method
        )
    except HcatError as error:
        st.error(sentence(error))
        return
    figure = difference_rows(delta, first=other.name, second=run.name, dark=is_dark())
    still_chart(figure, "Difference in pass rate by machine, by labels only and by both", key="difference-rows")
    view = difference_view(
        delta, first=other.name, second=run.name, criterion=criterion.name, metrics=evaluator.metrics
    )
    show_view(view, key="difference", draw={})


def _ready(other: RunInfo, criterion: Criterion, evaluator: Evaluator) -> bool:
    table = scores(other)
    if table is None or not set(evaluator.metrics) <= set(table.metrics):
        st.info(f"Run “{plain(other.name)}” is not scored on these metrics yet.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return False
    if not workspace().labels.current(workspace().projects.of(other), criterion.name, other):
        st.info(f"Run “{plain(other.name)}” has no labels on {plain(criterion.name)} yet.")
        link_to("labelling", "Label samples", icon=":material/label:")
        return False
    return True
