"""The statement of an answer together with its query.

"In 2019." answers "When was the bank founded?", and by itself states nothing that evidence could support. By rule, for
English; if no rule applies, query and answer are read together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hcat.core.claims.split import FINITE
from hcat.core.claims.words import NAME_WITHIN, SMALL_NUMBERS, STOP_WORDS, stems, words

STATED, BOTH = "stated with the query's words", "read together with the query"
SCOPED = "without the scope that the query sets, which the evidence does not name"
LONGEST = 12
"""The most words of an answer without a verb that depends on its query."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The text that is compared with evidence in a claim's place, and its origin."""

    text: str
    note: str


_POLAR = re.compile(r"(?P<word>yes|no)\b[\s,.:;!–—-]*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
_BE = r"(?P<be>is|are|was|were)"
_AUXILIARY = r"(?P<aux>do|does|did|can|could|may|must|should|will|would|has|have|had)"
_WHAT = re.compile(
    rf"(?:what|who|which [^?]*?|how (?:much|long|high|large|big|old|many))(?:\s+{_BE}|'s)\s+(?P<rest>.+)$"
)
_SUBJECT = re.compile(
    r"(?:who|which [a-z]+)\s+(?P<rest>(?!do\b|does\b|did\b|can\b|is\b|are\b|was\b|were\b)[a-z]+\s.+)$"
)
_BE_WHERE = re.compile(rf"(?:when|where)\s+{_BE}\s+(?P<rest>.+)$")
_DO_WHERE = re.compile(rf"(?:when|where)\s+{_AUXILIARY}\s+(?P<rest>.+)$")
_HOW_MANY_HAVE = re.compile(
    rf"how (?:many|much)\s+(?P<what>[^?]+?)\s+{_AUXILIARY}\s+(?P<who>[^?]+?)\s+have(?P<rest>\b.*)$"
)
_HOW_MANY = re.compile(rf"how many\s+(?P<what>[a-z -]+?)\s+{_BE}\s+(?P<rest>(?!there\b).+)$")
_POLAR_BE = re.compile(rf"{_BE}\s+(?P<rest>.+)$")
_POLAR_AUXILIARY = re.compile(rf"{_AUXILIARY}\s+(?P<rest>.+)$")

_PRONOUNS_TEXT = "i you it they we he she"
_ARTICLES_TEXT = "the a an my your our its his her their this that these those each every all any"
_PREPOSITIONS_TEXT = (
    "in on at of for from to by with within without after before under over into during since until per about "
    "against than between through as"
)
_JOINING_TEXT = "and or but if that which who whose when where both either"
_ADJECTIVES_TEXT = (
    "due free open closed legal illegal valid invalid safe mandatory compulsory optional liable exempt available "
    "possible necessary higher lower larger smaller true correct secured"
)
_PRONOUNS, _ARTICLES, _PREPOSITIONS, _JOINING, _ADJECTIVES = (
    frozenset(text.split())
    for text in (_PRONOUNS_TEXT, _ARTICLES_TEXT, _PREPOSITIONS_TEXT, _JOINING_TEXT, _ADJECTIVES_TEXT)
)
_REFUSING = frozenset(("not", "cannot", "unable", "unknown", "sorry", "don't", "can't", "there"))
_PREDICATE = re.compile(r"(?:able|ible|ed|ing|en)$")
_PARTICIPLE = re.compile(r"(?:ed|wn|ught|aid|old|ilt)$")

_PAST = re.compile(
    r"^(?:[a-z]{2,}ed|sold|made|paid|got|bought|lost|won|held|led|met|left|resigned|said|told|sent|set|began|became)[.]?$"
)
_SCOPE = re.compile(
    r"(?P<preposition>under|pursuant to|according to|as per|in|for|within|at)\s+(?P<scope>[^,;:]{2,80}),\s+"
    r"(?P<rest>\S.+)$",
    re.IGNORECASE | re.DOTALL,
)
_INSTRUMENTS = frozenset(("under", "pursuant to", "according to", "as per"))
"""Prepositions before the name of a law or a document, whose year belongs to the name."""
_DIGIT = re.compile(r"\d")


def stated(query: str, answer: str) -> Hypothesis | None:
    """The statement of a sentence that depends on its query; None if it is complete by itself."""
    question = query.strip()
    if not question.endswith("?") or question.count("?") > 1:
        return None
    polar = _POLAR.match(answer.strip())
    if polar is not None:
        return _polar(question, answer.strip(), polar)
    if not _leans(question, answer):
        return None
    statement = _filled(question.removesuffix("?").strip(), answer.strip().rstrip("."))
    return _both(question, answer) if statement is None else Hypothesis(f"{_capital(statement)}.", STATED)


def without_scope(query: str, claim: str, evidence: str) -> str | None:
    """The claim without a phrase such as "Under the Housing Act 2006," that repeats the subject of the query.

    None if there is no such phrase; if it contains a number, which is claimed unless it is part of a law's name; and if
    the evidence names that scope or any other."""
    match = _SCOPE.match(claim)
    if match is None:
        return None
    scope, instrument = match["scope"], match["preposition"].casefold() in _INSTRUMENTS
    content = {word for word in words(scope) if word not in STOP_WORDS}
    if not content or not content <= set(words(query)) or (_DIGIT.search(scope) and not instrument):
        return None
    names = {name.casefold() for name in NAME_WITHIN.findall(f" {scope}")}
    return None if NAME_WITHIN.search(f". {evidence}") or names & set(words(evidence)) else str(match["rest"])


def _leans(question: str, answer: str) -> bool:
    """Whether an answer has no verb of its own.

    That is, it is short, and begins with a number or a preposition, or repeats no word of the query."""
    said, lowered = answer.split(), words(answer)
    if not lowered or len(said) > LONGEST or not (FINITE | _PRONOUNS | _REFUSING).isdisjoint(lowered):
        return False
    if lowered[0][0].isdigit() or lowered[0] in _PREPOSITIONS | {*SMALL_NUMBERS}:
        return True
    return len(said) <= LONGEST // 2 and not _content(question) & _content(answer) and not _like_a_verb(answer)


def _like_a_verb(answer: str) -> bool:
    """Whether a word is in the position of a verb.

    That is, before an amount or an article ("customers pay 25 euros"), or in the past tense after another word ("the
    bank opened")."""
    said = [word.lower() for word in answer.replace(",", " ,").split()]
    small = _PREPOSITIONS | _ARTICLES | _JOINING | STOP_WORDS
    return any(
        word.isalpha() and word not in small and (follower[0] in "$€£0123456789" or follower in _ARTICLES)
        for word, follower in pairwise(said[1:])
    ) or any(
        _PAST.search(follower) is not None and word not in small and word[-1] != ","
        for word, follower in pairwise(said)
    )


def _content(text: str) -> frozenset[str]:
    return stems(" ".join(word for word in words(text) if word not in STOP_WORDS))


def _polar(question: str, answer: str, match: re.Match[str]) -> Hypothesis | None:
    rest = match["rest"].strip()
    if rest:
        of_its_own = any(word in FINITE for word in words(rest)) and len(_content(rest)) > 1
        return Hypothesis(rest, f"without “{match['word']}”") if of_its_own else _both(question, answer)
    negated = match["word"].casefold() == "no"
    statement = _declared(question.removesuffix("?").strip(), "not " if negated else "")
    return _both(question, answer) if statement is None else Hypothesis(f"{_capital(statement)}.", STATED)


def _both(question: str, answer: str) -> Hypothesis:
    return Hypothesis(f"{question} {answer.strip()}", BOTH)


def _declared(question: str, negation: str) -> str | None:
    """A yes/no question as a statement."""
    for pattern, verb, subject in ((_POLAR_BE, "be", _subject_of_be), (_POLAR_AUXILIARY, "aux", _subject_of_verb)):
        match = _matching(pattern, question)
        size = None if match is None else subject(match["rest"].split())
        if match is not None and size is not None:
            said = match["rest"].split()
            return f"{' '.join(said[:size])} {match[verb].lower()} {negation}{' '.join(said[size:])}"
    return None


def _filled(question: str, answer: str) -> str | None:
    """A question that asks for something, as a statement with the answer."""
    for pattern, fill in _FILLS:
        match = _matching(pattern, question)
        statement = None if match is None else fill(match, answer)
        if statement is not None:
            return statement
    return None


def _matching(pattern: re.Pattern[str], question: str) -> re.Match[str] | None:
    """The match of the pattern on the question with its first letter in lower case, so that only the first word is
    changed."""
    return pattern.match(question[:1].lower() + question[1:])


def _fill_what(match: re.Match[str], answer: str) -> str | None:
    rest = match["rest"].split()
    if rest[0] == "there" or any(word in _JOINING for word in rest) or rest[-1].lower() in _PREPOSITIONS:
        return None
    return f"{match['rest']} {match['be'] or 'is'} {_inner(answer)}"


def _fill_subject(match: re.Match[str], answer: str) -> str | None:
    return f"{answer} {match['rest']}"


def _fill_be_where(match: re.Match[str], answer: str) -> str | None:
    said = match["rest"].split()
    if len(said) > 1 and _PARTICIPLE.search(said[-1]):
        return f"{' '.join(said[:-1])} {match['be']} {said[-1]} {_inner(answer)}"
    return f"{match['rest']} {match['be']} {_inner(answer)}" if said[0].lower() in _ARTICLES else None


def _fill_do_where(match: re.Match[str], answer: str) -> str | None:
    said = match["rest"].split()
    size = _subject_of_verb(said)
    return None if size is None else f"{' '.join(said[:size])} {match['aux']} {' '.join(said[size:])} {_inner(answer)}"


def _fill_have(match: re.Match[str], answer: str) -> str | None:
    return f"{match['who']} {match['aux']} have {_inner(answer)} {match['what']}{match['rest']}"


def _fill_how_many(match: re.Match[str], answer: str) -> str | None:
    return f"{_inner(answer)} {match['what']} {match['be']} {match['rest']}"


_FILLS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str], str], str | None]]] = (
    (_HOW_MANY_HAVE, _fill_have),
    (_HOW_MANY, _fill_how_many),
    (_BE_WHERE, _fill_be_where),
    (_DO_WHERE, _fill_do_where),
    (_WHAT, _fill_what),
    (_SUBJECT, _fill_subject),
)


