"""The project's criteria: their levels, their guideline, which is versioned, examples and gold items."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.labelling.guideline import guideline_form, guideline_markdown
from hcat.dashboard.capabilities.runs.preregistration import preregistration_panel
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.runs import samples
from hcat.dashboard.loaders.workspace import workspace

ADDED = "criteria-added"
"""In the session: how many criteria were added."""


def criteria_panel(project: ProjectInfo, run: RunInfo | None = None) -> None:
    """One criterion at a time with all that belongs to it, and the form that adds one. Gold items are of the run."""
    with st.expander("Criteria: what people judge", icon=":material/rule:"):
        criteria = {criterion.name: criterion for criterion in workspace().criteria.all(project)}
        if criteria:
            if (added := st.session_state.pop("next-edited-criterion", None)) in criteria:
                st.session_state["edited-criterion"] = added
            name = st.selectbox("Criterion", list(criteria), key="edited-criterion")
            criterion = criteria[name]
            levels = plain(" < ".join(criterion.levels))
            passing = plain(criterion.levels[criterion.passing])
            st.markdown(f"**{plain(criterion.name)}**: Levels: {levels}; lowest passing level: {passing}")
            guideline, examples, gold, plan = st.tabs(["Guideline", "Examples", "Gold items", "Plan"])
            with guideline:
                _guideline(project, criterion)
            with examples:
                _examples(project, criterion)
            with gold:
                _gold(run, criterion)
            with plan:
                preregistration_panel(project, criterion, run)
            st.divider()
        _criterion_form(project)


def _guideline(project: ProjectInfo, criterion: Criterion) -> None:
    guideline_form(project, criterion)
    versions = workspace().criteria.guidelines(project, criterion.name)[:-1]
    if versions:
        earlier = {version.version: version for version in reversed(versions)}
        chosen = st.selectbox(
            "Earlier versions",
            list(earlier),
            index=None,
            format_func=lambda number: f"version {number}, of {earlier[number].created_at:%Y-%m-%d %H:%M}",
            key=f"versions-{criterion.name}",
        )
        if chosen is not None:
            st.markdown(guideline_markdown(earlier[chosen].text))


def _examples(project: ProjectInfo, criterion: Criterion) -> None:
    """Show the examples that annotators see next to the guideline, with a form that adds one."""
    for example in workspace().criteria.examples(project, criterion.name):
        with st.container(horizontal=True, vertical_alignment="center"):
            comment = f" {plain(example.comment)}" if example.comment else ""
            st.markdown(f"**{plain(criterion.levels[example.level])}:** “{plain(example.text)}”{comment}")
            st.button(
                "Remove",
                key=f"remove-example-{example.id}",
                on_click=workspace().criteria.remove_example,
                args=(example,),
            )
    with st.form(f"example-{criterion.name}", border=False, clear_on_submit=True):
        text = st.text_area("A further example: what an annotator would see", height=80)
        level = st.selectbox("It shows the level", list(criterion.levels))
        comment = st.text_input("Why")
        if st.form_submit_button("Add example"):
            try:
                workspace().criteria.add_example(
                    project, criterion, text, criterion.levels.index(level), comment=comment
                )
            except HcatError as error:
                st.error(sentence(error))
                return
            st.rerun()


def _gold(run: RunInfo | None, criterion: Criterion) -> None:
    """Samples whose right level is known. Queues can mix them in unannounced."""
    if run is None:
        st.info("Import a run first: gold items are samples of a run.")
        return
    gold_items = workspace().gold.items(run, criterion)
    st.caption(
        "Samples whose right level is known. A queue with a share of gold items mixes them in unannounced; "
        "annotators' labels on them are evaluated separately. They can't be changed once added."
    )
    if gold_items:
        rows = [(item.sample_id, criterion.levels[item.level], item.rationale, item.author) for item in gold_items]
        frame = pd.DataFrame(rows, columns=["Sample", "Right level", "Why", "By"])
        data_table(frame, hide_index=True, key="gold-table", alt="Samples whose right level is known")
    by_id = samples(run)
    free = [sample_id for sample_id in by_id if sample_id not in {item.sample_id for item in gold_items}]
    with st.form(f"gold-{criterion.name}", border=False, clear_on_submit=True):
        sample_id = st.selectbox(
            "Sample", free, index=None, format_func=lambda chosen: f"{chosen} · {by_id[chosen].query[:100]}"
        )
        level = st.selectbox("Right level", list(criterion.levels))
        rationale = st.text_input("Why it is right")
        author = name_field("Your name", key="gold-author")
        if st.form_submit_button("Add gold item"):
            try:
                if sample_id is None:
                    raise HcatError("Choose a sample first")
                right = {sample_id: criterion.levels.index(level)}
                workspace().gold.add(run, criterion, right, author=author, rationale=rationale)
            except HcatError as error:
                st.error(sentence(error))
                return
            st.rerun()


def _criterion_form(project: ProjectInfo) -> None:
    added = st.session_state.get(ADDED, 0)
    with st.form(f"new-criterion-{added}", border=False):  # another form each time, so that it is empty
        left, right = st.columns(2)
        name = left.text_input("New criterion", placeholder="groundedness")
        levels = right.text_input(
            "Levels from worst to best, separated by commas",
            "fail, pass",
            help="Two make it binary; more make it ordinal, such as: wrong, partly right, right.",
        )
        passing = st.text_input("Lowest level that passes", "pass")
        guideline = st.text_area("Guideline: when to give which level", height=80)
        if st.form_submit_button("Add criterion"):
            names = tuple(level.strip() for level in levels.split(",") if level.strip())
            try:
                position = names.index(passing.strip()) if passing.strip() in names else -1
                criterion = workspace().criteria.add(project, Criterion(name, names, guideline, passing=position))
            except HcatError as error:
                st.error(sentence(error))
                return
            st.session_state[ADDED] = added + 1
            for key in ("next-criterion", "next-edited-criterion"):  # it is chosen next, here and on other pages
                st.session_state[key] = criterion.name
            st.toast(f"Added: criterion {plain(criterion.name)}.", icon=":material/check:")
            st.rerun()
