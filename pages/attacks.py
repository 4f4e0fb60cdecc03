"""Does the system withstand attacks made from its own corpus? Each attack stands beside a benign control."""

from __future__ import annotations

import streamlit as st

from hcat.core.workspace.testgen.attacks import AttackRequest
from hcat.dashboard.components.sidebar import current
from hcat.dashboard.loaders.attacks import has_attacks
from hcat.dashboard.panels.attacks.choice import no_attacks, pick_criterion
from hcat.dashboard.panels.attacks.families import families_panel
from hcat.dashboard.panels.attacks.hits import hits_panel
from hcat.dashboard.panels.attacks.making import making_panel, poisoned_panel
from hcat.dashboard.panels.runs.jobs import is_under_way, job_panel

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
