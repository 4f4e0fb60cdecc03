"""What a metric looks at: a sample's parts as sentences with their unit embeddings, and similarities between parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from core.claims.claim import Check, Verdict
from core.metrics.token_matching import Idf, TokenMatches
from core.text import Sentence
from core.types import JsonValue, Sample

if TYPE_CHECKING:
    from core.models.llm.reverse_questions import ReverseQuestions

PARTS = ("query", "contexts", "answer", "reference")
"""The parts of a sample that metrics read as sentences."""

TRUTH = "reference or answer"
"""The reference; on a sample that has none, the answer."""


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence of a part. For contexts, `passage` is the id of the passage that its offsets refer to, and `rank`
    its place among the contexts, from 0, since an id may occur twice."""

    sentence: Sentence
    passage: str | None = None
    rank: int | None = None

    def located(self) -> dict[str, JsonValue]:
        """Text, character offsets and passage, as JSON."""
        place: dict[str, JsonValue] = {
            "text": self.sentence.text,
            "start": self.sentence.start,
            "end": self.sentence.end,
        }
        return place if self.passage is None else {"passage": self.passage, **place}


@dataclass(frozen=True)
class SampleView:
    """A sample in sentences, with what the chosen metrics read of it.

    `rows` holds a unit matrix (sentences, dimension) for each part that was encoded; `verdicts` what a judge says of
    each check that a metric asked for; `tokens` how the word pieces of answer and reference match, and `idf` how rare
    they are; `questions` what a language model would ask for the answer.
    """

    sample: Sample
    parts: Mapping[str, tuple[PlacedSentence, ...]]
    rows: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    verdicts: Mapping[Check, tuple[Verdict, ...]] = field(default_factory=dict)
    tokens: TokenMatches | None = None
    idf: Idf | None = None
    questions: ReverseQuestions | None = None
    _similarities: dict[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def similarity(self, part: str, other: str) -> NDArray[np.float64]:
        """Cosine similarity of every sentence of `part` (rows) with every one of `other` (columns), in [-1, 1]."""
        if (part, other) not in self._similarities:
            cosines = np.clip(self.rows[part] @ self.rows[other].T, -1.0, 1.0)
            self._similarities[part, other] = cosines
            self._similarities[other, part] = cosines.T
        return self._similarities[part, other]

    def missing(self, needs: Sequence[str]) -> str | None:
        """Why a metric with these needs can't score the sample, or None where it can."""
        return next((reason for part in needs if (reason := self._missing(part)) is not None), None)

    @property
    def reference_or_answer(self) -> Literal["reference", "answer"]:
        """What contexts are held against: the reference, or the answer where there is no reference or a blank one."""
        return "reference" if self.parts["reference"] else "answer"

    def _missing(self, part: str) -> str | None:
        if part == TRUTH:
            return None if self.parts[self.reference_or_answer] else f"no {TRUTH}"
        given = {
            "query": True,
            "contexts": bool(self.sample.contexts),
            "answer": self.sample.answer is not None,
            "reference": self.sample.reference is not None,
            "context_ids": bool(self.sample.contexts),
            "relevant_ids": bool(relevant_ids(self.sample)),
        }[part]
        if not given:
            return {"context_ids": "no contexts", "relevant_ids": "no relevant ids"}.get(part, f"no {part}")
        return f"empty {part}" if part in PARTS and not self.parts[part] else None


def parts_of(need: str) -> tuple[str, ...]:
    """The parts whose sentences a need speaks of."""
    return ("reference", "answer") if need == TRUTH else (need,) if need in PARTS else ()


def relevant_ids(sample: Sample) -> tuple[str, ...]:
    """The ids of the passages that are relevant: those of grade 1 or more."""
    return tuple(name for name, grade in sample.relevant_ids.items() if grade >= 1)


def placed_sentences(
    sample: Sample, part: str, segment: Callable[[str], tuple[Sentence, ...]]
) -> tuple[PlacedSentence, ...]:
    """The sentences of one part in order; none where the part is absent or blank."""
    if part == "contexts":
        return tuple(
            PlacedSentence(sentence, passage.id, rank)
            for rank, passage in enumerate(sample.contexts)
            for sentence in segment(passage.text)
        )
    text = {"query": sample.query, "answer": sample.answer, "reference": sample.reference}[part]
    return () if text is None else tuple(PlacedSentence(sentence) for sentence in segment(text))


def unit_rows(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """Rows as a float64 matrix of unit length, so that a sentence's similarity to itself is 1 to the last digits."""
    matrix = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(norms > 0, norms, 1.0), dtype=np.float64)
