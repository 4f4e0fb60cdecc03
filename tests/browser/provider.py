"""An OpenID provider on loopback, and hcat served so that people sign in there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from oidc_provider_mock import User, run_server_in_thread

from benchmarks.served import RunningApp, free_port, running

SECRET = "planted-client-secret"
PEOPLE = (
    User(sub="s-1", claims={"name": "Ann Lead", "preferred_username": "ann.lead"}),
    User(sub="s-2", claims={"name": "Bob Review", "preferred_username": "bob.review"}),
)


@contextmanager
def served_with_login(
    folder: Path, *, database_url: str | None = None, idle_minutes: float = 30
) -> Iterator[tuple[RunningApp, str]]:
    """The dashboard with a login, and the address of its provider."""
    port = free_port()
    with run_server_in_thread(user_claims=PEOPLE) as provider, pytest.MonkeyPatch.context() as patch:
        issuer = f"http://localhost:{provider.server_port}"
        for name, value in {
            "LOGIN_ISSUER": issuer,
            "LOGIN_CLIENT_ID": "hcat",
            "LOGIN_CLIENT_SECRET": SECRET,
            "LOGIN_NAME_CLAIM": "preferred_username",
            "LOGIN_IDLE_MINUTES": str(idle_minutes),
            "PUBLIC_URL": f"http://127.0.0.1:{port}",
        }.items():
            patch.setenv(f"HCAT_{name}", value)
        with running("serve", folder, database_url=database_url, port=port) as started:
            started.wait_until_healthy(seconds=180)
            yield started, issuer
