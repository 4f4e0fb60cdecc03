"""The calibration as the labels stand now: curve, conformal regions, reliability, and what can be said of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.calibration.calibration import TWO_LEVELS, Calibration
from core.calibration.conformal import Region, probability_regions
from core.calibration.labelled import LabelledScores, join_scores
from core.calibration.level_sets import level_table
from core.calibration.methods import METHODS
from core.calibration.mondrian import BY_CLASS
from core.calibration.stage_2 import MOST_CELLS, NOT_CONDITIONAL
from core.errors import HcatError, NotEnoughLabelsError
from core.formats import format_estimate, format_number
from core.scores import ScoreTable
from core.storage.records import RunInfo
from core.types import Criterion
from dashboard.charts.calibration import (
    LabelledPoint,
    calibration_curve,
    level_probabilities_chart,
    reliability_diagram,
)
from dashboard.components.estimates import Figure, estimate_figure, figures
from dashboard.components.markdown import plain
from dashboard.components.pickers import metric_title, required_scores
from dashboard.components.theme import is_dark
from dashboard.loaders import dimensions, samples, workspace
from dashboard.panels.calibration_check import calibration_check
from dashboard.panels.label_desk import LIVE

DEFAULT_METRICS = ("answer_f1", "groundedness")
CONDITIONAL = {NOT_CONDITIONAL: "one for all samples", BY_CLASS: "one for each class"}
SAMPLES_IN_ORDER = "samples of the run, in order of their probability of a pass"


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
    conditional = _pick_conditional(run)
    project = workspace().project_of(run)
    labels = workspace().labels(project, criterion.name, run)
    joined = join_scores(labels, table, criterion=criterion, metrics=names)
    try:
        fitted = workspace().calibrate(
            run,
            criterion,
            metrics=names,
            method=method,
            alpha=alpha,
            conditional=conditional,
            dimensions=dimensions(run),
            test_cases={sample.id: sample.test_case or sample.id for sample in samples(run).values()},
        )
    except NotEnoughLabelsError as error:
        st.warning(
            f"Not enough labels yet: about {error.needed} more. {plain(error)}.", icon=":material/hourglass_empty:"
        )
        return
    except HcatError as error:
        st.error(plain(error))
        return
    _figures(fitted, table, joined, names)
    calibration_check(fitted)
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


def _pick_conditional(run: RunInfo) -> str:
    """Within what the sets keep their promise: on average, by class, or by a dimension of few levels."""
    frame = dimensions(run)
    few = [str(name) for name in frame.columns if frame[name].nunique() <= MOST_CELLS and name not in CONDITIONAL]
    return st.selectbox(
        "Thresholds",
        [*CONDITIONAL, *few],
        format_func=lambda by: CONDITIONAL.get(by, f"one for each level of {by}"),
        key="conditional",
        persist_state="session",
        help="One threshold keeps 1 − α on average; by class or by a dimension it is kept within each, which takes "
        "labels enough in each.",
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


def _figures(fitted: Calibration, table: ScoreTable, joined: LabelledScores, names: Sequence[str]) -> None:
    left, right = st.columns([3, 2])
    with left:
        if fitted.levels == TWO_LEVELS:
            _binary_curve(fitted, joined, names)
        else:
            _level_curves(fitted, table, names)
    right.markdown("**Reliability, on labels that fitted nothing**")
    if fitted.diagnostics is None:
        right.info("No label is left to check with yet.")
    else:
        diagram = reliability_diagram(fitted.diagnostics.reliability, dark=is_dark())
        right.plotly_chart(diagram, key="reliability", alt="Observed share of passes over predicted probability")


def _binary_curve(fitted: Calibration, joined: LabelledScores, names: Sequence[str]) -> None:
    st.markdown("**Calibration curve and conformal regions**")
    if not joined.sample_ids:
        st.info("No labelled sample has a score on every metric: there is nothing to draw.")
        return
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
    figure = calibration_curve(grid, curve, points=points, regions=_regions(fitted), title=title, dark=is_dark())
    st.plotly_chart(figure, key="curve", alt="Probability of a pass over the score, with labels and regions")


def _regions(fitted: Calibration) -> tuple[Region, ...]:
    """The regions of the threshold for all, of both classes, or of the level of the dimension that is chosen."""
    made = fitted.thresholds
    if made is None:
        return probability_regions(fitted.threshold.q_hat)
    if made.by_class:
        failed, passed = made.thresholds.values()
        return probability_regions(failed.q_hat, q_hat_pass=passed.q_hat)
    if not made.thresholds:
        return probability_regions(made.unseen.q_hat)
    level = st.selectbox(f"Regions where {plain(made.by)} is", list(made.thresholds), key=f"regions-of-{made.by}")
    return probability_regions(made.thresholds[level].q_hat)


def _level_curves(fitted: Calibration, table: ScoreTable, names: Sequence[str]) -> None:
    st.markdown("**Probability of each level**")
    if len(names) == 1:
        values = table.values(names[0])
        values = values[np.isfinite(values)]
        if not len(values):
            st.info("No sample of the run has a score: there is nothing to draw.")
            return
        x = np.linspace(float(values.min()), float(values.max()), 200)
        chances, title = level_table(fitted.map, x[:, None]), metric_title(names[0])
    else:
        probability, chances = fitted.probability(table), fitted.level_probabilities(table)
        order = np.argsort(probability)[: int(np.sum(~np.isnan(probability)))]
        x, chances, title = np.arange(1, len(order) + 1, dtype=np.float64), chances[order], SAMPLES_IN_ORDER
    figure = level_probabilities_chart(x, chances, names=fitted.levels, title=title, dark=is_dark())
    st.plotly_chart(figure, key="levels", alt="Probability of each level, stacked, over the score")


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(probability) - np.log1p(-probability), dtype=np.float64)


def _keep_button(run: RunInfo, fitted: Calibration) -> None:
    if st.button(
        "Keep this calibration",
        icon=":material/save:",
        help="Overview, weaknesses and report then use it for this run.",
        key="keep-calibration",
    ):
        workspace().save_calibration(run, fitted)
        st.toast("Kept. Weaknesses and report now use this calibration.", icon=":material/check:")
