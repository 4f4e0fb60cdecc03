"""The other parts of a clause that can be asked for: days, places, means, reasons, and things needed or covered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.capabilities.test_sets.facts.answers import Answer, AnswerKind, quantities
from hcat.core.capabilities.test_sets.facts.clauses import Clause
from hcat.core.capabilities.test_sets.facts.lexicon import word_set
from hcat.core.capabilities.test_sets.facts.parsing import Word

_DAYS = word_set(
    "monday tuesday wednesday thursday friday saturday sunday midnight noon day birthday anniversary weekend"
)
_PLACES = word_set("app branch inbox website desk lobby office building store shop headquarters entrance box mailbox")
_MEANS = word_set("letter post telephone phone email mail message video courier app fax card transfer standing order")
_ASKED_OBJECTS = word_set(
    "need require include insure exclude show receive sign declare accept contain sell provide present consult "
    "store cover disclose publish operate offer produce manufacture own acquire name"
)
_HOURS = re.compile(r"from \d{1,2}:\d{2} to \d{1,2}:\d{2}")
_SHORTEST_AGE = 3
_FEWEST_REASON_WORDS, _MOST_PHRASE_WORDS, _MOST_OBJECT_WORDS = 3, 10, 16


def answers(clause: Clause) -> Iterator[Answer]:
    """Each part of the clause after its verb that can be asked for."""
    found = list(quantities(clause))
    yield from found
    for child in clause.sentence.children(clause.verb.position, "advcl", "prep", "agent", "dobj"):
        span = _span(clause, child)
        if span is None:
            continue
        kind = _kind(clause, child, span)
        overlapping = any(answer.outer_start < span[1] and answer.end > span[0] for answer in found)
        if kind is not None and not overlapping:
            yield Answer(kind, *span)


def _span(clause: Clause, child: Word) -> tuple[int, int] | None:
    """The span of a phrase after the verb; None if it is not contiguous or precedes the verb."""
    places = [place for place in clause.sentence.subtree(child.position) if place < clause.end]
    start, end = places[0], places[-1] + 1
    together = end - start == len(places) and start > clause.verb.position
    return (start, end) if together else None


def _kind(clause: Clause, child: Word, span: tuple[int, int]) -> AnswerKind | None:
    first = clause.sentence.words[span[0]].text.lower()
    length = span[1] - span[0]
    if child.dep == "dobj":
        return "thing" if _can_be_asked_for(clause, child, length) else None
    causal = ("because", "since") if child.dep == "advcl" else ("because",)
    if first in causal:
        return "reason" if span[1] == clause.end and length > _FEWEST_REASON_WORDS else None
    if child.dep == "advcl" or length > _MOST_PHRASE_WORDS or _is_listed(clause, span[0]):
        return None
    if first == "from" and _HOURS.fullmatch(clause.sentence.span(*span)):
        return "hours"
    nouns = {word.lemma for word in clause.sentence.children(child.position, "pobj")}
    names = [word for word in clause.sentence.children(child.position, "pobj") if word.tag == "NNP"]
    said = set(clause.sentence.span(*span).lower().split())
    if first in ("on", "at") and nouns & _DAYS and not said & {"every", "same"}:
        return "date"
    if first == "at" and "age" in nouns and length > _SHORTEST_AGE:
        return "age"
    if first in ("in", "at") and (nouns & _PLACES or (first == "at" and names)):
        return "place" if names or "and" not in said else None
    if first == "by" and nouns & _MEANS:
        return "means"
    return None


def _is_listed(clause: Clause, start: int) -> bool:
    """Whether words joined by "and" or "or" occur between the verb and the phrase."""
    return any(word.dep == "conj" for word in clause.sentence.words[clause.verb.position + 1 : start])


def _can_be_asked_for(clause: Clause, child: Word, length: int) -> bool:
    """Whether "what" can ask for an object: the verb is one of needing, covering or offering."""
    if clause.verb.lemma not in _ASKED_OBJECTS or length > _MOST_OBJECT_WORDS or child.tag not in ("NN", "NNS", "NNP"):
        return False
    return clause.negation is None and clause.sentence.words[child.position - length + 1].text.lower() != "no"
