"""The evaluator fitted to the labels: the weight of each metric, and a description in words."""

from __future__ import annotations

import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.views.evaluators import weights_view
from hcat.dashboard.components.view import show_view


def evaluator_panel(fitted: Calibration) -> None:
    """Show the evaluator: the method in words, and the weight of each metric if the method has weights."""
    with st.expander("The evaluator: weight of each metric", icon=":material/balance:"):
        show_view(weights_view(fitted.map), key="weights", draw={})
