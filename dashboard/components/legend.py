"""Legend of the marks and lines of a chart: text below it, which wraps if there is little room."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from hcat.dashboard.charts.style import Key

ROW = "display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; font-size: 0.8rem"


def legend(keys: Sequence[Key]) -> None:
    """The keys of a chart, side by side."""
    spans = [f'<span><span style="color: {key.color}">{key.mark}</span> {html.escape(key.text)}</span>' for key in keys]
    st.html(f'<div style="{ROW}">{"".join(spans)}</div>')
