"""The evaluator that the labels made of the metrics: what each weighs, and in words."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.weights import MetricWeight, metric_weights
from hcat.core.wording.calibration import map_description
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table

DIRECTIONS = {"higher": "higher is better", "lower": "lower is better", "none": "free", None: "free"}


def evaluator_panel(fitted: Calibration) -> None:
    """How scores become the probability: the method in words, and the weight of each metric where it has one."""
    with st.expander("The evaluator: weight of each metric", icon=":material/balance:"):
        st.markdown(map_description(fitted.map))
        weights = metric_weights(fitted.map)
        if weights:
            data_table(
                pd.DataFrame([_row(weight) for weight in weights]).dropna(axis="columns", how="all"),
                hide_index=True,
                width="stretch",
                key="metric-weights",
                alt="The weight of each metric",
                column_config={
                    "weight": st.column_config.NumberColumn(
                        format="%+.2f", help="Added to the log-odds where the score is one standard deviation higher."
                    ),
                    "odds of a pass": st.column_config.NumberColumn(
                        format="× %.2f", help="Factor on the odds of a pass for one standard deviation more."
                    ),
                    "standard deviation": st.column_config.NumberColumn(format="%.3f"),
                    "where unscored": st.column_config.NumberColumn(format="%+.2f", help="Added in place of a score."),
                },
            )
            st.caption(
                "Weights depend on the other metrics: two that measure the same share the weight. They have no "
                "intervals here; the comparison below shows what a metric adds."
            )


def _row(weight: MetricWeight) -> dict[str, str | float | None]:
    return {
        "metric": metric_title(weight.metric),
        "weight": weight.log_odds,
        "odds of a pass": weight.odds_ratio,
        "direction": "set to 0: the fitted sign contradicted its direction"
        if weight.held
        else DIRECTIONS[weight.direction],
        "standard deviation": weight.scale,
        "where unscored": weight.unscored,
    }
