"""Conversion of a draft of a query to a test case: its style, its difficulty, and the place of its answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from hcat.core.capabilities.test_sets.facts.context import topic_of
from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex, overlap
from hcat.core.capabilities.test_sets.queries.rewording import reworded
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import Difficulty, QueryType, TestCase, case_id
from hcat.core.types import JsonValue

STYLES = ("neutral", "terse", "polite", "colloquial")
_WEIGHTS = (4, 2, 2, 2)
LOW_OVERLAP = 0.6
"""Overlap below which the wording of a query differs clearly from that of its passage."""
FAR = 2
"""An answer from this sentence of its passage on (from 0) counts as distant from the beginning."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A query in each of its styles, its right answer, and the facts that prove it.

    `reference` is None if the right reaction is to decline. `hops` is the number of passages, or statements of one
    passage, that must be combined."""

    type: QueryType
    rule: str
    wordings: Mapping[str, str]
    reference: str | None
    answer: str
    facts: tuple[KeyFact, ...]
    options: tuple[str, ...] = ()
    hops: int = 1
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


def as_case(draft: Draft, index: CorpusIndex, rng: random.Random, *, own_words: bool = False) -> TestCase:
    """The draft in a random style, as a test case; with `own_words`, reworded to share fewer words with its
    passages."""
    styles = [style for style in STYLES if style in draft.wordings]
    style = rng.choices(styles, [_WEIGHTS[STYLES.index(name)] for name in styles])[0]
    query = draft.wordings[style]
    answerable = draft.type != "unanswerable"
    sources = _passages(draft)
    if own_words and draft.type != "open":
        in_rows = any(fact.row is not None or fact.cell is not None for fact in draft.facts)
        keep, measured = _names_in(draft, index), partial(overlap, passages=sources)
        query = reworded(query, keep=keep, overlap=measured, words=not in_rows)
    near = tuple(dict.fromkeys([*(one.id for one in sources), *index.nearest(query)])) if not answerable else ()
    shared = overlap(query, sources)
    evidence: list[JsonValue] = [[fact.passage.id, fact.start, fact.end] for fact in draft.facts]
    return TestCase(
        id=case_id(query, [passage.id for passage in sources]),
        query=query,
        reference=draft.reference,
        passages=tuple(passage.id for passage in sources) if answerable else (),
        nearest=near,
        type=draft.type,
        difficulty=difficulty(hops=draft.hops, overlap=shared, distance=max(fact.place for fact in draft.facts)),
        style=style,
        options=draft.options,
        generator=f"rule: {draft.rule}",
        key_fact=" ".join(dict.fromkeys(_stated(fact) for fact in draft.facts)),
        overlap=round(shared, 4),
        metadata={"answer": draft.answer, "evidence": evidence, "hops": draft.hops, **draft.metadata},
    )


def difficulty(*, hops: int, overlap: float, distance: int) -> Difficulty:
    """The difficulty of a query, by points: 0 points are easy, 1 is medium, more are hard. Each hop after the first
    adds one point. There is one point if fewer than 60% of the query's content words are in its passages, and one
    if the evidence is in the third sentence of its passage or later."""
    points = (hops - 1) + (overlap < LOW_OVERLAP) + (distance >= FAR)
    return "easy" if points <= 0 else "medium" if points == 1 else "hard"


def _names_in(draft: Draft, index: CorpusIndex) -> list[str]:
    """Phrases that a query must contain as written in the passages: headings, options, and the subject of its proof."""
    topics = (topic_of(fact.passage.heading, index.vocabulary) for fact in draft.facts)
    said = [value for value in draft.metadata.values() if isinstance(value, str)]
    return [*(topic.phrase for topic in topics if topic is not None), *draft.options, *said, draft.answer]


def _stated(fact: KeyFact) -> str:
    """The words of the passage that state a fact."""
    return " ".join(fact.passage.text[fact.start : fact.end].split())


def _passages(draft: Draft) -> tuple[CorpusPassage, ...]:
    return tuple({fact.passage.id: fact.passage for fact in draft.facts}.values())
