"""The person who uses this browser: one name for labels, decisions, findings and reports, remembered by the browser
itself."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import streamlit as st

from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.component import component
from hcat.dashboard.loaders.workspace import workspace

NAME = "annotator"
"""In the session: the name."""
COOKIE = "hcat-name"
MOST_CHARACTERS = 80
SCRIPT = Path(__file__).with_suffix(".js")


def person_name() -> str:
    """The name that the identity has where roles are in use; else the name that was entered, or an empty one."""
    own = workspace().access.signing_name()
    return str(st.session_state.get(NAME, "")) if own is None else own


def recall_person() -> None:
    """Take up, at the start of a session, the name that was given in this browser before."""
    if "name-recalled" in st.session_state:
        return
    st.session_state["name-recalled"] = True
    sent = st.context.cookies.get(COOKIE)
    recalled = unquote(sent).strip()[:MOST_CHARACTERS] if isinstance(sent, str) else ""
    if recalled and NAME not in st.session_state:
        st.session_state[NAME] = recalled


def keep_person() -> None:
    """Let the browser remember the name; a withdrawn name is forgotten."""
    if workspace().access.signing_name() is not None:
        return
    name = person_name()
    if name or "name-given" in st.session_state:
        component("hcat_person", js=(SCRIPT,))(data={"cookie": COOKIE, "name": name}, key="person")


def remember_person(name: str) -> None:
    """The name from now on, on every page; none where it is empty."""
    st.session_state["name-given"] = True
    st.session_state[NAME] = name.strip()


def name_field(label: str, *, key: str) -> str:
    """A field for who signs, with the name that is known; the first name given anywhere is known from then on."""
    if own := workspace().access.signing_name():
        st.text_input(label, own, disabled=True, help="You sign with the name that you are known by here.")
        return own
    entered = st.text_input(label, person_name(), key=key, max_chars=MOST_CHARACTERS).strip()
    if entered and not person_name():
        remember_person(entered)
    return entered


def annotator_name() -> str:
    """The name of the person who labels or decides. Once given it is no field any more: keys are for labels then."""
    current = person_name()
    if workspace().access.signing_name():
        st.markdown(f"You are **{plain(current)}**.")
        return current
    if current:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"You are **{plain(current)}**.", width="content")
            st.button("Change", key="change-annotator", on_click=remember_person, args=("",))
        return current
    with st.form("annotator-form", border=False):
        entered = st.text_input(
            "Annotator",
            key="annotator-name",
            max_chars=MOST_CHARACTERS,
            help="Your name or a pseudonym. This browser remembers it, for labels, decisions, findings and reports.",
        ).strip()
        if st.form_submit_button("Begin", type="primary", key="begin") and entered:
            remember_person(entered)
            st.rerun()
    return ""
