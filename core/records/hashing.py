"""SHA-256 of bytes, texts, JSON and files, as 64 hexadecimal digits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hcat.core.types import JsonValue

_BLOCK = 1 << 20


def sha256_of_bytes(parts: Iterable[bytes]) -> str:
    """The hash of the parts one after another; only one of them is in memory at a time."""
    digest = hashlib.sha256()
    for chunk in parts:
        digest.update(chunk)
    return digest.hexdigest()


def sha256_of_text(text: str) -> str:
    """The hash of the text in UTF-8. A lone surrogate, which is not Unicode, counts as its three bytes."""
    return sha256_of_bytes([text.encode("utf-8", "surrogatepass")])


def sha256_of_json(value: JsonValue | Sequence[JsonValue] | Mapping[str, JsonValue]) -> str:
    """The hash of the value as JSON in ASCII with sorted keys."""
    return sha256_of_text(json.dumps(value, sort_keys=True))


def sha256_of_files(paths: Iterable[Path]) -> str:
    """The hash of the files' bytes, one file after another in the given order."""
    return sha256_of_bytes(block for path in paths for block in _blocks(path))


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
