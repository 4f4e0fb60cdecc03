"""Addresses in messages, without the secrets that stand in them."""

from __future__ import annotations

import logging
import re

_USER = re.compile(r"(://[^/?#\s:@]*:)[^/?#\s@]+@")
_NAMED = re.compile(
    r"((?:^|[?&;,\s'\"])[\w.-]*(?:passw|pwd|secret|token|api_?key)[\w.-]*\s*=\s*)[^&;,\s'\"]+", re.IGNORECASE
)


def without_secrets(text: str) -> str:
    """The text with *** for each password of an address in it, wherever that stands."""
    return _NAMED.sub(r"\1***", _USER.sub(r"\1***@", text))


def keep_addresses_out_of_logs() -> None:
    """httpx tells the log of each address that it asks, with users and tokens in it: at a level that servers write."""
    for name in ("httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)
