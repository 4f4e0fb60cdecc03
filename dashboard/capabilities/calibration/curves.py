"""The curve with its conformal regions, or the probabilities and sets of several levels; and the reliability."""

from __future__ import annotations

import numpy as np
import streamlit as st

from hcat.core.arrays import Floats
from hcat.core.calibration.answer_scores import answer_scores
from hcat.core.calibration.calibration import TWO_LEVELS, Calibration
from hcat.core.calibration.conformal.level_sets import level_table
from hcat.core.calibration.conformal.threshold import probability_regions
from hcat.core.calibration.dataset import join_scores
from hcat.core.calibration.maps.methods import find_method
from hcat.core.capabilities.calibration.views.calibration import reliability_view
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence
from hcat.core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation, ScoredRun
from hcat.core.figures.curve import CalibrationCurve, CurveRegion, regions_along, regions_within
from hcat.core.figures.reliability import ReliabilityDiagram
from hcat.core.scoring.score_table import ScoreTable
from hcat.dashboard.capabilities.calibration.chart import (
    LabelledPoints,
    calibration_curve,
    curve_keys,
    level_probabilities_chart,
    level_ranges_chart,
    reliability_chart,
)
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.legend import legend
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view

SAMPLES_IN_ORDER = "samples of the run, in order of their probability of a pass"


def curve_panel(label_evaluation: LabelEvaluation, fitted: Calibration, run: ScoredRun, spec: CalibrationSpec) -> None:
    """Draw where the sets change along the score: a curve for pass and fail, stacked probabilities for more levels."""
    if fitted.levels == TWO_LEVELS:
        _binary_curve(label_evaluation, fitted, run, spec)
    else:
        _level_curves(fitted, run, spec)


def reliability_panel(fitted: Calibration) -> None:
    """Reliability of the predicted probabilities on held-out labels."""
    if fitted.diagnostics is None:
        st.info("No label is left to check with yet.")
        return
    show_view(reliability_view(fitted), key="reliability", draw={ReliabilityDiagram: reliability_chart})


def _binary_curve(
    label_evaluation: LabelEvaluation, fitted: Calibration, run: ScoredRun, spec: CalibrationSpec
) -> None:
    st.markdown("**Calibration curve and conformal regions**")
    joined = join_scores(
        label_evaluation.judged,
        run.scores,
        criterion=spec.criterion,
        metrics=spec.metrics,
        partial=find_method(spec.method).takes_unscored,
        test_cases=run.clusters,
    )
    joined = joined.rows(np.isfinite(fitted.map.probability(joined.X)))
    if not len(joined):
        st.info("No labelled sample has a score on every metric: there is nothing to draw.")
        return
    single = len(spec.metrics) == 1
    x = joined.X[:, 0] if single else _log_odds(fitted.map.probability(joined.X))
    low, high = float(x.min()), float(x.max())
    grid = np.linspace(low - 0.05 * (high - low) - 1e-6, high + 0.05 * (high - low) + 1e-6, 400)
    curve = fitted.map.probability(grid[:, None]) if single else 1 / (1 + np.exp(-grid))
    splits = joined.splits if fitted.sets_by_score is None else None
    points = LabelledPoints(joined.sample_ids.tolist(), x, joined.passed, splits)
    title = metric_title(spec.metrics[0]) if single else "combined score (log-odds)"
    line = tuple(zip(grid.tolist(), curve.tolist(), strict=True))
    data = CalibrationCurve(title, line, labels=(), regions=_regions(fitted, line))
    figure = calibration_curve(data, points=points, title=title, dark=is_dark())
    st.plotly_chart(
        figure,
        config={"displayModeBar": False},
        key="curve",
        alt=described(figure, "Probability of a pass over the score, with labels and prediction sets"),
    )
    legend(curve_keys(points, data.regions))


def _regions(fitted: Calibration, line: tuple[tuple[float, float], ...]) -> tuple[CurveRegion, ...]:
    """The regions of the sets for all, of both classes, or of the level of the dimension that is chosen."""
    level = _pick_level(fitted)
    if fitted.sets_by_score is not None:
        return regions_within(fitted.sets_by_score.regions(level), low=line[0][0], high=line[-1][0])
    of_fail, of_pass = fitted.q_hats(level)
    return regions_along(line, probability_regions(of_fail, q_hat_pass=of_pass))


def _pick_level(fitted: Calibration) -> str | None:
    """The level of the dimension whose threshold is drawn; None where thresholds are by none."""
    thresholds = fitted.thresholds
    if thresholds is None or thresholds.by_class or not thresholds.thresholds:
        return None
    return st.selectbox(
        f"Regions where {plain(thresholds.by)} is", list(thresholds.thresholds), key=f"regions-of-{thresholds.by}"
    )


def _level_curves(fitted: Calibration, run: ScoredRun, spec: CalibrationSpec) -> None:
    st.markdown("**Probability of each level**")
    odds = fitted.proportional_odds
    if odds is not None and odds.doubtful:
        st.warning(proportional_odds_sentence(odds), icon=":material/balance:")
    elif odds is not None:
        st.caption(proportional_odds_sentence(odds))
    level = _pick_level(fitted)
    x, scores, title = _axis(fitted, run.scores, spec.metrics)
    if not len(x):
        st.info("No sample of the run has a score: there is nothing to draw.")
        return
    figure = level_probabilities_chart(
        x, level_table(fitted.map, scores), names=fitted.levels, title=title, dark=is_dark()
    )
    st.plotly_chart(
        figure,
        config={"displayModeBar": False},
        key="levels",
        alt=described(figure, "Probability of each level, stacked, over the score"),
    )
    st.markdown("**Prediction sets: where each level is in the set**")
    sets = fitted.sets_at(scores, cells=[level] * len(x))
    ranges = level_ranges_chart(x, sets, names=fitted.levels, title=title, dark=is_dark())
    st.plotly_chart(
        ranges,
        config={"displayModeBar": False},
        key="level-sets",
        alt=described(ranges, "The ranges of the score where each level is in the set"),
    )
    if find_method(fitted.method).contiguous:
        st.caption("Read a vertical line: the levels that it crosses are the set. Sets of ordered levels have no gaps.")


def _axis(fitted: Calibration, table: ScoreTable, metrics: tuple[str, ...]) -> tuple[Floats, Floats, str]:
    """Values along the axis (m,), the scores there (m, metrics), and the axis title."""
    scores = answer_scores(table, metrics)
    scores = scores[np.isfinite(fitted.map.probability(scores))]
    if len(metrics) == 1 and len(scores):
        x = np.linspace(float(scores.min()), float(scores.max()), 200)
        return x, x[:, None], metric_title(metrics[0])
    order = np.argsort(fitted.map.probability(scores))
    return np.arange(1, len(order) + 1, dtype=np.float64), scores[order], SAMPLES_IN_ORDER


def _log_odds(probability: Floats) -> Floats:
    return np.asarray(np.log(probability) - np.log1p(-probability), dtype=np.float64)
