"""The signed-in person and their role: shown in the sidebar, and checked for each page before it is drawn."""

from __future__ import annotations

from shlex import quote

import streamlit as st

from hcat.core.errors import NotAllowedError
from hcat.core.login import login
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.stored import project_named
from hcat.dashboard.loaders.workspace import signed_in, workspace
from hcat.dashboard.navigation import PageEntry


def check_connection() -> None:
    """Stops the page where somebody should have signed in and the connection doesn't say who.

    It was opened under another address than the public one then.
    """
    try:
        signed_in()
    except PermissionError as error:
        st.error(f"This connection does not say who you are. Open hcat at {error}.")
        stop_page()


def show_account() -> None:
    """Show the signed-in person, and the button that ends the session."""
    if login() is None:
        return
    signs = workspace().access.signing_name() or ""
    called = str(st.user.get("name") or signs)
    st.caption(f"Signed in as **{plain(called)}**" + ("" if called == signs else f", who signs as **{plain(signs)}**"))
    st.button("Sign out", icon=":material/logout:", key="sign-out", on_click=st.logout, width="stretch")


def check_membership() -> None:
    """Stops the page for somebody who has no role in any project yet, and says whom to ask."""
    access = workspace().access
    if not access.is_outsider():
        return
    name, administrators = access.signing_name() or "", access.administrators()
    st.title("No role yet")
    st.markdown(f"You are signed in as **{plain(name)}**, and have no role in any project.")
    if administrators:
        st.info(
            f"Ask {plain(' or '.join(administrators))} to give you one on the page Members; then open this page again. "
            "On the server, they can do it by this command:"
        )
        st.code(f"hcat members add {quote(name)} --project PROJECT --role validator", language="shell")
    else:
        st.info(
            "Nobody administers this installation yet. Whoever runs the server makes the first administrator by this "
            "command; then open this page again."
        )
        st.code(f"hcat members add {quote(name)} --administrator", language="shell")
    stop_page()


def check_page(entry: PageEntry) -> None:
    """Stops the page where the role in the chosen project doesn't read what it shows."""
    name = st.session_state.get("project")
    if entry.reads is None or not name:
        return
    if workspace().access.may_read(entry.reads, project_named(name).id):
        return
    st.title(entry.title)
    st.info(
        f"You label in project “{plain(name)}” without seeing scores or what others said, so that your labels are "
        "independent of them. This page shows them, and is for the other roles."
    )
    link_to("labelling", "Go to Labelling", icon=":material/label:")
    stop_page()


def reads_results(project: ProjectInfo) -> bool:
    """Whether whoever uses this page may see scores and what others said."""
    return workspace().access.may_read("results", project.id)


def show_refusal(error: NotAllowedError) -> None:
    """Show the refusal of what a role doesn't allow, in place of the rest of the page."""
    st.error(sentence(error), icon=":material/lock:")
