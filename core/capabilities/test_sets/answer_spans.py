"""Character spans of a passage that contain the answer of a test case, for highlighting."""

from __future__ import annotations

from hcat.core.capabilities.test_sets.selection.support import statement
from hcat.core.claims.words import words
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.text import Span, sentences

LIKENESS = 75.0
"""Similarity (rapidfuzz's partial ratio, 0 to 100) from which a sentence counts as stating a fact."""


def answer_spans(case: TestCase, passage: CorpusPassage) -> tuple[Span, ...]:
    """The spans of the passage's text that contain the answer, in order; empty if they can't be determined.

    Spans named by the generator; otherwise the sentences that state the key fact, or the answer."""
    named = tuple(sorted({span for span in map(_named, _evidence(case, passage)) if span is not None}))
    inside = tuple((start, end) for start, end in named if 0 <= start < end <= len(passage.text))
    if inside:
        return inside
    facts = [fact.text for fact in sentences(case.key_fact)] or [statement(case)]
    found = {span for fact in facts if (span := _likest(fact, passage.text)) is not None}
    return tuple(sorted(found))


def _evidence(case: TestCase, passage: CorpusPassage) -> list[list[object]]:
    listed = case.metadata.get("evidence")
    rows = [row for row in listed if isinstance(row, list)] if isinstance(listed, list) else []
    return [list(row) for row in rows if len(row) == 3 and row[0] == passage.id]


def _named(row: list[object]) -> Span | None:
    start, end = row[1:]
    return (start, end) if isinstance(start, int) and isinstance(end, int) else None


def _likest(fact: str, text: str) -> Span | None:
    from rapidfuzz.fuzz import partial_ratio

    wanted = " ".join(words(fact))
    if not wanted:
        return None
    rated = [(partial_ratio(wanted, " ".join(words(part.text))), part) for part in sentences(text)]
    likeness, part = max(rated, key=lambda pair: pair[0], default=(0.0, None))
    return None if part is None or likeness < LIKENESS else (part.start, part.end)
