"""The edition of texts and numbers: English, unless a report is made in another language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from hcat.core.errors import HcatError

Language = Literal["en", "de"]
"""A language by its code of ISO 639-1."""

LANGUAGES: dict[Language, str] = {"en": "English", "de": "Deutsch"}
"""Each language's name for itself: only languages with complete translations."""

_CURRENT: ContextVar[Language] = ContextVar("language", default="en")
_GERMAN_MARKS = str.maketrans({",": ".", ".": ",", "%": "\N{NO-BREAK SPACE}%"})


@contextmanager
def edition(language: Language) -> Iterator[None]:
    """Within, every text of hcat's own and every number is in this language; in this thread only."""
    token = _CURRENT.set(language)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_language() -> Language:
    """The language of the edition that is being written."""
    return _CURRENT.get()


def find_language(code: str) -> Language:
    """The language of this code. HcatError for one without an edition."""
    found: Language | None = next((known for known in LANGUAGES if known == code), None)
    if found is None:
        raise HcatError(f"there is no edition in the language {code!r}: choose from {', '.join(LANGUAGES)}")
    return found


def in_edition(number: str) -> str:
    """An English number in the marks of the edition: "1,234.5" and "71%" in German "1.234,5" and "71 %"."""
    return number.translate(_GERMAN_MARKS) if _CURRENT.get() == "de" else number
