"""The gaps between groups on one outcome: forest plot with the margin, table, and the data behind them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.view import fairness_view
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.figures.forest import ForestPlot
from hcat.dashboard.capabilities.fairness.chart import group_gaps
from hcat.dashboard.components.view import show_view

CHOSEN = "fairness-gap"


def pick_gaps(fairness: Fairness) -> OutcomeGaps:
    """The outcome to look at."""
    titles = {outcome_title(name): name for name in fairness.names}
    chosen = st.selectbox(
        "Compare by",
        list(titles),
        key="fairness-outcome",
        bind="query-params",
        help="Labels first, then the calibration, refusals, length, tone, and the metric the run is judged by.",
    )
    return fairness.outcome(titles[str(chosen)])


def gaps_panel(fairness: Fairness, gaps: OutcomeGaps) -> None:
    """The gaps by group; a click on one chooses its pairs."""
    view, draw = fairness_view(fairness, (gaps,)), partial(group_gaps, margin=gaps.margin)
    if chosen := show_view(view, key=f"gaps-{gaps.outcome}", draw={ForestPlot: draw}):
        st.session_state[CHOSEN] = str(chosen[0])
