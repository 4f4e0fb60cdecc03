"""One retrieved context of a reply, as systems write it."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import Passage

_TEXTS = ("text", "content", "page_content")


def read_context(context: object, name: str | None) -> Passage:
    """A context that is a text, or an object with text, id and score. Without an id it gets one from its text."""
    if not isinstance(context, Mapping):
        return Passage(name or _from_text(str(context)), str(context))
    text = str(next((context[field] for field in _TEXTS if field in context), ""))
    score = context.get("score")
    score = float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None
    return Passage(str(name or context.get("id") or _from_text(text)), text, score)


def _from_text(text: str) -> str:
    return sha256_of_text(text)[:12]
