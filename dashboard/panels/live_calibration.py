"""The calibration as the labels stand now: curve, conformal regions, reliability, and what can be said of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.calibration.calibration import TWO_LEVELS, Calibration
from core.calibration.conformal import probability_regions
from core.calibration.labelled import LabelledScores, join_scores
from core.calibration.methods import METHODS
from core.errors import HcatError, NotEnoughLabelsError
from core.formats import format_estimate, format_number
from core.storage.records import RunInfo
from core.types import Criterion
from dashboard.charts.calibration import LabelledPoint, calibration_curve, reliability_diagram
from dashboard.components.estimates import Figure, estimate_figure, figures
from dashboard.components.markdown import plain
from dashboard.components.pickers import metric_title, required_scores
from dashboard.components.theme import is_dark
from dashboard.loaders import workspace
from dashboard.panels.label_card import LIVE

DEFAULT_METRICS = ("answer_f1", "groundedness")
ECE_MEANING = "Mean gap of stated and observed share over equal-mass bins; leans upwards with few labels."


@st.fragment(key=LIVE)
def live_calibration(run: RunInfo, criterion: Criterion) -> None:
    """Controls, curve, reliability and verdict; redrawn after every label without the rest of the page."""
    table = required_scores(run)
    names = _pick_metrics(list(table.metrics))
    alpha = st.slider(
        "α: share of prediction sets that may miss the label",
        0.01,
        0.5,
        0.1,
        0.01,
        key="alpha",
        bind="query-params",
        help="Split conformal prediction covers the label with probability at least 1 − α (HCAT 5.2).",
    )
    if not names:
        st.info("Choose at least one metric.")
        return
    method = _pick_method(len(names), criterion)
    project = workspace().project_of(run)
    labels = workspace().labels(project, criterion.name, run)
    joined = join_scores(labels, table, criterion=criterion, metrics=names)
    try:
        fitted = workspace().calibrate(run, criterion, metrics=names, method=method, alpha=alpha)
    except NotEnoughLabelsError as error:
        st.warning(
            f"Not enough labels yet: about {error.needed} more. {plain(error)}.", icon=":material/hourglass_empty:"
        )
        return
    except HcatError as error:
        st.error(plain(error))
        return
    _figures(fitted, joined, names)
    _numbers(fitted)
    _pass_rates(run, criterion, names, method)
    _keep_button(run, fitted)


def _pick_metrics(available: list[str]) -> list[str]:
    default = [name for name in DEFAULT_METRICS if name in available][:1] or available[:1]
    return st.multiselect(
        "Metrics to calibrate, alone or combined",
        available,
        default=default,
        key="calibrated-metrics",
        format_func=metric_title,
        persist_state="session",
        help="Several metrics make a combined evaluator: one probability from all of them.",
    )


def _pick_method(metrics: int, criterion: Criterion) -> str:
    """How scores become a probability; methods for one metric, or for more than two levels, are offered for these."""
    fitting = [known for known in METHODS if not (known.single and metrics > 1)]
    offered = [known for known in fitting if not (known.by_level and criterion.is_binary)]
    titles = {known.name: known.title for known in offered}
    return st.segmented_control(
        "Method",
        list(titles),
        default="logistic",
        required=True,
        key=f"method-{metrics == 1}-{criterion.is_binary}",
        format_func=titles.__getitem__,
    )


def _pass_rates(run: RunInfo, criterion: Criterion, names: Sequence[str], method: str) -> None:
    """What the labels and the metric together say of the whole run."""
    found = workspace().estimate_pass_rate(run, criterion, metrics=names, method=method)
    st.markdown("**Pass rate of the whole run**")
    cells = (
        ("Naive", found.naive, "Share of machine verdicts that pass: right only if the machine is."),
        ("Labels only", found.labels_only, "From the labelled samples alone, weighted by how they were drawn."),
        ("Prediction-powered", found.ppi, "PPI++: labels corrected by the metric on every sample; cross-fitted."),
    )
    figures(
        [estimate_figure(title, format_estimate(rate, percent=True), meaning) for title, rate, meaning in cells]
        + [
            Figure(
                "Effective labels",
                format_number(found.effective_n, decimals=0),
                f"{format_number(found.labels_only_effective_n, decimals=0)} without the metric",
                "How many labels, drawn at random, would give the same interval.",
            )
        ]
    )
    if found.note:
        st.caption(found.note)


def _figures(fitted: Calibration, joined: LabelledScores, names: Sequence[str]) -> None:
    single = len(names) == 1
    x = joined.X[:, 0] if single else _log_odds(fitted.map.probability(joined.X))
    low, high = float(x.min()), float(x.max())
    grid = np.linspace(low - 0.05 * (high - low) - 1e-6, high + 0.05 * (high - low) + 1e-6, 400)
    curve = fitted.map.probability(grid[:, None]) if single else 1 / (1 + np.exp(-grid))
    points = [
        LabelledPoint(sample_id, float(value), bool(passed), str(split))
        for sample_id, value, passed, split in zip(joined.sample_ids, x, joined.passed, joined.splits, strict=True)
    ]
    title = metric_title(names[0]) if single else "combined score (log-odds)"
    left, right = st.columns([3, 2])
    # Along the axis of the probability of a pass, sets over more levels have no regions.
    regions = probability_regions(fitted.threshold.q_hat) if fitted.levels == TWO_LEVELS else ()
    curve_figure = calibration_curve(grid, curve, points=points, regions=regions, title=title, dark=is_dark())
    left.markdown("**Calibration curve and conformal regions**")
    left.plotly_chart(curve_figure, key="curve", alt="Probability of a pass over the score, with labels and regions")
    right.markdown("**Reliability, on labels that fitted nothing**")
    if fitted.diagnostics is None:
        right.info("No label is left to check with yet.")
    else:
        diagram = reliability_diagram(fitted.diagnostics.reliability, dark=is_dark())
        right.plotly_chart(diagram, key="reliability", alt="Observed share of passes over predicted probability")


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(probability) - np.log1p(-probability), dtype=np.float64)


def _numbers(fitted: Calibration) -> None:
    sizes, threshold = fitted.split_sizes, fitted.threshold
    st.caption(
        f"Labels: {sizes['fit']} fit the curve, {sizes['conformal']} set the threshold, {sizes['check']} check both. "
        f"q̂ = {format_number(threshold.q_hat, decimals=3)} at α = {fitted.alpha:g}. "
        + "".join(f"{count} left out ({reason}). " for reason, count in fitted.left_out.items() if count)
    )
    if not threshold.enough:
        missing = max(threshold.needed - threshold.n, 1)
        st.warning(
            f"α = {fitted.alpha:g} needs {threshold.needed} labels in the conformal split, {missing} more than now. "
            "Until then every set holds both classes."
        )
    kind = {"yes": st.success, "no": st.error}.get(fitted.fit_for_use.value, st.warning)
    kind(f"Fit for use on {plain(fitted.criterion)}: **{fitted.fit_for_use.value}**. {fitted.fit_for_use.reason}")
    measured = fitted.diagnostics
    if measured is None:
        return
    figures(
        [
            estimate_figure(title, format_estimate(estimate, percent=percent), meaning)
            for title, estimate, percent, meaning in (
                ("Coverage", measured.coverage, True, "Share of prediction sets that hold the label."),
                ("AUC", measured.auc, False, "Chance that a passed sample scores above a failed one."),
                ("Type I error", measured.type_1, True, "Of what people fail, the share the machine passes."),
                ("Type II error", measured.type_2, True, "Of what people pass, the share the machine fails."),
                ("Undecided", measured.undecided, True, "Share of sets with both classes or none: for people."),
                ("Brier score", measured.brier, False, "Mean squared distance of probability and label."),
            )
        ]
        + [Figure("ECE", format_number(measured.ece, decimals=3), f"n = {measured.n}", ECE_MEANING)]
    )


def _keep_button(run: RunInfo, fitted: Calibration) -> None:
    if st.button(
        "Keep this calibration",
        icon=":material/save:",
        help="Overview, weaknesses and report then use it for this run.",
        key="keep-calibration",
    ):
        workspace().save_calibration(run, fitted)
        st.toast("Kept. Weaknesses and report now use this calibration.", icon=":material/check:")
