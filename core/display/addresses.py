"""Addresses in messages, without their secrets."""

from __future__ import annotations

import logging
import re

_USER = re.compile(r"(://[^/?#\s:@]*:)[^/?#\s@]+@")
_NAMED = re.compile(
    r"((?:^|[?&;,\s'\"])[\w.-]*(?:passw|pwd|secret|token|api_?key)[\w.-]*\s*=\s*)[^&;,\s'\"]+", re.IGNORECASE
)


def without_secrets(text: str) -> str:
    """The text with *** for each password of an address in it."""
    return _NAMED.sub(r"\1***", _USER.sub(r"\1***@", text))


def keep_addresses_out_of_logs() -> None:
    """Stop httpx from logging each address that it requests, with users and tokens, at a level that servers write."""
    for name in ("httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)
