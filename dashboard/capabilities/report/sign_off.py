"""The sign-off of the newest report: its status, its signatures, and the form for the next step."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from hcat.core.capabilities.sign_off.wording.sign_off import NAMES_ARE_TYPED, signature_text, state_text
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import ReportVersion
from hcat.core.records.sign_off import SignOff, State
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace

RULE = (
    "Who submitted, prepared or gave the opinion of a report can't approve it. Who labelled or decided for one of its "
    "runs can, if the approval states that as a condition, which then stands on the cover."
)
COLORS: dict[State, str] = {
    "draft": "gray",
    "submitted": "blue",
    "returned": "orange",
    "approved": "green",
    "superseded": "orange",
}


def sign_off_panel(project: ProjectInfo) -> None:
    """Nothing before the first version."""
    versions = workspace().reports.versions(project)
    if not versions:
        return
    st.subheader("Sign-off")
    newest, stands = versions[-1], workspace().sign_offs.of(versions[-1])
    st.markdown(f"**Version {newest.version}** :{COLORS[stands.state]}-badge[{stands.state}]")
    st.text(state_text(stands))
    for signature in stands.signatures:
        st.text(signature_text(signature))
    with st.container(key="sign-off"):
        if stands.state in ("draft", "returned"):
            _submission(newest)
        elif stands.state == "submitted":
            _review(newest)
    _earlier(project)
    st.caption(f"{RULE} {NAMES_ARE_TYPED}")


def _submission(version: ReportVersion) -> None:
    with st.form("submit-form", border=False):
        author = name_field("Your name", key="sign-author")
        comment = st.text_input("Comment for the reviewer", key="sign-comment", max_chars=2000, placeholder="Optional")
        pressed = st.form_submit_button(f"Submit version {version.version} for review", icon=":material/draw:")
    if pressed:
        _sign(lambda: workspace().sign_offs.submit(version, author=author, comment=comment))


def _review(version: ReportVersion) -> None:
    with st.form("review-form", border=False):
        reviewer = name_field("Reviewer", key="sign-reviewer")
        comment = st.text_area(
            "Comment", key="review-comment", max_chars=8000, help="Needed where you return the report: what to change."
        )
        condition = st.text_input(
            "Condition of the approval",
            key="review-condition",
            max_chars=2000,
            placeholder="Only where you labelled or decided for one of its runs",
        )
        with st.container(horizontal=True):
            approved = st.form_submit_button(
                f"Approve version {version.version}", type="primary", icon=":material/verified:"
            )
            returned = st.form_submit_button("Return it to its author", icon=":material/undo:")
    offs = workspace().sign_offs
    if approved:
        _sign(lambda: offs.approve(version, reviewer=reviewer, comment=comment, condition=condition))
    elif returned:
        _sign(lambda: offs.return_(version, reviewer=reviewer, comment=comment))


def _sign(step: Callable[[], SignOff]) -> None:
    try:
        step()
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()


def _earlier(project: ProjectInfo) -> None:
    """Versions before the newest that somebody signed."""
    signed = [stands for stands in workspace().sign_offs.all(project)[:-1] if stands.signatures]
    if not signed:
        return
    with st.expander("Earlier versions that were signed", key="signed-versions"):
        for stands in reversed(signed):
            st.markdown(f"**Version {stands.version}** · {plain(stands.state)}")
            st.text(" ".join([state_text(stands), *map(signature_text, stands.signatures)]))
