"""Sealing of one text under a key that is used for nothing else, so that the text goes with the key.

AES-256-GCM (NIST SP 800-38D). A key seals one text once: so the nonce is constant, and a text that is written again
gets another key.
"""

from __future__ import annotations

import os
import zlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hcat.core.errors import StorageError

KEY_BYTES = 32
ERASED = bytes(KEY_BYTES)
"""Placeholder for a key that is destroyed."""
_NONCE = bytes(12)
_PLAIN, _DEFLATED = b"\x00", b"\x01"
_LEVEL = 1


def new_keys(n: int) -> bytes:
    """So many random keys, one after the other."""
    return os.urandom(KEY_BYTES * n)


def key_at(keys: bytes | bytearray, number: int) -> bytes:
    """One of a sequence of keys."""
    return bytes(keys[KEY_BYTES * number : KEY_BYTES * (number + 1)])


def checked_key(key: bytes) -> bytes:
    """The key. StorageError where the database has none."""
    if len(key) != KEY_BYTES:
        raise StorageError(
            "the keys of a file's texts are not in this database: restore database and files from one backup"
        )
    return key


def seal(text: bytes, key: bytes, bound_to: bytes | None = None) -> bytes:
    """The text, compressed where that makes it shorter, and sealed: 17 bytes more than it has then. What it is bound to
    (associated data of GCM) is not stored: it opens only where the same is given."""
    deflated = zlib.compress(text, _LEVEL, -zlib.MAX_WBITS)
    packed = _DEFLATED + deflated if len(deflated) < len(text) else _PLAIN + text
    return AESGCM(key).encrypt(_NONCE, packed, bound_to)


def unseal(sealed: bytes, key: bytes, bound_to: bytes | None = None) -> bytes | None:
    """The text; None where its key is destroyed. StorageError where it is another's key, the bytes were changed, or
    they were bound to something else."""
    if key == ERASED:
        return None
    try:
        packed = AESGCM(key).decrypt(_NONCE, sealed, bound_to)
    except (InvalidTag, ValueError) as error:
        raise StorageError(
            "a text can't be opened: its key is not in this database, or the file was changed. "
            "Restore database and files from one backup"
        ) from error
    return packed[1:] if packed[:1] == _PLAIN else zlib.decompress(packed[1:], -zlib.MAX_WBITS)
