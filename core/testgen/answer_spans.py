"""Where the answer of a test case stands in a passage, so that whoever reads the passage sees it at once."""

from __future__ import annotations

from hcat.core.claims.words import words
from hcat.core.testgen.passages import CorpusPassage
from hcat.core.testgen.selection.support import statement
from hcat.core.testgen.test_case import TestCase
from hcat.core.text import Span, sentences

LIKENESS = 75.0
"""Similarity (rapidfuzz's partial ratio, 0 to 100) from which on a sentence is taken to say what a fact says."""


def answer_spans(case: TestCase, passage: CorpusPassage) -> tuple[Span, ...]:
    """The parts of the passage's text that hold the answer, in order; none where they can't be told.

    Those that the generator named; else the sentences that say what the key fact says, or the answer.
    """
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
