"""Attacks on the system made from its own corpus, each paired with a benign control."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.attacks.service import AttackRequest
from hcat.dashboard.capabilities.attacks.choice import no_attacks, pick_criterion
from hcat.dashboard.capabilities.attacks.families import families_panel
from hcat.dashboard.capabilities.attacks.hits import hits_panel
from hcat.dashboard.capabilities.attacks.loader import has_attacks
from hcat.dashboard.capabilities.attacks.making import making_panel, poisoned_panel
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.sidebar import current

st.title("Attacks")
st.caption(
    "Attacks are made from the corpus, each beside a control that holds everything but the attack. Success is what "
    "happens under attack less what happens anyway."
)
chosen = current()
project, run = chosen.project, chosen.run
if run is None or not has_attacks(run):
    no_attacks(project, run)
else:
    criterion = pick_criterion(project)
    results = families_panel(run, criterion)
    hits_panel(run, results)
making_panel(project, busy=is_under_way(job_panel(project, kinds=(AttackRequest.job_kind,))))
poisoned_panel(project)
