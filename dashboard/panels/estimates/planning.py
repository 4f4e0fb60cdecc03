"""How many labels a question takes, what they bought so far, and when to stop."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.analysis.estimate import learning_curve
from hcat.core.display.numbers import format_count, format_percent
from hcat.core.estimates.forecast import Forecast, label_forecast
from hcat.core.estimates.learning import forecast
from hcat.core.estimates.plans import plan_labels
from hcat.core.estimates.run_estimates import PreparedRun
from hcat.core.estimates.stopping import LEAST_LABELS, decide, labels_to_decide, look_level
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.core.weakness.slices import input_dimensions
from hcat.core.wording.planning import decision_sentence, looks_sentence, plan_note, question_title
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.planning import rate_over_labels, width_over_labels
from hcat.dashboard.components.tables import downloadable
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import dimensions, open_run
from hcat.dashboard.panels.estimates.pass_rate import Evaluator

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
    _stop_rule(prepared, threshold, looks)
    _curves(run, criterion, evaluator, ahead, threshold, width)
    st.markdown("**How many labels a question takes**")
    plans = downloadable(_plans(run, ahead, width), "Labels needed for each question")
    st.table(plans, hide_index=True, border="horizontal", alt="Labels needed for each question")
    st.caption(
        "The pass rate refers to the questions that the run's samples represent, so labels on all samples still "
        "leave an interval. Plans use the rate and the metric's quality as these labels estimate them; both will "
        "change. New labels are assumed to be as informative as those so far, given how they were drawn and "
        "clusters. A difference is found with power 80% at 5%, on labels of both runs on the same test cases; "
        "“more than now” is of this run."
    )


def _stop_rule(prepared: PreparedRun, threshold: float, looks: int | None) -> None:
    decision = decide(prepared.run, threshold, looks=looks)
    kind = {"reached": st.success, "missed": st.warning, "out of reach": st.warning}.get(decision.verdict, st.info)
    more = ""
    ahead = label_forecast(prepared.run, level=look_level(decision.n_labels, looks=looks))
    if decision.verdict == "go on" and ahead.known and ahead.estimates.n_labels >= LEAST_LABELS:
        needed = labels_to_decide(ahead, threshold)
        more = (
            " If the rate stays as it is, not even all samples would decide."
            if needed is None
            else f" If the rate stays as it is, about {max(needed - ahead.estimates.n_labels, 1)} more labels decide."
        )
    kind(f"Is the pass rate at least {threshold:.0%}? {decision_sentence(decision)}{more}")
    with st.expander("The rule, spelled out"):
        st.markdown(
            f"From {LEAST_LABELS} labels on, stop when the whole PPI++ interval lies at or above the threshold "
            "(*reached*) or below it (*missed*), since more labels would hardly change that; or when the interval "
            "that labels on **all** samples would give contains the threshold wherever the final rate may lie (*out "
            "of reach*), since then no number of labels decides. Otherwise go on. "
            + looks_sentence(looks, decision.n_labels)
        )


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
    left.plotly_chart(
        rates,
        config={"displayModeBar": False},
        key="rate-over-labels",
        alt=described(rates, "Pass rate over labels"),
    )
    right.markdown("**Width of the interval so far, and forecast**")
    widths = width_over_labels(points, forecast(ahead, sizes), target=width, dark=is_dark())
    right.plotly_chart(
        widths,
        config={"displayModeBar": False},
        key="width-over-labels",
        alt=described(widths, "Width of the interval over labels, with forecast"),
    )
    st.caption(
        "Labels, oldest first. Bands are 95% intervals of each point alone, not of the whole curve. The metric "
        f"explains {format_percent(ahead.quality, decimals=0)} of the variance of labels (R²). The forecast begins at "
        "the present interval and ends at that of all samples labelled; its band lets the pass rate and R² lie "
        "anywhere in their own intervals."
    )


def _plans(run: RunInfo, ahead: Forecast, width: float) -> pd.DataFrame:
    frame = dimensions(run)
    left, right = st.columns(2)
    alpha = left.number_input("α of prediction sets", 0.01, 0.5, 0.1, 0.01, key="plan-alpha")
    by = right.selectbox("with a threshold for each level of", [WHOLE, *input_dimensions(frame)], key="plan-by")
    shares = None
    if by != WHOLE:
        shares = {str(level): float(share) for level, share in frame[by].value_counts(normalize=True).items() if share}
    plans = plan_labels(ahead, width=width, alpha=alpha, shares=shares, group=by)
    return pd.DataFrame(
        {
            "To get": [question_title(question) for question, _ in plans],
            "Labels in all": [format_count(plan.needed) if plan.reachable else "not in this run" for _, plan in plans],
            "More than now": [format_count(plan.more) if plan.reachable else "–" for _, plan in plans],
            "Note": [plan_note(plan) for _, plan in plans],
        }
    )
