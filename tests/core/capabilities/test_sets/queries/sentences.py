"""Passages of a small handbook, and their facts."""

from __future__ import annotations

import random

from hcat.core.capabilities.test_sets.queries import QUERY_TYPES, generate_queries
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase


def passage(text: str, *heading: str, name: str = "p", document: str = "handbook.md") -> CorpusPassage:
    return CorpusPassage(name, text, document, heading=heading, end=len(text))


def cases(*passages: CorpusPassage, types: tuple[QueryType, ...] = QUERY_TYPES, seed: int = 0) -> list[TestCase]:
    return list(generate_queries(passages, types=types, rng=random.Random(seed)))


def neutral(*passages: CorpusPassage, of: QueryType = "simple factual") -> dict[str, str | None]:
    """Query and reference of the cases of a type, over enough seeds to see each in its neutral style."""
    seen: dict[str, str | None] = {}
    for seed in range(12):
        seen |= {
            case.query: case.reference for case in cases(*passages, types=(of,), seed=seed) if case.style == "neutral"
        }
    return seen
