"""Candidates for test cases from passages, type by type, by rule: no language model writes them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.test_sets.facts.key_fact import KeyFact
from hcat.core.capabilities.test_sets.queries.cells import cell_choice_drafts, cell_drafts
from hcat.core.capabilities.test_sets.queries.choices import choice_drafts
from hcat.core.capabilities.test_sets.queries.corpus_index import CorpusIndex
from hcat.core.capabilities.test_sets.queries.drafts import Draft, as_case
from hcat.core.capabilities.test_sets.queries.factual import factual_drafts
from hcat.core.capabilities.test_sets.queries.inference import limit_drafts, multiple_drafts, row_inference_drafts
from hcat.core.capabilities.test_sets.queries.multi_hop import linked_drafts, linked_passages, row_multi_hop_drafts
from hcat.core.capabilities.test_sets.queries.open_questions import open_drafts, row_open_drafts
from hcat.core.capabilities.test_sets.queries.rows import row_drafts
from hcat.core.capabilities.test_sets.queries.unanswerable import (
    false_premise_drafts,
    near_miss_drafts,
    row_unanswerable_drafts,
)
from hcat.core.capabilities.test_sets.queries.wording import Voice
from hcat.core.capabilities.test_sets.queries.yes_no import row_yes_no_drafts, yes_no_drafts
from hcat.core.errors import HcatError
from hcat.core.language import ENGLISH, language_of
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase

QUERY_TYPES: tuple[QueryType, ...] = (
    "simple factual",
    "multi-hop",
    "inference",
    "yes/no",
    "multiple choice",
    "open",
    "unanswerable",
)
_BATCH, _FEWEST_WORDS = 64, 12


@dataclass(frozen=True, slots=True)
class _Rules:
    """The index, the requested types and the random generator that the rules use."""

    index: CorpusIndex
    types: frozenset[QueryType]
    rng: random.Random


def generate_queries(
    passages: Iterable[CorpusPassage],
    *,
    types: Sequence[QueryType] = QUERY_TYPES,
    rng: random.Random,
    index: CorpusIndex | None = None,
    own_words: bool = False,
) -> Iterator[TestCase]:
    """All queries that the rules make from the passages, each with its answer, evidence and difficulty.

    `index` covers the whole corpus if `passages` are a part of it: absence is proved for the whole corpus. With
    `own_words`, queries share fewer words with their passages. Passages are parsed in batches; queries are distinct.
    Raises HcatError if no passage is in English."""
    chosen = tuple(passages)
    english = [passage for passage in chosen if _is_english(passage)]
    if chosen and not english:
        raise HcatError("queries by rule are made of English passages only: use an endpoint for other languages")
    rules = _Rules(index or CorpusIndex(chosen), frozenset(types), rng)
    seen: set[str] = set()
    for start in range(0, len(english), _BATCH):
        batch = english[start : start + _BATCH]
        for passage, facts in zip(batch, rules.index.facts(batch), strict=True):
            for draft in _of_passage(passage, facts, rules):
                case = as_case(draft, rules.index, rng, own_words=own_words)
                if case.query.casefold() not in seen:
                    seen.add(case.query.casefold())
                    yield case


def _is_english(passage: CorpusPassage) -> bool:
    """Whether the passage is in English, or too short for its language to be detected."""
    short = len(passage.text.split()) < _FEWEST_WORDS
    return short or language_of(passage.text) in (ENGLISH, None)


def _of_passage(passage: CorpusPassage, facts: Sequence[KeyFact], rules: _Rules) -> Iterator[Draft]:
    voice = Voice(rules.index.organisations.get(passage.document))
    for fact in facts:
        yield from _of_fact(fact, voice, rules)
    if "open" in rules.types:
        yield from open_drafts(facts, rules.index, voice)
    if "multi-hop" in rules.types:
        own = [draft for fact in facts if fact.part is not None for draft in factual_drafts(fact, voice)]
        linked = linked_passages(passage, rules.index) if own else ()
        others = [
            draft
            for other in rules.index.facts(linked)
            for fact in other
            if fact.part is not None
            for draft in factual_drafts(fact, voice)
        ]
        yield from linked_drafts(own, others, rules.index, rules.rng)


def _of_fact(fact: KeyFact, voice: Voice, rules: _Rules) -> Iterator[Draft]:
    types, index, rng = rules.types, rules.index, rules.rng
    factual = [*factual_drafts(fact, voice), *row_drafts(fact, index), *cell_drafts(fact)]
    if "simple factual" in types:
        yield from factual
    if "multiple choice" in types:
        for draft in factual:
            yield from choice_drafts(draft, index, rng)
        yield from cell_choice_drafts(fact, rng)
    if "yes/no" in types:
        yield from yes_no_drafts(fact, voice, rng)
        yield from row_yes_no_drafts(fact, index, rng)
    if "inference" in types:
        yield from limit_drafts(fact, voice, rng)
        yield from multiple_drafts(fact, voice, rng)
        yield from row_inference_drafts(fact, index)
    if "open" in types:
        yield from row_open_drafts(fact, index)
    if "multi-hop" in types:
        yield from row_multi_hop_drafts(fact, index, rng)
    if "unanswerable" in types:
        yield from near_miss_drafts(fact, index, voice)
        yield from false_premise_drafts(fact, voice, rng)
        yield from row_unanswerable_drafts(fact, index, rng)
