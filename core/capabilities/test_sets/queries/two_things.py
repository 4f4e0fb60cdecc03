"""Two things whose price, duration or level two passages state: compared, subtracted, added."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from hcat.core.capabilities.test_sets.facts.context import Topic, topic_of
from hcat.core.capabilities.test_sets.facts.key_fact import IndependentClause
from hcat.core.capabilities.test_sets.facts.lexicon import word_set
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex, content_words
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.wording import as_sentence

MOST_PAIRS = 2
"""Maximum number of pairs of statements of two passages from which queries are made."""
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CHARGES = word_set("fee charge price premium excess surcharge")


def price_drafts(
    own: Sequence[Draft], others: Sequence[Draft], index: CorpusIndex, rng: random.Random
) -> Iterator[Draft]:
    """Drafts that compare two things of different passages: the one that costs more, takes longer or is higher, the
    difference, and the total cost."""
    pairs = [
        (first, second, one, other)
        for first in own
        for second in others
        if (one := _priced(first, index)) is not None and (other := _priced(second, index)) is not None
        if (one.verb, one.tail, one.unit) == (other.verb, other.tail, other.unit)
        if one.value != other.value and one.name < other.name and not holds_both(index, first, second)
    ]
    for first, second, one, other in rng.sample(pairs, min(MOST_PAIRS, len(pairs))):
        more, less = (one, other) if one.value > other.value else (other, one)
        words, tail = _COMPARED[one.verb], f" {one.tail}" if one.tail else ""
        asked = f"which {words.more}{tail}, {one.name} or {other.name}"
        yield Draft(
            "multi-hop",
            "comparison of two things",
            dict(wordings(asked, asked, None)),
            f"{as_sentence(more.name)} {first.reference} {second.reference}",
            more.name,
            (*first.facts, *second.facts),
            hops=2,
            metadata={"link": f"{words.more}{tail}", "proof": "no passage holds both answers"},
        )
        if words.together:
            yield from _together(first, second, words.together.format(f"{one.name} and {other.name}") + tail)
        how, beyond = words.by, f"{tail} than {less.name}"
        yield from by_how_much(
            first,
            second,
            (
                f"{how} {words.asking.format(more.name)}{beyond}",
                f"{how} {words.telling.format(more.name)}{beyond}",
            ),
        )


@dataclass(frozen=True, slots=True)
class _Compared:
    """The words for comparing two things with the same verb."""

    more: str
    by: str
    asking: str
    telling: str
    together: str = ""


_COMPARED = {
    "cost": _Compared("costs more", "how much more", "does {} cost", "{} costs", "do {} cost together"),
    "take": _Compared("takes longer", "how much longer", "does {} take", "{} takes"),
    "be": _Compared("is higher", "how much higher", "is {}", "{} is"),
}


@dataclass(frozen=True, slots=True)
class _Priced:
    """A thing whose price, duration or level a passage states: `tail` is "a month"."""

    name: str
    verb: str
    tail: str
    unit: str
    value: Decimal


def _together(first: Draft, second: Draft, asked: str) -> Iterator[Draft]:
    """Drafts for the total cost of two things whose prices are in different passages."""
    one, other = value_in(first.answer), value_in(second.answer)
    if one is None or other is None:
        return
    written = [number for stated in (first.answer, second.answer) for number in _NUMBER.findall(stated)]
    decimals = max(len(number.partition(".")[2]) for number in written)
    answer = _NUMBER.sub(f"{one + other:,.{decimals}f}", first.answer)
    yield Draft(
        "multi-hop",
        "sum of two passages",
        dict(wordings(f"how much {asked}", f"how much {asked.removeprefix('do ')}", None)),
        f"{as_sentence(answer)} {first.reference} {second.reference}",
        answer,
        (*first.facts, *second.facts),
        hops=2,
        metadata={"computed": " + ".join(written), "proof": "no passage holds both answers"},
    )


def _priced(draft: Draft, index: CorpusIndex) -> _Priced | None:
    fact = draft.facts[0]
    source, part, value = fact.source, fact.part, value_in(fact.answer)
    if source is None or part is None or value is None or part.preposition is not None or source.lead:
        return None
    clause = source.clause
    verb = clause.verb.lemma
    if verb not in _COMPARED or clause.negation is not None or (verb != "be" and clause.auxiliary is not None):
        return None
    if clause.subject_head.tag not in ("NN", "NNP", "VBG") or source.subject.lower() in ("we", "it"):
        return None
    if verb == "be" and (clause.subject_head.lemma not in _CHARGES or not source.subject.startswith("the ")):
        return None
    name = _thing(source, topic_of(fact.passage.heading, index.vocabulary))
    tail = clause.text(part.end, clause.end).partition(",")[0].strip()
    if (
        name is None
        or (verb == "be" and tail)
        or tail.split()[:1] not in ([], ["a"], ["per"], ["each"])
        or len(tail.split()) > 2
    ):
        return None
    return _Priced(name, verb, tail, unit_in(fact.answer), value)


def _thing(source: IndependentClause, topic: Topic | None) -> str | None:
    """The subject with the name from its heading: "the fee for urgent same-day transfers"."""
    if not source.topic_lead:
        return source.subject
    if topic is None or topic.clause or topic.is_action or source.topic_lead != topic.lead:
        return None
    return f"{source.subject} for {topic.with_article}"


def by_how_much(first: Draft, second: Draft, asked: tuple[str, str]) -> Iterator[Draft]:
    """Drafts for the difference of two amounts or periods of different passages."""
    one, other = value_in(first.answer), value_in(second.answer)
    if one is None or other is None or "%" in first.answer:
        return
    written = [number for stated in (first.answer, second.answer) for number in _NUMBER.findall(stated)]
    decimals = max(len(number.partition(".")[2]) for number in written)
    answer = _NUMBER.sub(f"{abs(one - other):,.{decimals}f}", first.answer)
    yield Draft(
        "multi-hop",
        "difference of two passages",
        dict(wordings(*asked, None)),
        f"{as_sentence(answer)} {first.reference} {second.reference}",
        answer,
        (*first.facts, *second.facts),
        hops=2,
        metadata={"computed": " - ".join(written), "proof": "no passage holds both answers"},
    )


def holds_both(index: CorpusIndex, first: Draft, second: Draft) -> bool:
    """Whether some passage contains the answers of both, so that one hop may be enough."""
    return bool(index.holding([*_answer_words(first), *_answer_words(second)]))


def _answer_words(draft: Draft) -> list[str]:
    return content_words(draft.answer) or draft.answer.split()


def unit_in(answer: str) -> str:
    """The unit of a quantity, without its number."""
    return _NUMBER.sub("", answer).strip().lower()


def value_in(answer: str) -> Decimal | None:
    """The one number of an answer; None if it has none or several."""
    numbers = _NUMBER.findall(answer)
    return Decimal(numbers[0].replace(",", "").rstrip(".")) if len(numbers) == 1 else None
