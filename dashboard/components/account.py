"""Who signed in: the name that stands under what they do, and the way out."""

from __future__ import annotations

import streamlit as st

from core.login import login
from dashboard.components.markdown import plain
from dashboard.components.tables import stop_page


def signed_in_name() -> str | None:
    """The name under which whoever uses this page signs; None where nobody signs in.

    The page stops where somebody should have signed in and the connection doesn't say who: it was opened under another
    address than the public one.
    """
    setup = login()
    if setup is None:
        return None
    user = st.user.to_dict()
    name = setup.signing_name(user) if user.get("is_logged_in") else None
    if name is None:
        st.error(f"This connection does not say who you are. Open hcat at {setup.public_url}.")
        stop_page()
    return name


def show_account() -> None:
    """Who is signed in, and the button that ends the session."""
    name = signed_in_name()
    if name is None:
        return
    called = str(st.user.get("name") or name)
    st.caption(f"Signed in as **{plain(called)}**" + ("" if called == name else f", who signs as **{plain(name)}**"))
    st.button("Sign out", icon=":material/logout:", key="sign-out", on_click=st.logout, width="stretch")
