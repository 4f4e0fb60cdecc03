"""Multi-hop queries: facts of two linked passages, with a proof that no passage contains both.

Two simple queries become one if the second passage is about a thing that the first one names. Two facts that answer the
same question about different things become a comparison. The proof covers the whole corpus, by the words of both
answers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from hcat.core.capabilities.test_sets.facts.context import Topic, topic_of
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex, StatedRow, content_words, names_in
from hcat.core.capabilities.test_sets.queries.drafts import Draft
from hcat.core.capabilities.test_sets.queries.rows import amount_of, difference, is_consistent, item_of, period_of
from hcat.core.capabilities.test_sets.queries.styles import wordings
from hcat.core.capabilities.test_sets.queries.two_things import (
    MOST_PAIRS,
    by_how_much,
    holds_both,
    price_drafts,
    unit_in,
    value_in,
)
from hcat.core.capabilities.test_sets.queries.wording import as_sentence
from hcat.core.records.passages import CorpusPassage

_MOST_WORDS, _MOST_LINKED = 15, 24
_SAYS_ENOUGH = 3
_COMPARABLE = ("amount", "percentage", "period")
_SCALES = {"thousand": 1, "million": 1_000, "billion": 1_000_000}


def linked_drafts(
    own: Sequence[Draft], others: Sequence[Draft], index: CorpusIndex, rng: random.Random
) -> Iterator[Draft]:
    """Two-part queries and comparisons from short simple factual drafts: of one passage, and of those linked to it."""
    first, second = ([draft for draft in drafts if _is_short(draft)] for drafts in (own, others))
    yield from _two_part(first, second, index, rng)
    yield from _comparisons(first, second, index)
    yield from price_drafts(first, second, index, rng)


def linked_passages(passage: CorpusPassage, index: CorpusIndex) -> tuple[CorpusPassage, ...]:
    """The passages under headings that this one mentions, those that share a name with it, those under sibling
    headings, and adjacent ones."""
    topic = topic_of(passage.heading, index.vocabulary)
    sharing = [index.by_id[one] for name in names_in(passage) for one in index.names.get(name, ())]
    named = index.siblings.get(topic.parent, ()) if topic is not None and topic.name else ()
    siblings = [one for other, passages in named if other != topic for one in passages]
    mentioned = [one for _, passages in index.mentioned(passage) for one in passages]
    beside = index.beside(passage, n=_MOST_LINKED)
    linked = {one.id: one for one in [*mentioned, *sharing, *siblings, *beside] if one.id != passage.id}
    return tuple(linked.values())[:_MOST_LINKED]


def _is_short(draft: Draft) -> bool:
    return len(draft.wordings.get("neutral", "").split()) <= _MOST_WORDS


def _two_part(own: Sequence[Draft], others: Sequence[Draft], index: CorpusIndex, rng: random.Random) -> Iterator[Draft]:
    """Two questions in one, from passages that share a rare name."""
    pairs = []
    for first in own:
        for second in others:
            one, other = first.facts[0].passage, second.facts[0].passage
            shared = [name for name in names_in(one) if name in index.names and name in names_in(other)]
            shared = [name for name in shared if _speaks_of(first, name) and _speaks_of(second, name)]
            shared = shared or _asked_of(first, other, index)
            if not shared or one.id >= other.id or holds_both(index, first, second):
                continue
            if _names(first, first.facts[0], index) and _names(second, second.facts[0], index):
                pairs.append((first, second, shared[0]))
    for first, second, name in rng.sample(pairs, min(MOST_PAIRS, len(pairs))):
        yield _joined(first, second, name)


def _asked_of(draft: Draft, passage: CorpusPassage, index: CorpusIndex) -> list[str]:
    """The topic of the other passage's heading, if the query or its answer mentions it; else empty."""
    topic = topic_of(passage.heading, index.vocabulary)
    if topic is None or topic.clause or topic.is_action or topic.phrase not in index.topics:
        return []
    return [topic.phrase] if _speaks_of(draft, topic.phrase.removesuffix("s")) else []


def _speaks_of(draft: Draft, name: str) -> bool:
    return name.casefold() in f"{draft.wordings['neutral']} {draft.answer}".casefold()


def _names(draft: Draft, fact: KeyFact, index: CorpusIndex) -> bool:
    """Whether the query identifies its subject, by its heading or by its own words."""
    topic = topic_of(fact.passage.heading, index.vocabulary)
    asked = draft.wordings["neutral"].casefold()
    return topic is not None and (topic.phrase.casefold() in asked or len(set(content_words(asked))) >= _SAYS_ENOUGH)


def _joined(first: Draft, second: Draft, name: str) -> Draft:
    ask, then = first.wordings["neutral"].rstrip("?"), second.wordings["neutral"]
    lead = second.facts[0].source.topic_lead if second.facts[0].source is not None else ""
    if lead and ask.startswith(f"{lead}, "):
        then = then.removeprefix(f"{lead}, ")
    return Draft(
        "multi-hop",
        "two parts, linked by a name",
        {"neutral": f"{ask}, and {then[0].lower()}{then[1:]}"},
        f"{first.reference} {second.reference}",
        f"{first.answer}; {second.answer}",
        (*first.facts, *second.facts),
        hops=2,
        metadata={"link": name, "proof": "no passage holds both answers"},
    )


