"""Selectors that several pages share."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.weaknesses.slice_metrics import default_score
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.metrics.facts import MetricFacts
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.scoring.file_metric import facts_of
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.keys import criterion_of
from hcat.core.types import Criterion, Direction
from hcat.core.wording.slice_metrics import slice_metric_title
from hcat.dashboard.capabilities.weaknesses.loader import default_slice_metric, slice_metrics
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.runs import columns, scores
from hcat.dashboard.loaders.stored import criteria_of

PROBABILITY_TITLE = "Calibrated probability of a pass"


def metric_title(name: str) -> str:
    """The metric's title, or that of the calibrated probability or of a pass rate by people."""
    return PROBABILITY_TITLE if name == CALIBRATED else slice_metric_title(name)


def metric_help(name: str, table: ScoreTable | None = None) -> str:
    """One sentence on the metric's meaning, its better direction, and its source; `table` declares those from files."""
    if name == CALIBRATED:
        return "The probability that people pass the sample, by the calibration saved last (HCAT 5.1)."
    if (criterion := criterion_of(name)) is not None:
        return f"Whether a sample passes on {criterion} by its labels: of a slice, the share that passes."
    facts = _facts(name, table)
    if not facts.source:
        return ""
    better = "" if facts.direction == "none" else f" {facts.direction.capitalize()} is better."
    return f"{facts.description}{better} Source: {facts.source}."


def metric_direction(name: str, table: ScoreTable | None = None) -> Direction:
    """Which way is better; `table` declares the metrics whose scores are from files."""
    return "higher" if name == CALIBRATED or criterion_of(name) is not None else _facts(name, table).direction


def is_machine_verdict(run: RunInfo, name: str) -> bool:
    """Whether the metric's scores are verdicts of a machine on questions that people could decide."""
    table = scores(run)
    return table is not None and name in table.metrics and table.facts(name).judged


def _facts(name: str, table: ScoreTable | None) -> MetricFacts:
    return facts_of(name, {}) if table is None else table.facts(name)


def required_scores(run: RunInfo) -> ScoreTable:
    """The run's scores. Stops the page with a way forward where there are none."""
    table = scores(run)
    if table is None:
        st.info(f"Run “{plain(run.name)}” has no scores yet. Score it first; it takes seconds to minutes.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        stop_page()
    return table


def pick_metric(run: RunInfo, *, of_slices: bool = False, key: str = "metric") -> str:
    """A metric of the run's scores, the calibrated probability where there is a calibration, or people's pass rate.
    Kept in the URL. The default is the metric that samples are sorted by, or with `of_slices` that by which slices are
    compared."""
    table = required_scores(run)
    names = list(slice_metrics(run))
    linked = None if key in st.session_state else st.query_params.get(key)  # a title, or in links of old a name
    if (wanted := st.session_state.pop(f"next-{key}", linked)) in names:
        st.session_state[key] = wanted
    first = default_slice_metric(run) if of_slices else default_score(columns(run))
    title_of = slice_metric_title if of_slices else metric_title
    by_title = {title_of(name): name for name in names}
    explained = st.session_state.get(key, by_title.get(linked or "", first))
    return st.selectbox(
        "Metric",
        names,
        index=0 if key in st.session_state else names.index(first),
        key=key,
        format_func=title_of,
        bind="query-params",
        help=metric_help(explained if explained in names else first, table),
    )


def pick_criterion(project: ProjectInfo, *, key: str = "criterion") -> Criterion:
    """A criterion of the project; a new one is chosen. Stops the page with a way forward where there is none."""
    criteria = {criterion.name: criterion for criterion in criteria_of(project)}
    if not criteria:
        st.info("This project has no criterion yet: first add what people judge, such as correctness.")
        link_to("runs", "Add a criterion", icon=":material/add:")
        stop_page()
    if (added := st.session_state.pop(f"next-{key}", None)) in criteria:
        st.session_state[key] = added
    name = st.selectbox("Criterion", list(criteria), key=key, bind="query-params")
    return criteria[name]
