"""Who signed in: the name that stands under what they do, and the way out."""

from __future__ import annotations

import streamlit as st

from core.login import login
from dashboard.components.markdown import plain

MOST_CHARACTERS = 80


def signed_in_name() -> str | None:
    """The name that the provider gives whoever uses this page; None where nobody signs in.

    The page stops where somebody should have signed in and the connection doesn't say who: it was opened under another
    address than the public one.
    """
    setup = login()
    if setup is None:
        return None
    user = st.user.to_dict()
    if not user.get("is_logged_in") or not user.get("sub"):
        st.error(f"This connection does not say who you are. Open hcat at {setup.public_url}.")
        st.stop()
    said = (user.get(claim) for claim in ("name", "preferred_username", "email", "sub"))
    name = next(str(each) for each in said if each)
    return "".join(character for character in name if character.isprintable()).strip()[:MOST_CHARACTERS] or "unnamed"


def show_account() -> None:
    """Who is signed in, and the button that ends the session."""
    if name := signed_in_name():
        st.caption(f"Signed in as **{plain(name)}**")
        st.button("Sign out", icon=":material/logout:", key="sign-out", on_click=st.logout, width="stretch")
