"""Show an error that a page did not expect as one line, in place of Streamlit's box."""

from __future__ import annotations

import sys

import streamlit as st

from hcat.core.faults.error_log import line_for
from hcat.dashboard.components.markdown import sentence


def show_failure(error: Exception) -> bool:
    """Write the line on the page and on the server's terminal. True: there is no more to show.

    The menu, the sidebar and everything above stay usable, and the next action runs the page again.
    """
    line = line_for(error, during="a page")
    sys.stderr.write(f"hcat: {line}\n")
    st.error(sentence(line))
    return True
