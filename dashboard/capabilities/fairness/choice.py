"""Choice of the groups to compare: those of counterfactual variants, or of dimensions, and the variables to match
on."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.fairness.counterfactual.comparison import Comparable
from hcat.core.capabilities.fairness.wording import INTRODUCTION, OWN_GROUPS
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.capabilities.fairness.loader import Basis, comparable, has_groups
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.workspace import workspace

COMMANDS = """hcat perturb tests.jsonl --family gender,names,disability --with-origins -o variants.jsonl
hcat collect variants.jsonl --target target.yaml -o run.jsonl --trials 2
hcat bias run.jsonl scores.parquet --margin 0.05"""
SAME_QUESTIONS, OWN = "Groups asked the same questions", "Groups of my own"


def pick_basis(project: ProjectInfo, run: RunInfo) -> Basis | None:
    """The chosen comparison; None if nothing was chosen yet, or there is nothing to choose."""
    has_variants, possible = has_groups(run), comparable(run, ())
    if not has_variants and possible.own:
        settled = workspace().fairness.settled(project)
        own_is_settled = bool(settled and possible.limit(settled[0].settings).by)
        with st.expander("Groups asked the same questions: none in this run", expanded=not own_is_settled):
            _how_to_get_variants(project)
    elif not has_variants:
        _how_to_get_variants(project)
    elif not possible.own:
        st.caption(INTRODUCTION)
        return Basis()
    else:
        chosen = st.segmented_control(
            "Compare", (SAME_QUESTIONS, OWN), default=SAME_QUESTIONS, required=True, key="fairness-basis"
        )
        if chosen == SAME_QUESTIONS:
            st.caption(INTRODUCTION)
            return Basis()
    return _own_groups(project, run, possible) if possible.own else None


def _how_to_get_variants(project: ProjectInfo) -> None:
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


def _own_groups(project: ProjectInfo, run: RunInfo, possible: Comparable) -> Basis | None:
    """Dimensions that define groups, and the variables to match on: as settled, unless somebody chooses otherwise."""
    st.subheader("Groups of my own")
    st.caption(OWN_GROUPS)
    settled = workspace().fairness.settled(project)
    before = possible.limit(settled[0].settings) if settled else None
    left, right = st.columns(2)
    by = left.multiselect(
        "Groups by",
        possible.own,
        [] if before is None else before.by,
        placeholder="Choose a dimension, such as a customer segment",
        key=f"fairness-by-{run.id}",
        help="Dimensions with 2 to 12 levels. Each level is a group, compared with the reference group.",
    )
    usual = possible.usual if before is None or before.match is None else before.match
    match = right.multiselect(
        "Match on",
        [name for name in possible.questions if name not in by],
        [name for name in usual if name not in by],
        placeholder="Nothing: a plain difference",
        key=f"fairness-match-{run.id}",
        help=with_glossary(
            "Only samples with the same levels are compared; those without a counterpart are left out, and counted. "
            "Choose what may differ between the groups' questions and matters for the answers.",
            "matching",
        ),
    )
    if not by:
        st.caption("Choose above by which dimension your groups differ.")
        return None
    return Basis(tuple(map(str, by)), tuple(map(str, match)))
