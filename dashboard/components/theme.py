"""Which theme the user sees, also where it changes while a page is open."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hcat.dashboard.loaders.component import component

SCRIPT = Path(__file__).with_suffix(".js")


def is_dark() -> bool:
    """Whether the dark theme is on."""
    return st.context.theme.type == "dark"


def follow_theme() -> None:
    """Redraw the page when the browser changes between light and dark: charts and legends have colours of one."""
    component("hcat_theme", js=(SCRIPT,))(data={"dark": is_dark()}, key="theme", on_seen_change=_draw_anew)


def _draw_anew() -> None:
    """The page as a whole, which the browser has asked for by this."""
