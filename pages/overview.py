"""What was tested, how good it is, how sure that is, what is weakest, and what to do next."""

from __future__ import annotations

import streamlit as st

from dashboard.components.sidebar import current
from dashboard.panels.overview import how_good, next_steps, tested, weakest

chosen = current()
st.title(chosen.project.name)
if chosen.project.description:
    st.text(chosen.project.description)
tested(chosen.project, chosen.run)
if chosen.run is not None:
    left, right = st.columns([3, 2])
    with left:
        how_good(chosen.project, chosen.run)
    with right:
        next_steps(chosen.project, chosen.run)
    weakest(chosen.run)
