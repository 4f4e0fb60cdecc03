"""Planning of labels: the number that a question needs, the precision gained so far, and when to stop."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from hcat.core.capabilities.estimates.estimate import learning_curve
from hcat.core.capabilities.estimates.views.label_plan import decision_view, label_plan_view
from hcat.core.display.numbers import format_percent
from hcat.core.estimates.forecast import Forecast, label_forecast
from hcat.core.estimates.learning import forecast
from hcat.core.estimates.planning import LabelPlan
from hcat.core.estimates.plans import PlanQuestion, plan_labels
from hcat.core.estimates.run_estimates import PreparedRun
from hcat.core.estimates.stopping import decide, look_level
from hcat.core.records.project import RunInfo
from hcat.core.slices.slices import input_dimensions
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.estimates.pass_rate import Evaluator
from hcat.dashboard.capabilities.estimates.planning_chart import rate_over_labels, width_over_labels
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import dimensions, open_run

WHOLE = "all samples together"


def planning_panel(run: RunInfo, criterion: Criterion, evaluator: Evaluator, prepared: PreparedRun) -> None:
    """The stop rule, the learning curve with its forecast, and the labels that other questions take."""
    ahead = label_forecast(prepared.run)
    left, middle, right = st.columns(3)
    threshold = left.number_input("Pass rate the system must reach", 0.01, 0.99, 0.8, 0.01, key="plan-threshold")
    planned = int(
        middle.number_input(
            "Planned looks (0: any number)",
            0,
            100,
            0,
            1,
            key="plan-looks",
            help="How often you look at growing labels before you decide, fixed before the first look. At 0 the "
            "interval holds however often you look; each time this page is redrawn counts as a look.",
        )
    )
    looks = planned or None
    width = right.number_input("Width of the interval wanted", 0.01, 0.9, 0.1, 0.01, key="plan-width")
    decision = decide(prepared.run, threshold, looks=looks)
    at_look = label_forecast(prepared.run, level=look_level(decision.n_labels, looks=looks))
    show_view(decision_view(decision, looks=looks, ahead=at_look), key="decision", draw={})
    _curves(run, criterion, evaluator, ahead, threshold, width)
    show_view(label_plan_view(_plans(run, ahead, width), ahead), key="label-plan", draw={})


def _curves(
    run: RunInfo,
    criterion: Criterion,
    evaluator: Evaluator,
    ahead: Forecast,
    threshold: float,
    width: float,
) -> None:
    points = learning_curve(open_run(run), criterion, metrics=evaluator.metrics, method=evaluator.method)
    if not [point for point in points if math.isfinite(point.estimates.ppi.low)]:
        st.info("The learning curve begins with ten labels.")
        return
    now = ahead.estimates
    last = min(max(4 * now.n_labels, 100), now.n_samples)
    sizes = sorted({int(size) for size in np.linspace(now.n_labels, last, 30)})
    left, right = st.columns(2)
    left.markdown("**Estimate after each label**")
    rates = rate_over_labels(points, threshold=threshold, dark=is_dark())
    still_chart(rates, "Pass rate over labels", key="rate-over-labels", place=left)
    right.markdown("**Width of the interval so far, and forecast**")
    widths = width_over_labels(points, forecast(ahead, sizes), target=width, dark=is_dark())
    still_chart(widths, "Width of the interval over labels, with forecast", key="width-over-labels", place=right)
    st.caption(
        "Labels, oldest first. Bands are 95% intervals of each point alone, not of the whole curve. The metric "
        f"explains {format_percent(ahead.quality, decimals=0)} of the variance of labels (R²). The forecast begins at "
        "the present interval and ends at that of all samples labelled; its band lets the pass rate and R² lie "
        "anywhere in their own intervals."
    )


def _plans(run: RunInfo, ahead: Forecast, width: float) -> Sequence[tuple[PlanQuestion, LabelPlan]]:
    frame = dimensions(run)
    left, right = st.columns(2)
    alpha = left.number_input("α of prediction sets", 0.01, 0.5, 0.1, 0.01, key="plan-alpha")
    by = right.selectbox("with a threshold for each level of", [WHOLE, *input_dimensions(frame)], key="plan-by")
    shares = None
    if by != WHOLE:
        shares = {str(level): float(share) for level, share in frame[by].value_counts(normalize=True).items() if share}
    return plan_labels(ahead, width=width, alpha=alpha, shares=shares, group=by)
