"""The facts of a claim: its quantities, verbs, items or asides, each as a sentence of its own.

A claim of several facts may be supported in part. A fact repeats the words that it shares with the others, such as
their subject; in any doubt about what belongs to what, the claim stays whole. By rule, for English."""

from __future__ import annotations

import re
from collections.abc import Callable

from hcat.core.claims.split import FINITE

_DOUBT = re.compile(
    r"\b(?:if|unless|whether|although|though|because|since(?! \d)|until|provided|either|neither|nor|or|both|between|"
    r"not|no|never|none|nobody|nothing|only|without|except|said|says|say|according|that|n't|respectively|"
    r"than|while|when|where|each other|together|total(?:s|led|ling)?)\b|n't|[\"“”;:()\[\]]",
    re.IGNORECASE,
)
"""Words after which it is uncertain that each part is true on its own."""
_VERB = rf"(?:{'|'.join(sorted(FINITE, key=len, reverse=True))})"
_SUBJECT_VERB = re.compile(rf"^(?P<subject>[^,]*?\w)\s+(?P<verb>{_VERB})\b", re.IGNORECASE)
_SECOND_VERB = re.compile(rf",?\s+and\s+(?:also\s+)?(?={_VERB}\s)", re.IGNORECASE)
_COPULA = re.compile(r"^(?:is|are|was|were)$", re.IGNORECASE)
_NAME = r"[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)*"
_RELATIVE = re.compile(rf",\s+(?:which|who)\s+(?={_VERB}\b)")
_ENDS_IN_NAME = re.compile(rf"(?P<name>{_NAME})$")
_APPOSITION = re.compile(rf"^(?P<name>{_NAME}),\s+(?P<aside>(?:the|an?|its|our)\s[^,]+),\s+(?P<rest>{_VERB}\b.*)$")
_QUANTITY = r"(?:[$€£]\s?)?\d[\d.,]*\s?%?\s*(?:[^\W\d]+\s+)*?(?:of|for|in|on|to|from|per|at|by|after|before)\s"
_QUANTITIES = re.compile(rf"^(?P<head>.*?\s)(?P<first>{_QUANTITY}.+?),?\s+and\s+(?P<second>{_QUANTITY}.+)$")
_LISTING = r"(?:includes?|contains?|covers?|requires?|provides?|offers?|comprises?|consists? of)"
_LIST = re.compile(rf"^(?P<head>.*?\b{_LISTING}\s)(?P<items>[^,]+(?:,\s+[^,]+)*?,?\s+and\s+[^,]+)$", re.IGNORECASE)
_ITEMS = re.compile(r",\s+and\s+|,\s+|\s+and\s+")
_LEAD = re.compile(r"(?:In|Under|At|For|On|During|As of|By|From|After|Before)\s[^,]{2,60},\s+")
"""The time or place of the whole claim."""
FEWEST_ITEMS, MOST_WORDS = 3, 6
"""Two items may be one thing ("research and development"); a long item may contain a clause."""


def facts(claim: str) -> tuple[str, ...]:
    """Two or more facts as sentences, or none if the claim is a single fact or can't safely be split."""
    body = claim.strip().removesuffix(".")
    if _DOUBT.search(body):
        return ()
    lead = _LEAD.match(body)
    scope = lead.group() if lead else ""
    split = [scope + fact for fact in _split(body.removeprefix(scope))]
    return tuple(f"{fact}." for fact in dict.fromkeys(split)) if len(set(split)) > 1 else ()


def _split(body: str) -> list[str]:
    for rule in _RULES:
        parts = rule(body)
        if parts:
            return [fact for piece in parts for fact in _split(piece)]
    return [body]


def _by_apposition(body: str) -> list[str]:
    match = _APPOSITION.match(body)
    if match is None:
        return []
    return [f"{match['name']} {match['rest']}", f"{match['name']} is {match['aside']}"]


def _by_relative_clause(body: str) -> list[str]:
    match = _RELATIVE.search(body)
    if match is None:
        return []
    main, relative = body[: match.start()], body[match.end() :]
    subject = _antecedent(main, person=" who " in match.group())
    return [main, f"{subject} {relative}"] if subject and "," not in relative else []


def _antecedent(main: str, *, person: bool) -> str | None:
    """The noun of a relative clause at the end: the name before "who"; before "which" the subject of "X is 5"."""
    if person:
        name = _ENDS_IN_NAME.search(main)
        return name["name"] if name else None
    verb = _SUBJECT_VERB.match(main)
    if verb is None or not _COPULA.match(verb["verb"]) or not main[verb.end() :].strip()[:1].isdigit():
        return None
    return str(verb["subject"])


def _by_second_verb(body: str) -> list[str]:
    first, second = _SUBJECT_VERB.match(body), _SECOND_VERB.search(body)
    if first is None or second is None or second.start() < first.end():
        return []
    return [body[: second.start()], f"{first['subject']} {body[second.end() :]}"]


def _by_quantity(body: str) -> list[str]:
    match = _QUANTITIES.match(body)
    if match is None or not _SUBJECT_VERB.match(match["head"]):
        return []
    return [match["head"] + match["first"], match["head"] + match["second"]]


def _by_item(body: str) -> list[str]:
    match = _LIST.match(body)
    if match is None:
        return []
    items = [item.strip() for item in _ITEMS.split(match["items"])]
    plain = all(item and len(item.split()) <= MOST_WORDS and not _holds_verb(item) for item in items)
    return [match["head"] + item for item in items] if plain and len(items) >= FEWEST_ITEMS else []


def _holds_verb(text: str) -> bool:
    return any(word.casefold() in FINITE for word in text.split())


_RULES: tuple[Callable[[str], list[str]], ...] = (
    _by_apposition,
    _by_relative_clause,
    _by_second_verb,
    _by_quantity,
    _by_item,
)
