"""The rubric that judges of the project judge by: each criterion to be edited, and all its versions."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion, rubric_json
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.judges.rubric_choice import further_rubric
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

ADD = "A criterion of your own"


def rubric_panel(project: ProjectInfo, rubric: Rubric, version: int) -> None:
    """The editor of one criterion, the file of the whole rubric, and the versions that were saved."""
    saved = "as it comes with hcat" if version == 0 else f"version {version}"
    st.markdown(f"**Rubric “{plain(rubric.name)}”, {saved}.** Every judge reads it as its instruction.")
    names = [*(criterion.name for criterion in rubric.criteria), ADD]
    titles = {criterion.name: criterion.title for criterion in rubric.criteria}
    chosen = st.selectbox("Criterion", names, format_func=lambda name: titles.get(name, name), key="rubric-criterion")
    if chosen == ADD:
        _editor(project, rubric, version, _EMPTY, is_new=True)
    else:
        _editor(project, rubric, version, rubric.criterion(chosen), is_new=False)
    st.download_button(
        "Download the rubric", rubric_json(rubric), file_name="rubric.json", mime="application/json",
        icon=":material/download:", help="`hcat judge RUN --rubric rubric.json` judges by it.",
    )  # fmt: skip
    further_rubric(project)
    _versions(project)


def editor_key(project: ProjectInfo, rubric: Rubric, version: int, criterion: RubricCriterion) -> str:
    """Key by which the fields of a criterion's editor are named."""
    named = "" if rubric.name == FUNNEL.name else f"{rubric.name}-"
    return f"{project.id}-{named}{version}-{criterion.name}"


_EMPTY = RubricCriterion("own_criterion", "Own criterion", "", ("", "", "", "", ""))


def _editor(project: ProjectInfo, rubric: Rubric, version: int, criterion: RubricCriterion, *, is_new: bool) -> None:
    key = editor_key(project, rubric, version, criterion)
    with st.form(f"rubric-{key}", enter_to_submit=False):
        name, needs = criterion.name, list(criterion.needs)
        if is_new:
            name = st.text_input("Short name", criterion.name, help="Small letters, digits and underscores.")
            needs = st.multiselect("What the judge needs to see besides the answer", ["contexts", "reference"])
        title = st.text_input("Title", criterion.title, key=f"rubric-title-{key}")
        question = st.text_area("Question to the judge", criterion.question, key=f"rubric-question-{key}", height=80)
        levels = [
            st.text_area(f"Score {score}", text, key=f"rubric-level-{key}-{score}", height=68)
            for score, text in reversed(list(zip(criterion.scores, criterion.levels, strict=True)))
        ]
        passing = st.number_input(
            "Lowest score that passes", 2, len(criterion.levels), criterion.passing, key=f"rubric-passing-{key}"
        )
        note = st.text_input("What changed, and why", key=f"rubric-note-{key}", max_chars=500)
        author = name_field("Your name", key=f"rubric-author-{key}")
        sent = st.form_submit_button("Save as a new version", type="primary", icon=":material/save:")
    if not sent:
        return
    changed = replace(
        criterion, name=name.strip(), title=title.strip(), question=question.strip(), needs=tuple(needs),
        levels=tuple(text.strip() for text in reversed(levels)), passing=int(passing),
    )  # fmt: skip
    try:
        if not author:
            raise HcatError("enter your name: a rubric is signed")
        kept = workspace().rubrics.save(project, rubric.with_criterion(changed), author=author, note=note)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["rubric-saved"] = f"Version {kept.version} of the rubric is saved."
    st.rerun()


def _versions(project: ProjectInfo) -> None:
    versions = workspace().rubrics.versions(project)
    if said := st.session_state.pop("rubric-saved", ""):
        st.success(said)
    if not versions:
        st.caption(
            "No version of your own yet. A change above is saved as version 1; the rubric that comes stays as it is."
        )
        return
    st.subheader("Versions")
    rows = [
        {"Rubric": each.name, "Version": each.version, "Author": each.author, "Saved": each.at, "Note": each.note}
        for each in versions
    ]
    data_table(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"Saved": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="The versions of the project's rubrics",
    )
