"""What labels and metric together say of the whole run and of its slices."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from hcat.core.analysis.estimate import estimate_levels, likely_clusters, prepare
from hcat.core.calibration.maps.methods import METHODS
from hcat.core.display.numbers import counted, format_estimate, format_number, format_percent
from hcat.core.errors import HcatError
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.estimates.run_estimates import PreparedRun
from hcat.core.estimates.slices import INSUFFICIENT, MINIMUM_N, SliceEstimate
from hcat.core.labelling.ties import TieBounds
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.core.weakness.slices import input_dimensions
from hcat.core.wording.clusters import level_clusters_warning
from hcat.core.wording.pass_rate import (
    ESTIMANDS,
    answers_like_these_sentence,
    precision_sentence,
    rate_or_insufficient,
    these_answers_sentence,
    ties_sentence,
)
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.estimates import LABELS_ONLY, NAIVE, POWERED, forest, what_labels_bought
from hcat.dashboard.components.estimates import Figure, estimate_figure, figures
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.components.tables import data_table, stop_page
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.calibrations import saved_calibration
from hcat.dashboard.loaders.runs import columns, dimensions, open_run
from hcat.dashboard.loaders.slices import default_dimension

FIRST_CHOICE = ("answer_f1", "groundedness_combined", "groundedness")
FEW_LABELS = 30
AS_THE_RUN_SAYS = "what the run says"
WHOLE_LABELS = {"Effective labels": st.column_config.NumberColumn(format="%.0f")}
MEANINGS = {
    NAIVE: "The machine's verdicts on every answer, uncorrected. The interval is narrow, but it ignores the "
    "machine's own mistakes, so it can be narrow around the wrong number.",
    LABELS_ONLY: "People's labels alone, weighted by how the samples were drawn. Right on average, but wide.",
    POWERED: "The machine's verdicts on every answer, corrected by people's labels on the answers that have both. "
    "Right on average whatever the metric is worth; the better the metric, the narrower the interval.",
}


@dataclass(frozen=True, slots=True)
class Evaluator:
    """The metrics, and how they become a probability."""

    metrics: tuple[str, ...]
    method: str


def pick_evaluator(run: RunInfo, criterion: Criterion) -> Evaluator:
    """The metrics behind the estimate; those of the kept calibration to begin with. Stops the page without any."""
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


def whole_run_panel(prepared: PreparedRun, tied: TieBounds | None) -> None:
    """One picture of what the labels bought, and the same in words; `tied` bounds what ties can come to."""
    rates = estimate_pass_rate(prepared.run, note=prepared.note)
    st.markdown("**What the labels add**")
    figure = what_labels_bought(rates, dark=is_dark())
    st.plotly_chart(
        figure,
        key="what-labels-bought",
        config={"displayModeBar": False},
        alt=described(figure, "Pass rate by machine, by labels only and by both, and what the labels are worth"),
    )
    st.markdown(in_words(rates))
    st.caption(ESTIMANDS)
    if tied is not None:
        st.warning(ties_sentence(rates.ppi, tied), icon=":material/balance:")
    if rates.note:
        st.warning(plain(rates.note), icon=":material/hourglass_empty:")
    if rates.n_labels < FEW_LABELS:
        st.warning(
            f"Only {counted(rates.n_labels, 'label')}: below {FEW_LABELS}, intervals miss the true value more often "
            "than stated."
        )
    cells = ((NAIVE, rates.naive), (LABELS_ONLY, rates.labels_only), (POWERED, rates.ppi))
    figures(
        [estimate_figure(name, rate_or_insufficient(rate), MEANINGS[name]) for name, rate in cells] + [_worth(rates)]
    )
    st.caption(_small_print(rates, prepared))


def in_words(rates: PassRateEstimates) -> str:
    """The picture in two or three sentences that need no statistics."""
    if not math.isfinite(rates.ppi.low):
        return "There are too few labels for any interval."
    said = [these_answers_sentence(rates), answers_like_these_sentence(rates)]
    said.append(precision_sentence(rates) if rates.lambda_ > 0 else _why_no_help(rates))
    if math.isfinite(rates.naive.value) and not rates.ppi.low <= rates.naive.value <= rates.ppi.high:
        side = "too high" if rates.naive.value > rates.ppi.high else "too low"
        said.append(f"The machine alone says {format_percent(rates.naive.value)}: {side}.")
    return " ".join(filter(None, said))


def _why_no_help(rates: PassRateEstimates) -> str:
    """Why the metric narrows nothing; only where it could have is that the metric's doing."""
    if rates.n_labels == rates.n_samples:
        return "The machine has nothing to add."
    if rates.note:
        return "There are too few labels for the machine to help yet."
    if rates.labels_only.value in (0.0, 1.0):
        return "All labelled answers have the same label, so what the machine adds cannot be measured yet."
    return "These labels show no gain from the machine: it gets weight 0, and the interval is that of the labels alone."


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
    column = frame[dimension]
    by_level = {estimate.level: estimate for estimate in estimate_levels(columns(run), prepared, dimension)}
    ordered = [str(level) for level in column.cat.categories if str(level) in by_level]
    if not column.cat.ordered:  # the weakest first; what can't be told last
        ordered.sort(key=lambda level: (not by_level[level].enough, by_level[level].estimates.ppi.value))
    overall = estimate_pass_rate(prepared.run, note=prepared.note).ppi
    figure = forest([by_level[level] for level in ordered], overall, dark=is_dark())
    st.plotly_chart(
        figure,
        key=f"forest-{dimension}",
        config={"displayModeBar": False},
        alt=described(figure, f"Pass rate for each level of {dimension}; the table below has the same"),
    )
    st.caption(
        f"Dotted: the whole run, {format_estimate(overall, percent=True)}. n counts labels; “worth” is the equivalent "
        f"number of random labels. Below {MINIMUM_N} labels, or clusters where these have several samples, nothing "
        "is said. Each interval holds on its own: of twenty, one misses on average. Which slices are weak after "
        "allowing for that is on the Weaknesses page."
    )
    data_table(
        _slice_table([by_level[level] for level in ordered]),
        hide_index=True,
        column_config=WHOLE_LABELS,
        alt="Pass rates by level",
    )


