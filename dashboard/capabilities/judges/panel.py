"""Several judges as a panel: how alike they are, each compared with people, and their mean as one more metric."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.judges.panel import panel_of, panel_scores
from hcat.core.capabilities.judges.view import beside_people_view, panel_view
from hcat.core.capabilities.judges.wording.verdicts import ABOUT_PANELS
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.scoring.file_metric import JUDGED
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.judges.loader import panel_beside_people
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import scores
from hcat.dashboard.loaders.workspace import workspace

PANEL = "panel"


def panel_panel(project: ProjectInfo, run: RunInfo, people: Criterion) -> None:
    """The judges' rank correlations, the effective number of judges, κ of each and of the mean, and the mean to
    store."""
    st.markdown(ABOUT_PANELS)
    table = scores(run)
    declared = {} if table is None else table.provenance.from_files
    judges = [
        name for name, metric in declared.items() if metric.framework == JUDGED and not name.startswith(f"{PANEL}:")
    ]
    if table is None or len(judges) < 2:
        st.info(
            f"{'One judge has' if len(judges) == 1 else 'No judge has'} scores on this run, and a panel has two at "
            "least. Judge the run again in view “Ask” under another name (Options), with another model or rubric."
        )
        return
    by_criterion: dict[str, list[str]] = {}
    for name in judges:
        by_criterion.setdefault(name.rpartition(":")[2], []).append(name)
    usual = max(by_criterion.values(), key=len)
    chosen = st.multiselect("Judges", judges, default=usual, key="panel-judges", format_func=plain)
    try:
        panel = panel_of(table, chosen)
    except HcatError as error:
        st.info(sentence(error))
        return
    show_view(panel_view(panel), key="panel", draw={})
    _beside_people(project, run, panel.metrics, people)
    criteria = {name.rpartition(":")[2] for name in chosen}
    name = f"{PANEL}:{criteria.pop()}" if len(criteria) == 1 else f"{PANEL}:mean"
    st.caption(f"Kept, the mean is the metric {plain(name)} of the run: calibrate it like any other.")
    if st.button("Keep the mean as a metric", icon=":material/save:", key="panel-keep"):
        try:
            workspace().scoring.add_judged(run, panel_scores(table, panel, name=name))
        except HcatError as error:
            st.error(sentence(error))
            return
        st.success(f"The metric {plain(name)} is kept.")


def _beside_people(project: ProjectInfo, run: RunInfo, metrics: tuple[str, ...], people: Criterion) -> None:
    """κ of each judge and of the mean on the samples that each has, where their rubrics are known."""
    agreements = panel_beside_people(project, run, metrics, people)
    if agreements:
        judged = [(name, people.name, each) for name, each in agreements.items()]
        show_view(beside_people_view(judged), key="panel-people", draw={})
