"""Erase the text of the sample in view, for people with that right; or show who had it erased, when and why."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.erasure.wording import BEYOND, traces_text
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.runs import sample as read_sample
from hcat.dashboard.loaders.workspace import workspace


def erasing_panel(project: ProjectInfo, run: RunInfo, sample_id: str) -> None:
    """Show below the sample what was erased, or the form that erases it, which states first what it removes and what
    stays."""
    erased = read_sample(run, sample_id).erased
    if erased is not None:
        st.info(
            f"{plain(erased[0].upper() + erased[1:])}. Its scores, labels and dimensions stay; a metric that needs the "
            "text leaves the sample unscored.",
            icon=":material/ink_eraser:",
        )
        return
    if not workspace().access.may("sample.erase", project.id):
        return
    with st.expander(
        "Erase the text of this sample", icon=":material/ink_eraser:", on_change="rerun", key="erasing"
    ) as panel:
        if panel.open:
            _form(run, sample_id)


def _form(run: RunInfo, sample_id: str) -> None:
    traces = workspace().erasures.traces(run, [sample_id])
    st.markdown(
        "Query, contexts, answer, reference and metadata are erased by destroying their key. A context that other "
        "samples have too stays with them. Scores, labels, ids and dimensions stay. **It can't be undone.**"
    )
    st.caption(f"{plain(traces_text(traces))} {BEYOND}")
    with st.form(f"erase-{run.id}-{sample_id}", border=False):
        confirmed = st.text_input(f"Type the sample's id “{plain(sample_id)}” to confirm")
        left, right = st.columns(2)
        with left:
            author = name_field("Your name", key=f"erase-author-{sample_id}")
        reason = right.text_input("Reason", help="Shown where the text was: name no customer in it.")
        if not st.form_submit_button("Erase the text", icon=":material/ink_eraser:"):
            return
    if confirmed != sample_id:
        st.error(plain(f"Nothing was erased: type {sample_id} to confirm."))
        return
    try:
        workspace().erasures.erase(run, [sample_id], reason=reason, author=author)
    except HcatError as error:
        st.error(plain(error))
        return
    st.toast(plain(f"The text of {sample_id} is erased."), icon=":material/ink_eraser:")
    st.rerun()