def _slice_table(estimates: list[SliceEstimate]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Level": [estimate.level for estimate in estimates],
            "Samples": [estimate.estimates.n_samples for estimate in estimates],
            "Labels": [estimate.estimates.n_labels for estimate in estimates],
            **{
                title: [
                    format_estimate(getattr(estimate.estimates, field), percent=True)
                    if estimate.enough
                    else INSUFFICIENT
                    for estimate in estimates
                ]
                for title, field in ((POWERED, "ppi"), (LABELS_ONLY, "labels_only"), (NAIVE, "naive"))
            },
            "Effective labels": [estimate.estimates.effective_n if estimate.enough else None for estimate in estimates],
        }
    )


def _worth(rates: PassRateEstimates) -> Figure:
    return Figure(
        "Effective labels",
        format_number(rates.effective_n, decimals=0),
        f"{format_number(rates.labels_only_effective_n, decimals=0)} by labels only",
        "How many labels, drawn by simple random sampling, would be about as precise.",
    )


def _small_print(rates: PassRateEstimates, prepared: PreparedRun) -> str:
    """How it was done, for whoever checks it."""
    drawn = "by stratum" if prepared.run.strata is not None else "weighted by how samples were drawn"
    if prepared.run.design is not None:
        drawn += ", and by the inverse of the probability with which the sampling design drew their test case"
    foreign = prepared.left_out.get("not in the scores", 0)
    left = f" {counted(foreign, 'labelled sample')} without scores, not counted." if foreign else ""
    return (
        f"{rates.n_labels:,} of {counted(rates.n_samples, 'sample')} labelled, {rates.unscored:,} unscored; {drawn}. "
        f"Weight of the machine's predictions λ = {format_number(rates.lambda_)} (0: labels alone, 1: full weight), "
        "tuned for the narrowest interval; each prediction comes from a map that never saw the sample's own label "
        f"(PPI++, cross-fitted).{left}"
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
