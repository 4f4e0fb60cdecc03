"""Texts as the fonts inside the typesetter can show them. PDF/A refuses a character without a glyph, and a font that is
named and not embedded: the CID fonts of readers, which have Chinese, Japanese and Korean, can't be used.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

COVERAGE = Path(__file__).with_name("coverage.json")
"""Character coverage of the typesetter's fonts, as `training/font_coverage.py` finds it."""

_TYPOGRAPHIC = frozenset("–—‘’“”…−≤≥≠×✓▼▽◇○•\N{ZERO WIDTH SPACE}")
ESCAPE = "[U+"
CODE_POINT = re.compile(r"\[U\+([0-9A-F]{4,6})\]")
_ACTING = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that act instead of being read, or that no font has: controls, directions, unassigned."""


def shown(text: str) -> str:
    """The text with what has no glyph as its code point: "[U+4E2D]". Spaces of any kind are spaces; tabs are four.

    A character and the marks upon it are shown where the fonts of texts and of code have them all, since the typesetter
    looks in others for the character alone.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(cluster) for cluster in _clusters(text))


def acts(character: str) -> bool:
    """Whether a character acts instead of being read, or is none."""
    return unicodedata.category(character) in _ACTING


def in_latin(text: str) -> str:
    """The text with all beyond Latin-1 as code points: for texts whose letters no single font can set together."""
    return "".join(letter if ord(letter) < 0x100 or letter in _TYPOGRAPHIC else _alone(letter) for letter in text)


def _clusters(text: str) -> list[str]:
    """Each character with the marks that follow it."""
    clusters: list[str] = []
    for character in text.replace("\r\n", "\n").replace("\r", "\n"):
        if clusters and unicodedata.category(character).startswith("M"):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


@lru_cache(maxsize=10_000)
def _shown(cluster: str) -> str:
    if cluster == "\n" or (len(cluster) == 1 and " " <= cluster <= "~"):
        return cluster
    if cluster == "\t":
        return "    "
    if unicodedata.category(cluster[0]) == "Zs" and len(cluster) == 1:
        return "\N{NO-BREAK SPACE}" if cluster in "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}" else " "
    if not acts(cluster[0]):
        points = {ord(character) for character in cluster}
        if _texts_have(points) if len(cluster) > 1 else any(points <= font for font in _fonts()[:2]):
            return cluster
    return "".join(_alone(character) for character in cluster)


def _alone(character: str) -> str:
    return character if "!" <= character <= "~" else f"{ESCAPE}{ord(character):04X}]"


def _texts_have(points: set[int]) -> bool:
    texts, code, *_ = _fonts()
    return points <= texts & code


@cache
def _fonts() -> tuple[frozenset[int], ...]:
    ranges: dict[str, list[tuple[int, int]]] = json.loads(COVERAGE.read_text("utf-8"))
    return tuple(
        frozenset(point for first, last in font for point in range(first, last + 1)) for font in ranges.values()
    )
