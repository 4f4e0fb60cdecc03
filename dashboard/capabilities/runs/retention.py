"""Retention of the texts of samples: its length, due erasures, and erased texts."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.erasure.wording import BEYOND, retention_text
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace


def retention_panel(project: ProjectInfo) -> None:
    """Show the settled retention and the due erasures, with forms for people who may settle and erase."""
    if not workspace().access.may_read("results", project.id):
        return
    retentions, erasures = workspace().retentions, workspace().erasures
    with st.expander("Keep and erase texts", icon=":material/ink_eraser:"):
        st.markdown(plain(retention_text(retentions.get(project))))
        due = retentions.due(project)
        if due:
            rows = [
                (
                    each.run,
                    each.texts,
                    each.due.date(),
                    "" if each.waiting is None else f"report version {each.waiting}",
                )
                for each in due
            ]
            frame = pd.DataFrame(rows, columns=["Run", "Texts", "To be erased on", "Waits for the approval of"])
            data_table(frame, hide_index=True, key="retention-due", alt="When the texts of each run are to be erased")
        if workspace().access.may("retention.settle", project.id):
            _settle(project)
        if any(each.is_due(workspace().store.clock()) for each in due):
            _apply(project)
        erased = erasures.all(project)
        if erased:
            st.markdown(f"**Erased so far: {len(erased):,}**")
        for each in erased[-10:]:
            st.caption(f"{plain(each.run)}, {plain(each.sample_id)}: {plain(each.statement)}")


def _settle(project: ProjectInfo) -> None:
    with st.form("retention", border=False):
        left, right = st.columns(2)
        days = left.number_input(
            "Days after a run's import", 1, 36_500, value=None, placeholder="for ever", help="Empty: texts are kept."
        )
        with right:
            author = name_field("Your name", key="retention-author")
        if not st.form_submit_button("Keep texts for so long"):
            return
    try:
        workspace().retentions.settle(project, None if days is None else int(days), author=author)
    except HcatError as error:
        st.error(plain(error))
        return
    st.rerun()


def _apply(project: ProjectInfo) -> None:
    if not workspace().access.may("sample.erase", project.id):
        return
    with st.form("retention-apply", border=False):
        st.caption(BEYOND)
        confirmed = st.checkbox("Erase all texts that are due. It can't be undone.")
        author = name_field("Your name", key="retention-apply-author")
        if not st.form_submit_button("Erase what is due", icon=":material/ink_eraser:") or not confirmed:
            return
    try:
        with st.spinner("Erasing texts …"):
            erased = workspace().retentions.apply(project, author=author)
    except HcatError as error:
        st.error(plain(error))
        return
    st.toast(f"{len(erased):,} texts are erased.", icon=":material/ink_eraser:")
    st.rerun()
