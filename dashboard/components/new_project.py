"""The form that begins a project."""

from __future__ import annotations

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.types import Criterion
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.loaders.workspace import workspace


def new_project_form() -> None:
    """Name, purpose and a first criterion; the new project is chosen at once."""
    with st.form("new-project", border=False):
        name = st.text_input("Name of the system under validation", max_chars=200)
        description = st.text_area("Purpose and scope", max_chars=4000, help="Printed on the report's first page.")
        if not st.form_submit_button("Create project", type="primary"):
            return
    try:
        project = workspace().projects.create(name, description=description)
        workspace().criteria.add(project, Criterion("correctness"))
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["next-project"] = project.name
    st.rerun()
