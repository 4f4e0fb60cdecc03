"""The login is set up whole or not at all, by addresses that protect what is sent and files that others can't read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from hcat.core.errors import HcatError
from hcat.core.login import login
from hcat.core.settings import Settings, stated

SECRET = "planted-client-secret"
WHOLE = {
    "login_issuer": "https://login.bank.example/realm/",
    "login_client_id": "hcat",
    "login_client_secret": SECRET,
    "public_url": "https://hcat.bank.example/",
}


def made(**changed: object) -> Settings:
    return Settings.model_validate({**WHOLE, **changed})


def test_without_settings_nobody_signs_in() -> None:
    assert login(Settings()) is None


def test_a_whole_login_says_what_the_provider_needs() -> None:
    found = login(made())
    assert found is not None
    assert found.metadata_url == "https://login.bank.example/realm/.well-known/openid-configuration"
    assert (found.public_url, found.host, found.is_secure) == ("https://hcat.bank.example", "hcat.bank.example", True)
    assert (found.idle_seconds, found.longest_seconds) == (1800, 43_200)


@pytest.mark.parametrize("name", WHOLE)
def test_half_a_login_says_what_it_lacks(name: str) -> None:
    with pytest.raises(HcatError, match=f"the login lacks HCAT_{name.upper()}"):
        login(made(**{name: None}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("login_issuer", "http://login.bank.example"),
        ("login_issuer", "https://user:word@login.bank.example"),
        ("login_issuer", "https://login.bank.example?realm=x"),
        ("login_issuer", "bank"),
        ("login_issuer", "http://[::1"),
        ("public_url", "http://hcat.bank.example"),
        ("public_url", "https://hcat.bank.example/under/a/path"),
        ("public_url", "https://"),
    ],
)
def test_addresses_that_protect_nothing_are_refused(name: str, value: str) -> None:
    with pytest.raises(HcatError, match=f"HCAT_{name.upper()} must be an address"):
        login(made(**{name: value}))


def test_http_is_for_this_machine() -> None:
    found = login(made(login_issuer="http://localhost:9000", public_url="http://127.0.0.1:8501"))
    assert found is not None
    assert not found.is_secure


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / ".env"
    file.write_text(f"HCAT_LOGIN_CLIENT_SECRET={SECRET}\n")
    file.chmod(mode)
    with pytest.raises(HcatError, match=r"others may read .*: run `chmod 600") as caught:
        login(made(), file)
    assert SECRET not in str(caught.value)
    file.chmod(0o600)
    assert login(made(), file) is not None


def test_the_secret_is_in_no_text_of_the_settings() -> None:
    found = made(login_client_secret=SecretStr(SECRET))
    assert SECRET not in repr(found) + repr(login(found)) + repr(stated(found))
