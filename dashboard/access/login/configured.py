"""Streamlit's settings of the identity provider, in memory only, and the gate in front of it."""

from __future__ import annotations

import secrets

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.secrets import SecretsValue

from hcat.core.errors import HcatError
from hcat.core.login import CALLBACK, Login
from hcat.dashboard.access.login.gate import Gate
from hcat.dashboard.access.login.signed_sessions import SignedSessions


def provider_settings(login: Login) -> dict[str, SecretsValue]:
    """The section that Streamlit's login reads. Cookies are signed by a secret of this process that nobody else has."""
    return {
        "auth": {
            "redirect_uri": login.public_url + CALLBACK,
            "cookie_secret": secrets.token_urlsafe(48),
            "client_id": login.client_id,
            "client_secret": login.client_secret.get_secret_value(),
            "server_metadata_url": login.metadata_url,
            "client_kwargs": {"scope": "openid profile email", "code_challenge_method": "S256"},
        }
    }


def gate(login: Login) -> Middleware:
    """The gate of this server. HcatError if a header of a request could state an identity."""
    if st.get_option("server.trustedUserHeaders"):
        raise HcatError("with a login, no header may say who somebody is: take server.trustedUserHeaders away")
    return Middleware(Gate, login=login, sessions=SignedSessions(login.idle_seconds, login.longest_seconds))
