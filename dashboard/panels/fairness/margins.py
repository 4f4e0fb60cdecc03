"""The margins: set before the numbers are looked at, and stored with who set them and when."""

from __future__ import annotations

import streamlit as st

from core.errors import HcatError
from core.records.fairness import FairnessSettings, SettledFairness
from core.records.project import ProjectInfo, RunInfo
from core.wording.testgen.fairness import settled_sentence
from dashboard.components.markdown import plain, sentence
from dashboard.components.person import name_field
from dashboard.loaders.workspace import workspace

LENGTH = "answer_length"


def margins_panel(project: ProjectInfo, run: RunInfo) -> FairnessSettings | None:
    """The settings that hold; None where none were made and nobody wants to look without."""
    settled = workspace().fairness.settled(project)
    newest = settled[0] if settled else None
    if newest is not None:
        st.markdown(plain(settled_sentence(newest, run_at=run.created_at, changes=len(settled))))
    else:
        st.info(
            "Say first how far two groups may lie apart. A margin that is set after the numbers are known proves "
            "little, so it is stored with your name and the time."
        )
    with st.expander("Set the margins", expanded=newest is None, icon=":material/straighten:"):
        _form(project, newest)
    if newest is not None:
        return newest.settings
    look = st.toggle("Look without a margin", key="fairness-without", help="Nothing can be shown to be equal then.")
    return FairnessSettings() if look else None


def _form(project: ProjectInfo, newest: SettledFairness | None) -> None:
    current = FairnessSettings(margin=0.05) if newest is None else newest.settings
    with st.form("fairness-margins"):
        left, right = st.columns(2)
        margin = left.number_input(
            "Rates and scores from 0 to 1",
            0.001,
            1.0,
            current.margin or 0.05,
            0.01,
            format="%.3f",
            help="Two groups count as treated alike where their pass rates, or refusals, are shown to differ by less.",
        )
        length = right.number_input(
            "Length of answers, in tokens", 0.5, 1000.0, current.margins.get(LENGTH, 5.0), 1.0, format="%.1f"
        )
        author = name_field("Set by", key="fairness-author")
        submitted = st.form_submit_button("Set", type="primary", icon=":material/lock:")
    if not submitted:
        return
    margins = {**current.margins, LENGTH: float(length)}
    try:
        chosen = FairnessSettings(float(margin), margins, current.references, current.outcomes, current.alpha)
        workspace().fairness.settle(project, chosen, author=author)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()
