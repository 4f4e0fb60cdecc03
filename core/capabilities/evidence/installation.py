"""The key by which this installation signs: a bank's own, which `HCAT_SIGNING_KEY` names, or one made at first use."""

from __future__ import annotations

import os
from pathlib import Path

from hcat.core.records.signing import PASSPHRASE_VARIABLE, SigningKey, open_key
from hcat.core.settings import WORKSPACE, Settings, settings

KEY_FILE = "signing_key.pem"


def key_path(chosen: Settings) -> Path:
    """The file of the key: the one that is set, else next to the embedded database, else in the user's own folder."""
    if chosen.signing_key:
        return Path(chosen.signing_key)
    path = chosen.database_url.removeprefix("sqlite:///").partition("?")[0]
    beside = path and path != chosen.database_url and not path.startswith((":", "file:"))
    return (Path(path).parent if beside else WORKSPACE) / KEY_FILE


def installation_key() -> SigningKey:
    """The key, which is made if none is set and none exists; the passphrase is only read from the environment."""
    chosen = settings()
    passphrase = os.environ.get(PASSPHRASE_VARIABLE) or None
    return open_key(key_path(chosen), passphrase=passphrase, make=not chosen.signing_key)
