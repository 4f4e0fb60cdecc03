"""Whether a query can be asked as it is: a self-contained question or request of usable length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hcat.core.claims.words import NAME_WITHIN, STOP_WORDS, stem, stems, words

FEWEST_WORDS, MOST_WORDS = 2, 80

_SOURCE = r"(?:document|passage|text|context|excerpt|extract|paragraph|article|section|snippet|source|chapter|page)s?"
_REFERS_TO_SOURCE = re.compile(
    rf"\b(?:according\s+to|based\s+(?:up)?on|in|from|by|per|does|do|with|of)\s+(?:the|this|that|these|those|your|my)\s+"
    rf"(?:(?:given|provided|above|following|present|supplied|retrieved|attached)\s+)?{_SOURCE}\b(?!\s+(?:of|for|about|on|\d))"
    r"|\b(?:the|this|that|these|those)\s+(?:(?:given|provided|above|following|supplied|retrieved)\s+)?"
    r"(?:passage|excerpt|snippet|extract)s?\b"
    r"|\b(?:given|provided|supplied|above)\s+(?:passage|text|context|document|information|table|excerpt)s?\b"
    r"|\b(?:mentioned|described|stated|listed|given|shown|noted|discussed|provided)\s+(?:above|below|here|earlier|"
    rf"(?:in|by)\s+(?:the|this)\s+{_SOURCE})\b"
    r"|\b(?:the|this)\s+author\b|\bas\s+(?:above|below)\b|\bin\s+(?:the|this)\s+(?:table|figure|list)\s*(?:above|below)?\s*[?.]",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|them|his|its|their|this|these|those)\b", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\b(?:when\s+it\s+comes\s+to\b"
    r"|(?:(?:is|was|will|would|can|could|does|did|may|might|has|be)\s+(?:\w+\s+)?it|it\s+(?:is|was|will|would|takes?|costs?))\b"
    r"(?=.*\b(?:to|that|for|if|when|before|until|possible|necessary|allowed|required|true|free)\b))",
    re.IGNORECASE | re.DOTALL,
)
_NO_ANTECEDENT_TEXT = (
    "much many long often far old soon happen happens mean means cost costs take takes give gives get gets make makes "
    "need needs use uses work works apply applies say says know tell explain describe please state name list yes "
    "could why whose"
)
_NO_ANTECEDENT = STOP_WORDS | frozenset(_NO_ANTECEDENT_TEXT.split())
"""Words that can't be the antecedent of a pronoun."""


_LEANING = re.compile(
    r"\b(?:the|this|that|these|those)\s+(?P<noun>(?:account|card|ceiling|change|charge|contract|cut|deposit|device|excess|"
    r"fee|instalment|insurance|limit|loan|offer|package|plan|policy|premium|price|product|programme|rate|service)s?)\b"
    r"(?!\s+(?:of|for|on|to|from|with|at|in|by|that|which|who|whose|between)\b)",
    re.IGNORECASE,
)
"""Things of which there are many, so that "the card" needs a word that says which."""


def question_problem(query: str) -> str | None:
    """The reason why a query can't be asked, or None: it is empty, a single word, or too long."""
    length = len(words(query))
    if length < FEWEST_WORDS:
        return "it has fewer than two words"
    return f"it has more than {MOST_WORDS} words" if length > MOST_WORDS else None


def reference_to_unseen(query: str) -> str | None:
    """The words of a query that refer to something which only a reader of the passage sees, or None.

    It is a mention of the passage ("according to the document"), or a pronoun without a possible antecedent before it
    in the query. "How long does it take to …" is no such pronoun."""
    source = _REFERS_TO_SOURCE.search(query)
    if source is not None:
        return source.group()
    for pronoun in _PRONOUN.finditer(query):
        if pronoun.group().casefold() == "it" and _is_expletive(query, pronoun.start()):
            continue
        before = words(query[: pronoun.start()])
        if all(word in _NO_ANTECEDENT for word in before):
            return pronoun.group()
    return None


def named_by_heading_only(query: str, heading: Sequence[str]) -> str | None:
    """The words of a query for a thing that only the heading of its passage identifies, or None.

    "The card" is such a thing under "Harbour Credit", unless the query has a name, a word of the heading, or the noun
    with other words before."""
    lean = _LEANING.search(query)
    if lean is None or not heading or NAME_WITHIN.search(query):
        return None
    noun = stem(lean["noun"].casefold())
    naming = {stem(word) for word in words(heading[-1].partition(": ")[0]) if word not in STOP_WORDS} - {noun}
    before = {stem(word) for word in words(query[: lean.start()])}
    return None if not naming or naming & stems(query) or noun in before else lean.group()


def _is_expletive(query: str, at: int) -> bool:
    """Whether the "it" at this offset is expletive, as in "how long does it take to"."""
    return any(match.start() <= at < match.end() for match in _EXPLETIVE.finditer(query))
