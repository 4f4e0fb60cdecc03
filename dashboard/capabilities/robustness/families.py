"""Families of variants, worst first: the changes, and whether the answers are as expected."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.robustness.variants.comparison import Robustness
from hcat.core.capabilities.robustness.view import robustness_view
from hcat.core.capabilities.robustness.wording.robustness import dose_sentence, outcome_title
from hcat.core.figures.forest import ForestPlot
from hcat.dashboard.capabilities.robustness.chart import dose_curve, family_changes
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view

CHOSEN = "robustness-family"


def families_panel(robustness: Robustness, outcome: str | None) -> None:
    """The changes by family, and the results of the answers; a click on a family chooses its pairs."""
    view = robustness_view(robustness, () if outcome is None else (robustness.outcome(outcome),))
    if chosen := show_view(view, key=f"families-{outcome}", draw={ForestPlot: family_changes}):
        st.session_state[CHOSEN] = str(chosen[0])


def pick_family(robustness: Robustness) -> str:
    """The family whose pairs are shown: the one clicked on, else the first of the table."""
    names = [answers.family for answers in robustness.answers]
    if st.session_state.get(CHOSEN) not in names:
        st.session_state[CHOSEN] = names[0]
    return str(st.selectbox("Family", names, key=CHOSEN, help="Or click a mark above."))


def dose_panel(robustness: Robustness, outcome: str | None, family: str) -> None:
    """The change at each strength of a family, where it has several."""
    doses = () if outcome is None else robustness.outcome(outcome).doses
    dose = next((each for each in doses if each.family == family), None)
    if dose is None:
        st.caption(
            "Variants of several strengths show dose and response here: choose more than one under Strengths, in "
            "the view Variants of the page Test sets (on files: `hcat perturb --strength 0.2,0.5,0.8`)."
        )
        link_to("test_sets", "Make variants of several strengths", icon=":material/checklist:")
        return
    title = outcome_title(str(outcome))
    figure = dose_curve(dose, title=title, dark=is_dark())
    still_chart(figure, f"Change in {title} by strength of {family}", key=f"dose-{outcome}-{family}")
    st.caption(plain(dose_sentence(dose, title=title)))
