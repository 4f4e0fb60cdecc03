"""The origin of what an answer says: a context, the query, or neither."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from hcat.core.privacy.copying import placed_words
from hcat.core.privacy.disclosure import is_confidential
from hcat.core.privacy.facts import KIND, states_fact
from hcat.core.privacy.hit import Hit
from hcat.core.privacy.phrases import amount_key
from hcat.core.types import Sample

HeldBy = Literal["context", "query", "confidential", "neither", "unknown"]
"""A public context; the query; only a confidential context; none of them; or unknown, without contexts."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Another holder of a value; `passage` is the id of the context with it."""

    held_by: HeldBy
    passage: str | None = None


def holder(hit: Hit, sample: Sample) -> Holder:
    """The origin of the value of a hit, in any layout: open contexts, then the query, then confidential ones."""
    holds = _LOOKUPS.get(hit.kind, _holds_words)
    marked = [(passage, is_confidential(passage, sample)) for passage in sample.contexts]
    for passage, confidential in marked:
        if not confidential and holds(hit, passage.text):
            return Holder("context", passage.id)
    if holds(hit, sample.query):
        return Holder("query")
    for passage, confidential in marked:
        if confidential and holds(hit, passage.text):
            return Holder("confidential", passage.id)
    return Holder("neither" if sample.contexts else "unknown")


def _holds_number(hit: Hit, text: str) -> bool:
    """Whether the text has the same letters and digits, with any spaces and hyphens between them."""
    return _spaced(hit.key).search(text) is not None


def _holds_phone(hit: Hit, text: str) -> bool:
    """Whether the text has the same number, with or without the country code and the leading 0."""
    code, _, national = hit.key.rpartition(" ")
    return _phone(code, national).search(text) is not None


def _holds_literally(hit: Hit, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(hit.key)}(?!\w)", text) is not None


def _holds_address(hit: Hit, text: str) -> bool:
    """Whether the text has the same e-mail, web or IP address, in any case."""
    return re.search(rf"(?<![\w.@-]){re.escape(hit.key)}(?![\w@-])", text, re.IGNORECASE) is not None


def _holds_amount(hit: Hit, text: str) -> bool:
    """Whether the text has the same amount; for a balance also its name, since the amount alone is no such phrase."""
    if hit.key not in _amounts(text):
        return False
    return hit.kind == "transaction" or hit.detail.rpartition(" ")[2] in {each.word for each in placed_words(text)}


def _holds_last_digits(hit: Hit, text: str) -> bool:
    """Whether the text has the same digits at the end of a number."""
    return re.search(rf"{hit.key}(?!\d)", text) is not None


def _holds_words(hit: Hit, text: str) -> bool:
    """Whether the text has the same words in the same order, with at most one other between them, as a middle name."""
    words = [each.word for each in placed_words(hit.key) if each.word not in _TITLES]
    return bool(words) and _sequence(tuple(words)).search(text) is not None


def _holds_most_words(hit: Hit, text: str) -> bool:
    """Whether the text has every number of an address, and all but at most one of its other words."""
    inside = {each.word for each in placed_words(text)}
    words = [each.word for each in placed_words(hit.key)]
    missing = [word for word in words if word not in inside]
    return not any(character.isdigit() for word in missing for character in word) and len(missing) <= len(words) // 4


_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "lord", "lady"})
_LOOKUPS: Mapping[str, Callable[[Hit, str], bool]] = {
    "IBAN": _holds_number,
    "card number": _holds_number,
    "identity number": _holds_number,
    "account or customer number": _holds_number,
    "sort code": _holds_number,
    "phone number": _holds_phone,
    "e-mail address": _holds_address,
    "web address": _holds_address,
    "IP address": _holds_address,
    "cryptocurrency address": _holds_literally,
    "secret": _holds_literally,
    "account phrase": _holds_amount,
    "transaction": _holds_amount,
    "last digits": _holds_last_digits,
    KIND: states_fact,
    "address": _holds_most_words,
}
_BETWEEN = r"[\s\-./()\u2010-\u2013]{0,3}"


@lru_cache(maxsize=4096)
def _spaced(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){_BETWEEN.join(map(re.escape, key))}(?![^\W_])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _phone(code: str, national: str) -> re.Pattern[str]:
    prefix = rf"(?:(?:\+|00)?{_BETWEEN}{code}{_BETWEEN})?(?:\(?0\)?{_BETWEEN})?" if code else ""
    return re.compile(rf"(?<!\d){prefix}{_BETWEEN.join(national)}(?!\d)")


@lru_cache(maxsize=4096)
def _sequence(words: tuple[str, ...]) -> re.Pattern[str]:
    joined = r"\W+(?:\w+\W+)?".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){joined}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _amounts(text: str) -> frozenset[str]:
    return frozenset(amount_key(match) for match in re.findall(r"\d[\d.,]*", text))
