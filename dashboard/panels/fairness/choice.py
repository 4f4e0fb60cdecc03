"""What is compared: the groups of counterfactual variants, or those that a dimension holds."""

from __future__ import annotations

import streamlit as st

from core.records.project import ProjectInfo, RunInfo
from dashboard.components.links import link_to
from dashboard.components.markdown import plain
from dashboard.loaders.fairness import has_groups
from dashboard.loaders.runs import columns
from dashboard.loaders.workspace import workspace

COMMANDS = """hcat perturb tests.jsonl --family gender,names,disability --with-origins -o variants.jsonl
hcat collect variants.jsonl --target target.yaml -o run.jsonl --trials 2
hcat bias run.jsonl scores.parquet --margin 0.05"""
FEWEST, MOST = 2, 12
"""A dimension of groups has so many levels."""


def pick_basis(project: ProjectInfo, run: RunInfo) -> tuple[bool, str | None]:
    """Whether there is something to compare, and the dimension to compare by: None for counterfactual variants."""
    if has_groups(run):
        return True, None
    st.info(
        "No question of this run was asked for people of different groups. Make counterfactual variants of a test "
        "set (gender, names, age …), freeze it, and ask the system its cases."
    )
    link_to("test_sets", "Make variants of a test set", icon=":material/checklist:")
    link_to("collect", "Ask the system", icon=":material/forum:")
    st.caption("The same on files:")
    st.code(COMMANDS, language="bash", wrap_lines=True)
    others = [each.name for each in workspace().runs.all(project) if has_groups(each)]
    if others:
        names = ", ".join(f"“{plain(name)}”" for name in others)
        st.markdown(f"Runs of this project with such questions: {names}. Choose one in the sidebar.")
    dimension = _pick_dimension(run)
    return dimension is not None, dimension


def _pick_dimension(run: RunInfo) -> str | None:
    frame = columns(run).dimensions
    names = [str(name) for name in frame.columns if FEWEST <= frame[name].nunique() <= MOST]
    if not names:
        return None
    chosen = st.selectbox(
        "Or compare groups that a dimension holds",
        names,
        index=None,
        placeholder="Choose a dimension that says whom a question concerns",
        key="fairness-by",
        help="Groups that were asked different questions are compared within topic and query type alone.",
    )
    return None if chosen is None else str(chosen)
