"""Families of variants, worst first: what changes, and whether the answers are as expected."""

from __future__ import annotations

from math import isfinite

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_estimate, format_with_interval
from hcat.core.figures.forest import family_forest
from hcat.core.testgen.variants.comparison import Robustness
from hcat.core.wording.testgen.robustness import MEANINGS, dose_sentence, passes_sentence, robustness_notes
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.robustness import dose_curve, family_changes
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.selection import selected_customdata

CHOSEN = "robustness-family"


def families_panel(robustness: Robustness, outcome: str | None) -> None:
    """The forest of families, and the table of what their answers show."""
    changes = None if outcome is None else robustness.outcome(outcome)
    if changes is not None:
        forest = family_forest(changes.families, title=metric_title(changes.outcome))
        if forest.rows:
            figure = family_changes(forest, dark=is_dark())
            event = st.plotly_chart(
                figure,
                key=f"families-{outcome}",
                on_select="rerun",
                selection_mode="points",
                config={"displayModeBar": False},
                alt=described(figure, f"{forest.metric} by family, worst first"),
            )
            if picked := selected_customdata(event):
                st.session_state[CHOSEN] = picked[0][0]
        else:
            st.info("No family has both a variant and an origin with this score. Choose another one above.")
        for family, passes in changes.passes.items():
            st.caption(plain(passes_sentence(family, passes)))
    _answers(robustness)
    for note in robustness_notes(robustness, changes):
        st.caption(plain(note))


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
    title = metric_title(str(outcome))
    figure = dose_curve(dose, title=title, dark=is_dark())
    st.plotly_chart(
        figure,
        key=f"dose-{outcome}-{family}",
        config={"displayModeBar": False},
        alt=described(figure, f"Change in {title} by strength of {family}"),
    )
    st.caption(plain(dose_sentence(dose, title=title)))


def _answers(robustness: Robustness) -> None:
    rows = [
        {
            "Family": answers.family,
            "The right answer": MEANINGS[answers.expectation],
            "As expected": format_estimate(answers.met, percent=True) if isfinite(answers.met.value) else "not told",
            "Cosine with the origin's": format_with_interval(answers.similarity),
            "Newly declined": answers.newly_declined,
            "Pairs": answers.n,
            "Origins": answers.cases,
        }
        for answers in robustness.answers
    ]
    st.markdown("**Are the answers as expected?**")
    data_table(pd.DataFrame(rows), hide_index=True, alt="Share of answers that are as expected, by family")
