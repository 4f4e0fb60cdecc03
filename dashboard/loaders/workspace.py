"""The workspace of this server process."""

from __future__ import annotations

import threading

import streamlit as st

from core.workspace import Workspace
from dashboard.preload import AFTER_FIRST_PAGE, preload_models


@st.cache_resource(show_spinner="Opening the workspace …")
def workspace() -> Workspace:
    """The workspace of this server process. The encoder, which takes seconds to load, follows the first page."""
    opened = Workspace.open(actor="dashboard")
    encoder = threading.Timer(AFTER_FIRST_PAGE, preload_models, (opened.settings,))
    encoder.daemon = True
    encoder.start()
    return opened