def _subject_of_be(said: Sequence[str]) -> int | None:
    """The number of words of the subject in "the fee refundable"; None in doubt."""
    lowered = [word.lower() for word in said]
    if lowered[0] in _PRONOUNS:
        return 1 if len(said) > 1 and lowered[1] not in _ARTICLES else None
    first = 1 if lowered[0] in _ARTICLES else 0
    for place in range(first + 1, len(said)):
        if lowered[place] in _PREPOSITIONS | _JOINING | _ARTICLES:
            return None
        if _PREDICATE.search(lowered[place]) or lowered[place] in _ADJECTIVES:
            return place
    return len(said) - 1 if len(said) == first + 2 else None


def _subject_of_verb(said: Sequence[str]) -> int | None:
    """The number of words of the subject in "a landlord enter the flat"; None in doubt."""
    lowered = [word.lower() for word in said]
    if lowered[0] in _PRONOUNS:
        return 1 if len(said) > 1 else None
    first = 1 if lowered[0] in _ARTICLES else 0
    for place in range(first + 1, len(said)):
        if lowered[place] in _JOINING:
            return None
        if lowered[place] in _PREPOSITIONS | _ARTICLES or lowered[place][0].isdigit():
            return place - 1 if place - 1 > first else None
    return len(said) - 1 if len(said) == first + 2 else None


def _inner(answer: str) -> str:
    """An answer within a sentence: its first word in lower case unless it is a name."""
    first = words(answer)[:1]
    small = bool(first) and first[0] in STOP_WORDS | _PREPOSITIONS | _ARTICLES | {*SMALL_NUMBERS}
    return answer[:1].lower() + answer[1:] if small else answer


def _capital(statement: str) -> str:
    return statement[:1].upper() + statement[1:]
