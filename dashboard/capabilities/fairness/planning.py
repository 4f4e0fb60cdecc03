"""Before the next run: which gap would so many questions find?"""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.fairness.planning import plan_gaps
from hcat.core.capabilities.fairness.wording import plan_sentences
from hcat.dashboard.components.markdown import plain


def planning_panel() -> None:
    """The smallest gap that a design finds, and the smallest margin that it can show."""
    with st.expander("Before a run: which gap would so many questions find?", icon=":material/calculate:"):
        first, second, third, fourth, fifth = st.columns(5)
        questions = int(first.number_input("Questions", 2, 100_000, 100, key="gap-questions"))
        trials = int(second.number_input("Trials", 1, 100, 2, key="gap-trials"))
        rate = float(third.number_input("Pass rate", 0.01, 0.99, 0.8, 0.05, key="gap-rate"))
        alike = float(
            fourth.number_input(
                "Correlation", 0.0, 0.99, 0.3, 0.05, key="gap-alike", help="Of two answers to one question."
            )
        )
        comparisons = int(
            fifth.number_input("Comparisons", 1, 1000, 1, key="gap-comparisons", help="Groups × outcomes.")
        )
        plan = plan_gaps(questions, trials=trials, rate=rate, alike=alike, comparisons=comparisons)
        for line in plan_sentences(plan):
            st.markdown(plain(line))
