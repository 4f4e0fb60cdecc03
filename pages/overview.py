"""Overview: the extent of the tests, the next steps, the quality and its uncertainty, and the weakest parts."""

from __future__ import annotations

import streamlit as st

from hcat.dashboard.capabilities.overview.newest_report import newest_report
from hcat.dashboard.capabilities.overview.overview import how_good, next_steps, tested
from hcat.dashboard.capabilities.overview.weakest import weakest
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.sidebar import current

chosen = current()
st.title(plain(chosen.project.name))
if chosen.project.description:
    st.text(chosen.project.description)
tested(chosen.project, chosen.run)
if chosen.run is None:
    st.info("This project has no run yet. Import a system's answers first.")
    link_to("runs", "Import a run")
else:
    newest_report(chosen.project)
    next_steps(chosen.project, chosen.run)
    how_good(chosen.project, chosen.run)
    weakest(chosen.run)
