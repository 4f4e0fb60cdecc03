"""Whether users sign in, and at which OpenID provider: the checked HCAT_LOGIN_* settings."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from hcat.core.errors import HcatError
from hcat.core.settings import Settings, settings, settings_file

LONGEST_NAME = 80
CALLBACK = "/oauth2callback"
"""The path to which the provider redirects users."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SECRET = "HCAT_LOGIN_CLIENT_SECRET"  # noqa: S105  the name of the setting


@dataclass(frozen=True)
class Login:
    """An OpenID provider, hcat's client there, the public address, and how long a session lasts."""

    issuer: str
    client_id: str
    client_secret: SecretStr
    public_url: str
    name_claim: str
    idle_seconds: float
    longest_seconds: float

    @property
    def metadata_url(self) -> str:
        """The address of the provider's metadata (OpenID Connect Discovery 1.0, section 4)."""
        return f"{self.issuer}/.well-known/openid-configuration"

    @property
    def host(self) -> str:
        """The host name in the public address."""
        return urlsplit(self.public_url).hostname or ""

    def signing_name(self, claims: Mapping[str, object]) -> str | None:
        """The name under which an identity signs; None if the claim has no name that a record can store."""
        name = claims.get(self.name_claim)
        if not isinstance(name, str) or not name.isprintable() or name != name.strip():
            return None
        return name if 0 < len(name) <= LONGEST_NAME else None

    @property
    def is_secure(self) -> bool:
        """Whether users connect over TLS, so that cookies may require it."""
        return self.public_url.startswith("https://")


def login(chosen: Settings | None = None, file: Path | None = None) -> Login | None:
    """The login in these settings, by default those of this process; None if no login is configured.

    HcatError if only some of the settings are given, if an address is not safe, or if others may read the file with the
    secret."""
    found = settings() if chosen is None else chosen
    file = settings_file() if chosen is None else file
    stated = {
        "HCAT_LOGIN_ISSUER": found.login_issuer,
        "HCAT_LOGIN_CLIENT_ID": found.login_client_id,
        _SECRET: found.login_client_secret and found.login_client_secret.get_secret_value(),
        "HCAT_PUBLIC_URL": found.public_url,
    }
    if not any(stated.values()):
        return None
    if missing := [name for name, value in stated.items() if not value]:
        raise HcatError(f"the login lacks {', '.join(missing)}: see docs/team.md")
    _check_private(file)
    return Login(
        issuer=_address("HCAT_LOGIN_ISSUER", str(found.login_issuer)),
        client_id=str(found.login_client_id),
        client_secret=found.login_client_secret or SecretStr(""),
        public_url=_address("HCAT_PUBLIC_URL", str(found.public_url), path=False),
        name_claim=found.login_name_claim,
        idle_seconds=60 * found.login_idle_minutes,
        longest_seconds=3600 * found.login_hours,
    )


def _address(name: str, value: str, *, path: bool = True) -> str:
    """The address without its last slash. HcatError if it is not an address, or is neither HTTPS nor on this
    machine."""
    try:
        parts = urlsplit(value.rstrip("/"))
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        plain = bool(parts.hostname) and not (parts.query or parts.fragment or parts.username or parts.password)
    except ValueError:
        safe = plain = False
    if not (safe and plain) or (parts.path and not path):
        example = "https://login.bank.example/realm" if path else "https://hcat.bank.example"
        raise HcatError(f"{name} must be an address such as {example}; http is for this machine only")
    return value.rstrip("/")


def _check_private(file: Path | None) -> None:
    if file is None or os.name != "posix" or _SECRET not in file.read_text(encoding="utf-8", errors="replace"):
        return
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise HcatError(f"others may read {file}, which holds {_SECRET}: run `chmod 600 {file}`")
