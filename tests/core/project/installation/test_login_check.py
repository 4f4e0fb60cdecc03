"""The doctor says whether people sign in, asks the provider only when told to, and names no secret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from oidc_provider_mock import run_server_in_thread

from hcat.core.project.installation.check import Check
from hcat.core.project.installation.environment_checks import check_environment
from hcat.core.settings import settings

SECRET = "planted-client-secret"


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (("CLIENT_ID", "hcat"), ("CLIENT_SECRET", SECRET)):
        monkeypatch.setenv(f"HCAT_LOGIN_{name}", value)
    monkeypatch.setenv("HCAT_PUBLIC_URL", "http://127.0.0.1:8501")
    settings.cache_clear()
    yield
    settings.cache_clear()


def check(*, deep: bool = False) -> Check:
    settings.cache_clear()
    found = next(each for each in check_environment(settings(), deep=deep) if each.name == "login")
    assert SECRET not in str(found)
    return found


def test_half_a_login_is_broken() -> None:
    assert check().state == "broken"
    assert "HCAT_LOGIN_ISSUER" in check().found


def test_a_provider_is_asked_only_by_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    with run_server_in_thread() as provider:
        monkeypatch.setenv("HCAT_LOGIN_ISSUER", f"http://localhost:{provider.server_port}")
        assert check(deep=True).found.endswith("which answers")
        monkeypatch.setenv("HCAT_LOGIN_ISSUER", f"http://127.0.0.1:{provider.server_port}/other")
        assert (check().state, check(deep=True).state) == ("fine", "broken")
    assert "does not answer" in check(deep=True).found
