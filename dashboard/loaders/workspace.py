"""The workspace of this server process, with the permissions of the person who uses the page."""

from __future__ import annotations

import streamlit as st

from hcat.core.login import login
from hcat.core.records.people import Identity
from hcat.core.workspace import Workspace
from hcat.dashboard.loaders.view import forget_answers, once_a_view

SIGNED_IN = "signed-in"
"""Session key of the signed-in person. A browser that signs in again gets another session."""
MOST_PEOPLE = 512


@st.cache_resource(show_spinner="Opening the workspace …")
def open_workspace() -> Workspace:
    """The workspace of this server process, for the account of this machine that it runs under. Roles are asked for
    once a view, and with each change."""
    opened = Workspace.open(actor="dashboard", observer=forget_answers)
    return opened.authorized_by(once_a_view(opened.store.people.authorization))


def workspace() -> Workspace:
    """The workspace, bound by the roles of the person who uses this page."""
    who = signed_in()
    return open_workspace() if who is None else _acting_for(who)


@st.cache_resource(max_entries=MOST_PEOPLE, show_spinner=False)
def _acting_for(who: Identity) -> Workspace:
    """Whoever signed in is known from their first page on. Roles are asked for in each view, and with each change."""
    opened = open_workspace()
    person = opened.acting_for(who, actor=who.name).people.register(who)
    return opened.acting_for(who, actor=person.name)


def signed_in() -> Identity | None:
    """The person who uses this page; None if no sign-in is set up. PermissionError if it is and nobody is signed in."""
    known: Identity | None = st.session_state.get(SIGNED_IN)
    if known is not None:
        return known
    setup = login()
    if setup is None:
        return None
    claims = st.user.to_dict()
    name = setup.signing_name(claims) if claims.get("is_logged_in") else None
    if name is None:
        raise PermissionError(setup.public_url)
    who = Identity(setup.issuer, str(claims["sub"]), name, str(claims.get("email") or ""))
    st.session_state[SIGNED_IN] = who
    return who
