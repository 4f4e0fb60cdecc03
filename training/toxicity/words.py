"""Slurs and swear words, read from the training data: the repository knows them by the start of their SHA-256 alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

DIGITS = 12
_WORD = re.compile(r"[a-z]{3,}")

SLURS = frozenset(
    {
        "08a841e99678",
        "0be9b885f4a3",
        "120f6e5b4ea3",
        "12e6274e4309",
        "158869a97379",
        "16ea09fc78ca",
        "1802d081455e",
        "22fc75e65a0e",
        "27eb0c4ad707",
        "3160c321bcd0",
        "32c2aaad55e4",
        "333f76180929",
        "3b1e0d7c5dd4",
        "4b18aefe826a",
        "517af7ffd9e6",
        "566f532d486c",
        "5760d98e9502",
        "58d5ed002eca",
        "619bc82e0d20",
        "66415f8ce37b",
        "6d1833779e38",
        "70aafb426695",
        "7c686cf2ae58",
        "886d51e97ad7",
        "8cc9349a626e",
        "8f5083e3e5c7",
        "94a877e2ce63",
        "98b52c4b6b7d",
        "9915ba2d8222",
        "9ae315a94e42",
        "a77ac6b90734",
        "acc96930e3a6",
        "bb87adf8aa78",
        "be00f1af522e",
        "c2c3b68b4883",
        "c3de533e9b7f",
        "cc02032349c8",
        "d75a838dc758",
        "e7b98c6aa5b9",
        "eef3bd091670",
        "f9d0d9b18ae9",
    }
)
"""Nouns that insult a group."""

SWEAR_ADJECTIVES = frozenset(
    {
        "0c64f3ba82e0",
        "31506a8448a7",
        "986c99004163",
        "d95b1fc78565",
        "e9143a29033d",
        "fb96c27642b4",
    }
)
"""Swear words that stand before a noun."""

EXCLAMATIONS = frozenset(
    {
        "1837bc2c546d",
        "2189c0ed714f",
        "30a989afc82c",
        "6ac3c336e409",
        "85fc17f7069a",
        "e9143a29033d",
        "fb96c27642b4",
    }
)
"""Swear words that stand alone."""


def words_of(texts: Iterable[str], hashes: frozenset[str]) -> tuple[str, ...]:
    """Those words of the texts whose hash is listed, in alphabetical order."""
    seen = {word for text in texts for word in _WORD.findall(text.lower())}
    return tuple(sorted(word for word in seen if hashlib.sha256(word.encode()).hexdigest()[:DIGITS] in hashes))
