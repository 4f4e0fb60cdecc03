"""Which rubric of the project is worked with, and further ones from files."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.rubric import Rubric, read_rubric
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace


def pick_rubric(project: ProjectInfo) -> tuple[Rubric, int]:
    """The newest version of the rubric that is chosen: the one that was saved last, until another one is."""
    saved = [each.name for each in workspace().rubrics.versions(project)]
    names = list(dict.fromkeys([*saved, FUNNEL.name]))
    if len(names) == 1:
        return workspace().rubrics.newest(project, names[0])
    chosen = st.selectbox("Rubric", names, format_func=plain, key=f"rubric-{project.id}")
    return workspace().rubrics.newest(project, chosen)


def further_rubric(project: ProjectInfo) -> None:
    """A rubric from a file: a new one, or the next version of the one of its name."""
    with st.expander("A rubric from a file"):
        st.caption(
            "A JSON file that `hcat judge rubric -o rubric.json` or “Download the rubric” wrote and somebody edited. "
            "Under a new “name” it stands beside the others; under the name of one here it is its next version."
        )
        sent = st.file_uploader("Rubric (JSON)", type=["json"], key=f"rubric-file-{project.id}")
        author = name_field("Your name", key=f"rubric-file-author-{project.id}")
        if not st.button("Save the rubric", icon=":material/save:", disabled=sent is None) or sent is None:
            return
        try:
            if not author:
                raise HcatError("enter your name: a rubric is signed")
            text = sent.getvalue().decode("utf-8", "replace")
            kept = workspace().rubrics.save(
                project, read_rubric(text, name=sent.name), author=author, note=f"from {sent.name}"
            )
        except HcatError as error:
            st.error(sentence(error))
            return
        st.session_state["rubric-saved"] = f"Version {kept.version} of the rubric is saved."
        st.rerun()
