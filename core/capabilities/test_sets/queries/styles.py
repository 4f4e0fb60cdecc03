"""The styles of a query: neutral, terse, polite, colloquial; by rule, without a change of meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hcat.core.capabilities.test_sets.queries.wording import as_sentence

_COLLOQUIAL = ("Any idea {}", "Hi, I'd like to know {}", "Do you happen to know {}")
_POLITE = ("Could you tell me {}", "Could you please tell me {}")
_SYNONYMS = tuple(
    (re.compile(rf"\b{words}\b"), other)
    for words, other in (
        ("a month", "per month"),
        ("a year", "per year"),
        ("a day", "per day"),
        ("every (month|year|week|day)", r"each \1"),
        ("free of charge|at no cost|without charge", "for free"),
    )
)
"""Replacements for words in sentences written by the rules, in every style except the neutral one. Words that may be in
a heading or a label are replaced by `rewording`, which recognises those."""


def wordings(direct: str, indirect: str, short: str | None, *, lead: str = "") -> Mapping[str, str]:
    """The query in each style, from a direct question, an indirect one ("how much it costs"), and a short one.

    `lead` are words that precede the question, with a comma."""
    first = f"{lead}, " if lead else ""
    seed = len(direct)
    written = {
        "neutral": as_sentence(first + direct, "?"),
        "polite": as_sentence(_everyday(first + _within(_POLITE[seed % len(_POLITE)].format(indirect), first)), "?"),
        "colloquial": as_sentence(_everyday(_COLLOQUIAL[seed % len(_COLLOQUIAL)].format(_led(indirect, lead))), "?"),
    }
    if short is not None:
        written["terse"] = as_sentence(_everyday(short), "?")
    return written


def terse(subject_led: str, *, topic: str = "") -> str:
    """A statement with its question word in place, without the article at its beginning."""
    bare = re.sub(r"^(?:the|a|an)\s+", "", subject_led)
    return f"{topic}: {bare}" if topic else bare


def short_topic(lead: str) -> str:
    """The name in a phrase that states the heading: "Harbour Credit" of "For Harbour Credit"."""
    for words in ("When it comes to ", "For the ", "For a ", "For "):
        if lead.startswith(words):
            return lead.removeprefix(words)
    return lead


def _within(text: str, first: str) -> str:
    return text[0].lower() + text[1:] if first else text


def _led(indirect: str, lead: str) -> str:
    return f"{indirect} {lead[0].lower()}{lead[1:]}" if lead else indirect


def _everyday(text: str) -> str:
    for pattern, replacement in _SYNONYMS:
        text = pattern.sub(replacement, text)
    return text
