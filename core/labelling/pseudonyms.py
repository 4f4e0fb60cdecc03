"""Names of annotators that stay the same within a project, and that nobody can reverse without the project's key."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

LENGTH = 10
"""40 bits: of 1,000 annotators two share a pseudonym with a probability of less than one in a million."""


def new_key() -> str:
    """A fresh random key of 256 bits, as hexadecimal digits."""
    return secrets.token_hex(32)


def pseudonym(key: str, annotator: str) -> str:
    """The word annotator and ten hexadecimal digits of HMAC-SHA256 over the name. Source: RFC 2104."""
    digest = hmac.new(bytes.fromhex(key), annotator.encode("utf-8", "surrogatepass"), sha256).hexdigest()
    return f"annotator-{digest[:LENGTH]}"


def names_behind(key: str, annotators: Iterable[str]) -> dict[str, str]:
    """The known annotators by their pseudonym, for the owner of the key."""
    return {pseudonym(key, annotator): annotator for annotator in annotators}
