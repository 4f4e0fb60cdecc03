"""Drafts of a query by a language model, and the reasons why some can't be used."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.robustness.variants.family import Origin
from hcat.core.capabilities.robustness.variants.guard import holds_name, numbers, touched
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.capabilities.test_sets.selection.support import holds_words
from hcat.core.claims.words import STOP_WORDS, stem, stems, words
from hcat.core.language import ENGLISH, language_of
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue

WORDINGS = 3
"""Number of wordings of a query that are requested at once: the first usable one is chosen."""
_TRANSLATED = frozenset({"DATE", "TIME", "GPE", "LOC", "NORP", "LANGUAGE", "CARDINAL", "ORDINAL"})
"""Kinds of names that change between languages: the translation back shows whether they are preserved."""
_INTRODUCTION = re.compile(r"(?:For|When it comes to|Regarding|Concerning|At|In|On|With|After|Before|During)\s([^,]+),")
_ASKS_FOR_MORE = re.compile(r"(?:what|when|where|who|which|why|how)\b", re.IGNORECASE)
_TEXT: JsonValue = {"type": "string", "minLength": 1, "maxLength": 1000}
WORDINGS_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": _TEXT, "minItems": WORDINGS, "maxItems": WORDINGS}},
    "required": ["questions"],
    "additionalProperties": False,
}
TRANSLATION_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"translation": _TEXT},
    "required": ["translation"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Draft:
    """A query to ask, and the English query by which its meaning is examined: itself, or its translation back."""

    query: str
    english: str
    language: str = ENGLISH


def paraphrase_problem(origin: Origin, text: str) -> str | None:
    """The reason why a wording is not equivalent to this query; None if it may be."""
    if words(text) == words(origin.case.query):
        return "the same words again"
    if _lost_introduction(origin.case.query, text):
        return "dropped what the query is about"
    if origin.case.type == "yes/no" and _ASKS_FOR_MORE.match(text):
        return "no longer answered by yes or no"
    return _changed(origin, text)


def translation_problem(origin: Origin, text: str, *, language: str, back: str) -> str | None:
    """The reason why a translation can't be used, by itself and by its translation back to English; None if it can."""
    if language_of(text) not in (language, None) or words(text) == words(origin.case.query):
        return f"not in {language}"
    if numbers(text) != numbers(origin.case.query):
        return "changed a number"
    if not all(holds_name(text, name) for name in names_to_keep(origin.query)):
        return "changed a name or a unit"
    changed = _changed(origin, back)
    return None if changed is None else f"{changed} (seen in its translation back)"


def words_to_keep(query: Sentence) -> list[JsonValue]:
    """The words of a query that a wording must contain, each once."""
    return [*dict.fromkeys(query.protected_words)]


def names_to_keep(query: Sentence) -> list[str]:
    """The names and codes that are the same in every language."""
    return [
        token.text
        for token in query.doc
        if token.text.isalpha() and token.text in query.evident_words and token.ent_type_ not in _TRANSLATED
    ]


def _changed(origin: Origin, text: str) -> str | None:
    what = touched(origin.query, text)
    if what is not None:
        return f"changed {what}"
    before = origin.query.text.casefold()
    if any(word.casefold() not in before for word in Sentence(text).evident_words):
        return "added a number, a name or a unit"
    if _lost_option(origin.case, text):
        return "changed an option"
    return None


def _lost_introduction(query: str, text: str) -> bool:
    """Whether a wording lacks a word of the query's introduction: "For international transfers, …"."""
    introduction = _INTRODUCTION.match(query)
    content = {stem(word) for word in words(introduction[1]) if word not in STOP_WORDS} if introduction else set()
    return not content <= stems(text)


def _lost_option(case: TestCase, text: str) -> bool:
    asked: Sequence[str] = [option for option in case.options if holds_words(case.query, option)]
    return any(not holds_words(text, option) for option in asked)
