"""Marks on an accepted case: the share of the passage's wording that the query repeats, and whether it reveals its
answer."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.capabilities.test_sets.selection.corpus_index import CorpusIndex, Ranking
from hcat.core.capabilities.test_sets.selection.evidence import NEAREST_SHOWN, evidence_text
from hcat.core.claims.words import STOP_WORDS, stem, stems, words
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue

COPIED, SHARED = 0.8, 0.5
"""Shares of the query's content words in its passages from which it copies, or shares, their wording."""

WORDING = "wording"
"""The dimension for the wording of a query."""


def content_overlap(query: str, evidence: str) -> float | None:
    """The share of the query's distinct content words that the evidence contains, by stems; None without content
    words."""
    content = {stem(word) for word in words(query) if word not in STOP_WORDS}
    return len(content & stems(evidence)) / len(content) if content else None


def marked(case: TestCase, index: CorpusIndex, ranking: Ranking) -> TestCase:
    """The case with its overlap, the dimension of its wording, its marks, and the ranks of its passages for its
    query."""
    nearest = tuple(index.passages[position].id for position in ranking.nearest(NEAREST_SHOWN))
    evidence = evidence_text(case, index)
    if not case.passages:
        evidence = "\n".join(index.texts[index.positions[passage]] for passage in nearest)
    overlap = content_overlap(case.query, evidence)
    marks = _marks(case, overlap, index, ranking)
    metadata: dict[str, JsonValue] = {**case.metadata, "round_trip": _ranks(case, index, ranking)}
    if marks:
        metadata["marks"] = list[JsonValue](marks)
    return replace(
        case,
        overlap=None if overlap is None else round(overlap, 3),
        nearest=case.nearest or (nearest if case.type == "unanswerable" else ()),
        dimensions={**case.dimensions, WORDING: _wording(overlap)},
        metadata=metadata,
    )


def _wording(overlap: float | None) -> str:
    if overlap is None or overlap < SHARED:
        return "own words"
    return "copied" if overlap >= COPIED else "partly copied"


def _marks(case: TestCase, overlap: float | None, index: CorpusIndex, ranking: Ranking) -> list[str]:
    marks = []
    positions = [index.positions[passage] for passage in case.passages]
    first = bool(positions) and all(ranking.ranks(position) == (1, 1) for position in positions)
    if first and overlap is not None and overlap >= COPIED:
        marks.append("easy to find: it repeats the passage's words, and both searches find it first")
    if gives_away(case):
        marks.append("gives the answer away: the query holds all its words")
    return marks


def gives_away(case: TestCase) -> bool:
    """Whether every content word of the answer is in the query, unless the answer is one of the options it offers."""
    if case.type in ("yes/no", "multiple choice", "unanswerable") or not case.reference:
        return False
    content = {stem(word) for word in words(case.reference) if word not in STOP_WORDS}
    return bool(content) and content <= stems(case.query)


def _ranks(case: TestCase, index: CorpusIndex, ranking: Ranking) -> JsonValue:
    ranks: dict[str, JsonValue] = {}
    for passage in case.passages:
        by_words, by_meaning = ranking.ranks(index.positions[passage])
        ranks[passage] = {"words": by_words, "meaning": by_meaning}
    return ranks
