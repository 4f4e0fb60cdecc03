"""Candidates for test cases from passages, type by type, by rule: no language model writes them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.errors import HcatError
from core.language import ENGLISH, language_of
from core.testgen.facts.context import Topic
from core.testgen.facts.extraction import key_facts
from core.testgen.facts.key_fact import KeyFact
from core.testgen.facts.parsing import parse
from core.testgen.passages import CorpusPassage
from core.testgen.queries.corpus_index import CorpusIndex
from core.testgen.queries.drafts import Draft, as_case
from core.testgen.queries.factual import factual_drafts
from core.testgen.queries.rows import row_drafts
from core.testgen.queries.unanswerable import (
    false_premise_drafts,
    near_miss_drafts,
    row_unanswerable_drafts,
    topics_by_parent,
)
from core.testgen.queries.wording import Voice
from core.testgen.queries.yes_no import row_yes_no_drafts, yes_no_drafts
from core.testgen.test_case import QueryType, TestCase

QUERY_TYPES: tuple[QueryType, ...] = (
    "simple factual",
    "multi-hop",
    "inference",
    "yes/no",
    "multiple choice",
    "open",
    "unanswerable",
)
_BATCH = 64


def generate_queries(
    passages: Iterable[CorpusPassage],
    *,
    types: Sequence[QueryType] = QUERY_TYPES,
    rng: random.Random,
    index: CorpusIndex | None = None,
) -> Iterator[TestCase]:
    """Every query that the rules find in the passages, each with its answer, evidence and difficulty.

    `index` is over the whole corpus, where `passages` are a part of it: what is proved absent is absent there. Passages
    are parsed in batches; no two queries are the same. Raises HcatError where no passage is in English.
    """
    chosen = tuple(passages)
    whole = index or CorpusIndex(chosen)
    english = [passage for passage in chosen if language_of(passage.text) in (ENGLISH, None)]
    if chosen and not english:
        raise HcatError("queries by rule are made of English passages only: use an endpoint for other languages")
    siblings = topics_by_parent(whole.passages, whole.vocabulary)
    seen: set[str] = set()
    for start in range(0, len(english), _BATCH):
        batch = english[start : start + _BATCH]
        for passage, sentences in zip(batch, parse([passage.text for passage in batch]), strict=True):
            voice = Voice(whole.organisations.get(passage.document))
            for fact in key_facts(passage, sentences, vocabulary=whole.vocabulary):
                for draft in _drafts(fact, whole, voice, siblings, frozenset(types), rng):
                    case = as_case(draft, whole, rng)
                    if case.query.casefold() not in seen:
                        seen.add(case.query.casefold())
                        yield case


def _drafts(
    fact: KeyFact,
    index: CorpusIndex,
    voice: Voice,
    siblings: Mapping[str, tuple[Topic, ...]],
    types: frozenset[QueryType],
    rng: random.Random,
) -> Iterator[Draft]:
    if "simple factual" in types:
        yield from factual_drafts(fact, voice)
        yield from row_drafts(fact, index)
    if "yes/no" in types:
        yield from yes_no_drafts(fact, voice, rng)
        yield from row_yes_no_drafts(fact, index, rng)
    if "unanswerable" in types:
        yield from near_miss_drafts(fact, index, siblings, voice)
        yield from false_premise_drafts(fact, voice, rng)
        yield from row_unanswerable_drafts(fact, index, rng)
