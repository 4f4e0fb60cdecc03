"""Charts of a page that nobody clicks on."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hcat.dashboard.charts.alternative import described


def still_chart(figure: go.Figure, title: str, *, key: str, place: DeltaGenerator | None = None) -> None:
    """Show the chart, with its title and values for those who hear a page."""
    (place or st).plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=described(figure, title))
