"""Checks of a case against its passages: the query finds them, one is not enough for two, or none has the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.capabilities.test_sets.selection.corpus_index import CorpusIndex, Ranking
from hcat.core.capabilities.test_sets.selection.support import holds_words, statement
from hcat.core.claims.words import STOP_WORDS, stem, stems, words
from hcat.core.records.test_case import TestCase

FOUND_WITHIN = 5
"""A query must find its passage among the first results up to this rank, by words or by meaning."""
HOPS_FOUND_WITHIN = 10
"""The same for each passage of a multi-hop query, which asks for several."""
ONE_HOP_SHARE = 0.75
"""A passage with the answer and this share of the terms of a multi-hop query answers it alone."""
NEAREST_SHOWN = 5
_ASKING_TEXT = (
    "long much many far old often soon big high low large small happen happens please tell explain describe say list "
    "name kind type different"
)
_ASKING = frozenset(_ASKING_TEXT.split())
"""Words of a question that its answer need not repeat."""

Reason = Literal[
    "no usable question",
    "does not stand alone",
    "near-duplicate",
    "names a passage that the corpus lacks",
    "does not find its passage",
    "answer not in its passage",
    "a single passage is enough",
    "the corpus may answer it",
    "options are not distinct",
    "too many with the same answer",
]
"""Reason why a candidate is dropped."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a candidate is dropped, and the evidence for it."""

    reason: Reason
    detail: str = ""


def placement_problem(case: TestCase, index: CorpusIndex, ranking: Ranking) -> Problem | None:
    """Whether the query finds the passages with its answer; for an unanswerable query, whether any may answer it."""
    if case.type == "unanswerable":
        return _presence(case, index, ranking)
    within = HOPS_FOUND_WITHIN if case.type == "multi-hop" else FOUND_WITHIN
    for passage in case.passages:
        if not _finds(index, ranking, passage, within):
            return Problem("does not find its passage", f"{passage} is not among the first {within}")
    return _single_passage(case, index, ranking) if case.type == "multi-hop" else None


def form_problem(case: TestCase, index: CorpusIndex) -> Problem | None:
    """A problem with the case itself: missing passages, too few for its type, or equal options."""
    unknown = [passage for passage in (*case.passages, *case.nearest) if passage not in index.positions]
    if unknown:
        return Problem("names a passage that the corpus lacks", unknown[0])
    if case.type != "unanswerable" and not case.passages:
        return Problem("names a passage that the corpus lacks", "it names none")
    if case.type == "multi-hop" and len(set(case.passages)) < 2:
        return Problem("a single passage is enough", "it names one")
    if case.type == "multiple choice":
        return _options_problem(case)
    return None


def evidence_text(case: TestCase, index: CorpusIndex) -> str:
    """The passages of a case, under their headings, as one text."""
    return "\n\n".join(index.texts[index.positions[passage]] for passage in case.passages)


def _finds(index: CorpusIndex, ranking: Ranking, passage: str, within: int) -> bool:
    """Whether the query finds the passage, or one with the same text."""
    position = index.positions[passage]
    if ranking.finds(position, within=within):
        return True
    text = index.passages[position].text
    shown = (*ranking.by_words[:within], *ranking.by_meaning[:within])
    return any(index.passages[other].text == text for other in shown)


def _single_passage(case: TestCase, index: CorpusIndex, ranking: Ranking) -> Problem | None:
    """The passage that contains the answer and nearly all terms of the query, so that one hop is enough."""
    wanted = _asked_terms(case.query)
    positions = {index.positions[passage] for passage in case.passages}
    for position in sorted({*positions, *ranking.nearest(FOUND_WITHIN)}):
        text = index.texts[position]
        shared = len(wanted & stems(text)) / max(1, len(wanted))
        if shared >= ONE_HOP_SHARE and holds_words(text, statement(case)):
            return Problem("a single passage is enough", index.passages[position].id)
    return None


def _presence(case: TestCase, index: CorpusIndex, ranking: Ranking) -> Problem | None:
    """A passage that contains every name, number and content word of the query, so that it may contain an answer."""
    wanted = _asked_terms(case.query)
    for position in ranking.nearest(2 * HOPS_FOUND_WITHIN):
        if wanted <= stems(index.texts[position]):
            return Problem("the corpus may answer it", f"{index.passages[position].id} holds all its words")
    return None


def _asked_terms(query: str) -> frozenset[str]:
    """Stems of the names, numbers and content words of a query."""
    return frozenset(stem(word) for word in words(query) if word not in STOP_WORDS | _ASKING)


def _options_problem(case: TestCase) -> Problem | None:
    options = [" ".join(option.casefold().split()) for option in case.options]
    right = " ".join((case.reference or "").casefold().split())
    if len(options) < 2 or len(set(options)) < len(options):
        return Problem("options are not distinct", f"{len(set(options))} different of {len(options)}")
    named = [option for option in options if holds_words(right, option)]
    if right not in options and len(named) != 1:
        return Problem("options are not distinct", "the answer is not among them")
    return None
