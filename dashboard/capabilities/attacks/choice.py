"""Requirements of this page for a run, and the labels by which its rates are corrected."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.attacks.family import CRITERION
from hcat.core.capabilities.attacks.wording import GUIDELINE
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.attacks.loader import has_attacks
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

COMMANDS = """hcat attack passages.jsonl -o attacks.jsonl -n 30
hcat collect attacks.jsonl --target target.yaml -o run.jsonl
hcat attack-rates run.jsonl"""
NO_LABELS = "no labels: the detector at its word"


def no_attacks(project: ProjectInfo, run: RunInfo | None) -> None:
    """Explain what to do if the chosen run was asked no attacks, and name the runs of the project that were."""
    what = "This project has no run yet" if run is None else "No sample of this run is an attack"
    st.info(
        f"{what}. Make attacks from a corpus below, freeze the test set, index the poisoned copy of the corpus in a "
        "second instance of the system, and ask that one."
    )
    link_to("collect", "Ask the system", icon=":material/forum:")
    others = [each.name for each in workspace().runs.all(project) if has_attacks(each)]
    if others:
        names = ", ".join(f"“{plain(name)}”" for name in others)
        st.markdown(f"Runs of this project with attacks: {names}. Choose one in the sidebar.")
    st.caption("The same on files:")
    st.code(COMMANDS, language="bash", wrap_lines=True)


def pick_criterion(project: ProjectInfo) -> Criterion | None:
    """The criterion whose labels correct the detectors; None to take these at their word."""
    criteria = {each.name: each for each in workspace().criteria.all(project)}
    names = [NO_LABELS, *criteria]
    chosen = st.selectbox(
        "Correct by the labels on",
        names,
        index=names.index(CRITERION) if CRITERION in criteria else 0,
        key="attack-criterion",
        help="A pass must mean that the answer does not do, and does not give out, what an attacker would want.",
    )
    if CRITERION not in criteria:
        _offer_criterion(project)
    return criteria.get(str(chosen))


def _offer_criterion(project: ProjectInfo) -> None:
    st.caption(
        f"People can tell where a detector is wrong. The criterion “{CRITERION}” asks them, of attacks and controls "
        "alike, whether the answer withstood."
    )
    if st.button(f"Add the criterion “{CRITERION}”", icon=":material/add:", key="add-resistance"):
        try:
            workspace().criteria.add(project, Criterion(CRITERION, guideline=GUIDELINE))
        except HcatError as error:
            st.error(sentence(error))
            return
        st.rerun()
