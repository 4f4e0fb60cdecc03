"""Estimates of the pass rate from labels and metric together, for the whole run and for its slices."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from hcat.core.calibration.maps.methods import METHODS
from hcat.core.capabilities.estimates.estimate import estimate_levels, likely_clusters, prepare
from hcat.core.capabilities.estimates.views.pass_rate import (
    explanation_of_rates,
    level_rates_view,
    ordered_levels,
    pass_rate_view,
)
from hcat.core.display.numbers import format_estimate
from hcat.core.errors import HcatError
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.estimates.run_estimates import PreparedRun
from hcat.core.labelling.ties import TieBounds
from hcat.core.records.project import RunInfo
from hcat.core.slices.slices import input_dimensions
from hcat.core.types import Criterion
from hcat.core.wording.clusters import level_clusters_warning
from hcat.dashboard.capabilities.calibration.loader import saved_calibration
from hcat.dashboard.capabilities.estimates.chart import forest, what_labels_bought
from hcat.dashboard.capabilities.weaknesses.loader import default_dimension
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import columns, dimensions, open_run

FIRST_CHOICE = ("answer_f1", "groundedness_combined", "groundedness")
AS_THE_RUN_SAYS = "what the run says"


@dataclass(frozen=True, slots=True)
class Evaluator:
    """The metrics, and how they become a probability."""

    metrics: tuple[str, ...]
    method: str


def pick_evaluator(run: RunInfo, criterion: Criterion) -> Evaluator:
    """The metrics behind the estimate; those of the saved calibration by default. Stops the page without any."""
    available = list(required_scores(run).metrics)
    record = saved_calibration(run, criterion.name)
    kept_metrics = [] if record is None else [str(name) for name in _list(record.document.get("metrics"))]
    wanted = [name for name in kept_metrics if name in available]
    wanted = wanted or [name for name in FIRST_CHOICE if name in available][:1] or available[:1]
    left, right = st.columns([3, 2])
    with left:
        names = st.multiselect(
            "Metrics used to predict human labels",
            available,
            default=wanted,
            key="estimate-metrics",
            format_func=metric_title,
            persist_state="session",
        )
    if not names:
        st.info("Choose at least one metric.")
        stop_page()
    offered = {
        candidate.name: candidate.title
        for candidate in METHODS
        if not candidate.by_level and (len(names) == 1 or not candidate.single)
    }
    with right:
        method = st.selectbox(
            "Method", list(offered), key=f"estimate-method-{len(names) == 1}", format_func=offered.__getitem__
        )
    return Evaluator(tuple(names), method)


def prepared_run(run: RunInfo, criterion: Criterion, evaluator: Evaluator) -> PreparedRun:
    """The run joined with its present labels. Stops the page with a way forward where there are none."""
    opened = open_run(run)
    try:
        prepared = prepare(opened, criterion, metrics=evaluator.metrics, method=evaluator.method)
        likely = likely_clusters(opened.columns, prepared)
        if likely and (chosen := _cluster_by([each.dimension for each in likely])) is not None:
            return prepare(opened, criterion, metrics=evaluator.metrics, method=evaluator.method, cluster_by=chosen)
        for each in likely:
            st.warning(plain(level_clusters_warning(each)), icon=":material/account_tree:")
    except HcatError as error:
        st.error(sentence(error))
        stop_page()
    if not prepared.run.labelled.any():
        st.info(f"There are no labels on {plain(criterion.name)} in this run yet. An estimate needs some.")
        link_to("labelling", "Label samples", icon=":material/label:")
        stop_page()
    return prepared


def _cluster_by(dimensions: list[str]) -> str | None:
    """The dimension whose levels are to count as clusters; None for none."""
    return st.selectbox(
        "Count as one cluster",
        [None, *dimensions],
        format_func=lambda name: AS_THE_RUN_SAYS if name is None else f"the samples of one {name}",
        key="estimate-clusters",
    )


def whole_run_panel(
    run: RunInfo, criterion: Criterion, evaluator: Evaluator, prepared: PreparedRun, tied: TieBounds | None
) -> None:
    """One chart of the gain from labels, and the same in words and numbers; `tied` bounds the effect of ties."""
    rates = estimate_pass_rate(prepared.run, note=prepared.note)
    st.markdown("**What the labels add**")
    still_chart(
        what_labels_bought(rates, dark=is_dark()),
        "Pass rate by machine, by labels only and by both, and what the labels are worth",
        key="what-labels-bought",
    )
    view = pass_rate_view(
        rates,
        run=run.name,
        criterion=criterion.name,
        metrics=evaluator.metrics,
        method=evaluator.method,
        drawn=prepared.drawn,
        tied=tied,
    )
    show_view(view, key="pass-rate", draw={})
    if tied is not None:
        link_to("agreement", "Decide the ties", icon=":material/balance:")
    show_view(explanation_of_rates(), key="pass-rate-explained", draw={})


def slices_panel(run: RunInfo, criterion: Criterion, prepared: PreparedRun) -> None:
    """The pass rate at each level of a dimension, as a forest and as a table."""
    frame = dimensions(run)
    names = input_dimensions(frame)
    if not names:
        st.info("All samples have the same values: there is no dimension to slice by. Add dimensions to the run file.")
        return
    first = default_dimension(run, criterion)
    dimension = st.selectbox(
        "Dimension", names, index=names.index(first) if first in names else 0, key="estimate-dimension"
    )
    levels = estimate_levels(columns(run), prepared, dimension)
    overall = estimate_pass_rate(prepared.run, note=prepared.note).ppi
    still_chart(
        forest(ordered_levels(levels), overall, dark=is_dark()),
        f"Pass rate for each level of {dimension}; the table below has the same",
        key=f"forest-{dimension}",
    )
    st.caption(
        f"Dotted: the whole run, {format_estimate(overall, percent=True)}. n counts labels; “worth” is the equivalent "
        "number of random labels. Which slices are weak after allowing for how many are compared is on the Weaknesses "
        "page."
    )
    show_view(
        level_rates_view(levels, dimension=dimension, criterion=criterion.name, run=run.name),
        key=f"rates-by-{dimension}",
        draw={},
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
