"""Which theme the user sees."""

from __future__ import annotations

import streamlit as st


def is_dark() -> bool:
    """Whether the dark theme is on."""
    return st.context.theme.type == "dark"
