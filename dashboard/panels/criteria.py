"""The project's criteria: their levels and their guideline, which is versioned."""

from __future__ import annotations

import streamlit as st

from core.errors import HcatError
from core.storage.records import ProjectInfo
from core.types import Criterion
from dashboard.components.markdown import plain
from dashboard.loaders import workspace


def criteria_panel(project: ProjectInfo) -> None:
    """Each criterion with its guideline, and the form that adds one."""
    with st.expander("Criteria: what people judge", icon=":material/rule:"):
        for criterion in workspace().criteria(project):
            levels = plain(" < ".join(criterion.levels))
            passing = plain(criterion.levels[criterion.passing])
            st.markdown(f"**{plain(criterion.name)}**: {levels}; passes from “{passing}” on")
            _guideline_form(project, criterion)
        st.divider()
        _criterion_form(project)


def _guideline_form(project: ProjectInfo, criterion: Criterion) -> None:
    with st.form(f"guideline-{criterion.name}", border=False):
        text = st.text_area(
            f"Guideline, version {criterion.guideline_version}",
            criterion.guideline,
            height=120,
            help="Markdown. A change makes a new version; labels keep the version that was read.",
        )
        if st.form_submit_button("Save guideline"):
            try:
                workspace().edit_guideline(project, criterion, text)
            except HcatError as error:
                st.error(plain(error))
                return
            st.rerun()


def _criterion_form(project: ProjectInfo) -> None:
    with st.form("new-criterion", border=False):
        left, right = st.columns(2)
        name = left.text_input("New criterion", placeholder="groundedness")
        levels = right.text_input("Levels from worst to best, separated by commas", "fail, pass")
        passing = st.text_input("Lowest level that passes", "pass")
        if st.form_submit_button("Add criterion"):
            names = tuple(level.strip() for level in levels.split(",") if level.strip())
            try:
                position = names.index(passing.strip()) if passing.strip() in names else -1
                workspace().add_criterion(project, Criterion(name, names, passing=position))
            except HcatError as error:
                st.error(plain(error))
                return
            st.rerun()