def _comparisons(own: Sequence[Draft], others: Sequence[Draft], index: CorpusIndex) -> Iterator[Draft]:
    """Comparisons of two things with the same property: which has more."""
    for first in own:
        for second in others:
            one, other = (_compared(draft, index) for draft in (first, second))
            if one is None or other is None or one[1:3] != other[1:3] or one[0].phrase >= other[0].phrase:
                continue
            if one[3] == other[3] or holds_both(index, first, second):
                continue
            names, matter = (one[0].phrase, other[0].phrase), one[1]
            more = names[0] if one[3] > other[3] else names[1]
            yield Draft(
                "multi-hop",
                "comparison of two headings",
                dict(
                    wordings(
                        f"for which is {matter} higher, {names[0]} or {names[1]}",
                        f"for which {matter} is higher, {names[0]} or {names[1]}",
                        None,
                    )
                ),
                f"For {more}. {first.reference} {second.reference}",
                more,
                (*first.facts, *second.facts),
                hops=2,
                metadata={"link": matter, "proof": "no passage holds both answers"},
            )
            less = names[1] if more == names[0] else names[0]
            asked = f"{matter} for {more} than for {less}"
            yield from by_how_much(
                first,
                second,
                (f"how much higher is {asked}", f"how much higher {matter} is for {more} than for {less}"),
            )


def _compared(draft: Draft, index: CorpusIndex) -> tuple[Topic, str, str, Decimal] | None:
    """The topic, property, unit and value of the quantity that a draft states; None if it can't be compared."""
    fact = draft.facts[0]
    source, part, value = fact.source, fact.part, value_in(fact.answer)
    topic = topic_of(fact.passage.heading, index.vocabulary)
    if (
        source is None
        or part is None
        or part.kind not in _COMPARABLE
        or topic is None
        or topic.clause
        or topic.is_action
        or value is None
    ):
        return None
    if source.clause.verb.lemma != "be" or source.topic_lead != topic.lead or source.lead:
        return None
    rest = source.clause.text(part.end, source.clause.end).partition(",")[0].strip()
    rest = re.sub(r"^an? (\w+)$", r"per \1", rest)
    return topic, f"{source.subject} {rest}".strip(), unit_in(fact.answer), value


def row_multi_hop_drafts(fact: KeyFact, index: CorpusIndex, rng: random.Random) -> Iterator[Draft]:
    """The same item of two organisations in one year, or of one organisation in two years that no passage shows
    together."""
    row = fact.row
    organisation = index.organisations.get(fact.passage.document)
    if row is None or organisation is None:
        return
    cell = rng.choice(row.cells)
    others = [
        stated
        for (name, label, period), rows in index.rows.items()
        if label == row.label.lower() and period == cell.period and name > organisation
        for stated in rows[:1]
    ]
    for stated in rng.sample(others, min(1, len(others))):
        yield from _two_organisations(fact, organisation, cell.period, stated, index)


def _two_organisations(
    fact: KeyFact, organisation: str, period: str, stated: StatedRow, index: CorpusIndex
) -> Iterator[Draft]:
    row, other = fact.row, stated.row
    if row is None or row.period_kind != other.period_kind or row.currency != other.currency:
        return
    one = next(cell for cell in row.cells if cell.period == period)
    two = next(cell for cell in other.cells if cell.period == period)
    if not (is_consistent(index, organisation, row, one) and is_consistent(index, stated.organisation, other, two)):
        return
    values = one.value * _SCALES[row.scale], two.value * _SCALES[other.scale]
    if values[0] == values[1]:
        return
    second = KeyFact(stated.passage, "table row", other.label, amount_of(other, two), other.start, other.end, row=other)
    when, when_other = period_of(fact, row, one), period_of(second, other, two)
    item = item_of(row, "")[0].removeprefix("'s ")
    if organisation in item or stated.organisation in item:
        return
    higher = organisation if values[0] > values[1] else stated.organisation
    plain = when.replace("fiscal ", "")
    asked = f"which had higher {item} {plain}, {organisation} or {stated.organisation}"
    told = f"which of {organisation} and {stated.organisation} had higher {item} {plain}"
    states = (
        f"{organisation} had {item} of {amount_of(row, one)} {when}, "
        f"{stated.organisation} of {amount_of(other, two)} {when_other}"
    )
    yield Draft(
        "multi-hop",
        "comparison of two organisations",
        dict(wordings(asked, told, f"higher {item} {plain}: {organisation} or {stated.organisation}")),
        as_sentence(f"{higher}: {states}"),
        higher,
        (fact, second),
        hops=2,
        metadata={"link": f"{item}, {period}", "proof": "no passage states the item of both organisations"},
    )
    if row.scale == other.scale:
        cells = (one, two) if values[0] > values[1] else (two, one)
        lower = stated.organisation if higher == organisation else organisation
        noun, plural = item_of(row, higher)
        verb, whose = "were" if plural else "was", f"{lower}'" if lower.endswith("s") else f"{lower}'s"
        yield Draft(
            "multi-hop",
            "difference of two organisations",
            dict(
                wordings(
                    f"how much higher {verb} {noun} {plain} than {whose}",
                    f"how much higher {noun} {verb} {plain} than {whose}",
                    None,
                )
            ),
            as_sentence(f"by {difference(row, *cells)}: {states}"),
            difference(row, *cells),
            (fact, second),
            hops=2,
            metadata={
                "computed": f"{cells[0].text} - {cells[1].text}",
                "proof": "no passage states the item of both organisations",
            },
        )
