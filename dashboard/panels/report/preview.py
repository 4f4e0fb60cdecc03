"""The report as it will be downloaded, on the page: in a frame that runs nothing and reaches nothing."""

from __future__ import annotations

from html import escape

import streamlit as st

HEIGHT = 780
FRAME = '<iframe sandbox="" title="Preview of the report" style="{style}" srcdoc="{document}"></iframe>'
STYLE = f"width: 100%; height: {HEIGHT - 10}px; border: 0"


def report_preview(document: bytes) -> None:
    """The HTML of a report. Its texts are of users: the inner frame has no right to run scripts or to send anything."""
    framed = FRAME.format(style=STYLE, document=escape(document.decode("utf-8"), quote=True))
    st.iframe(framed, height=HEIGHT, alt="Preview of the report")
