"""Self-preference on single answers: runs of the judge's own family compared with runs of others."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.judges.view import self_preference_view
from hcat.core.capabilities.judges.wording.biases import ABOUT_SELF_PREFERENCE
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.judges.loader import self_preference
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace


def self_preference_panel(project: ProjectInfo) -> None:
    """Choose a judge and say which runs its own family wrote; then each criterion in words."""
    st.subheader("Self-preference")
    st.markdown(ABOUT_SELF_PREFERENCE)
    judged = _judged(project)
    judges = [name for name, runs in judged.items() if len(runs) > 1]
    if not judges:
        st.info(
            "One judge has to judge two runs whole, one of its own family’s model and one of another, over the same "
            "questions: view “Ask”, “Judge the run”, for each run."
        )
        return
    places = st.columns(3)
    judge = places[0].selectbox("Judge", judges, format_func=plain, key="self-judge")
    own = places[1].multiselect("Written by its own family", judged[judge], format_func=plain, key="self-own")
    left = [name for name in judged[judge] if name not in own]
    others = places[2].multiselect("Written by others", left, format_func=plain, key="self-others")
    people = pick_criterion(project)
    if not own or not others:
        st.info("Choose the runs that a model of the judge’s own family wrote, and runs to compare them with.")
        return
    runs = {name: name in own for name in judged[judge] if name in own or name in others}
    try:
        found = self_preference(project, runs, judge, people)
    except HcatError as error:
        st.error(sentence(error))
        return
    show_view(self_preference_view(found), key="self-preference", draw={})


def _judged(project: ProjectInfo) -> dict[str, list[str]]:
    """The runs that each judge has judged whole."""
    judged: dict[str, list[str]] = {}
    for run in workspace().runs.all(project):
        for name in dict.fromkeys(each.judge for each in workspace().judges.all(run) if each.work == "run"):
            judged.setdefault(name, []).append(run.name)
    return judged
