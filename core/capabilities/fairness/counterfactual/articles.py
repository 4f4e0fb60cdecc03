"""The indefinite article before a word, "a" or "an", by the sound of the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hcat.core.capabilities.robustness.variants.sentence import Edit

if TYPE_CHECKING:
    from spacy.tokens import Token

_LIKE_YOU = ("uni", "use", "usu", "eu", "one", "once", "ute")
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_AN_NUMBERS = ("8", "11", "18")


def article_before(word: str) -> str:
    """ "an" before "aunt", "heir" and "80", else "a"."""
    lower = word.lower()
    if lower.startswith(_SILENT_H) or lower.startswith(_AN_NUMBERS):
        return "an"
    return "an" if lower[:1] in "aeiou" and not lower.startswith(_LIKE_YOU) else "a"


def article_edit(token: Token, replacement: str) -> Edit | None:
    """The edit of the indefinite article directly before a replaced word; None if it is unchanged or there is none."""
    if token.i == 0:
        return None
    before = token.nbor(-1)
    article = article_before(replacement)
    if before.lower_ not in ("a", "an") or before.lower_ == article:
        return None
    written = article.capitalize() if before.text[:1].isupper() else article
    return Edit(before.idx, before.idx + len(before.text), written)
