"""The workspace of this server process."""

from __future__ import annotations

import threading

import streamlit as st

from core.workspace import Workspace
from dashboard.preload import AFTER_FIRST_PAGE, preload_models


@st.cache_resource(show_spinner="Opening the workspace …")
def workspace() -> Workspace:
    """The workspace of this server process."""
    return Workspace.open(actor="dashboard")


@st.cache_resource(show_spinner=False)
def load_models_behind() -> None:
    """Once a page is drawn, loads the encoder, which takes seconds, while it is read."""
    encoder = threading.Timer(AFTER_FIRST_PAGE, preload_models, (workspace().settings,))
    encoder.daemon = True
    encoder.start()
