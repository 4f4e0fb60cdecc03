"""The input of metrics: a sample's parts as sentences with unit embeddings, and similarities between parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import HcatError
from hcat.core.records.samples.columns import retrieved_of
from hcat.core.text import PlacedSentence, Sentence
from hcat.core.types import Sample

Result = TypeVar("Result")

PARTS = ("query", "contexts", "answer", "reference")
"""The parts of a sample that metrics read as sentences."""

TRUTH = "reference or answer"
"""The reference; for a sample without one, the answer."""
OF_IDS = ("context_ids", "relevant_ids", "candidates")
"""Needs that are ids rather than texts."""
TEXT_ERASED = "text erased"
"""The reason why a sample with erased text is unscored."""


@dataclass(frozen=True, eq=False)
class PartEmbeddings:
    """A unit matrix (sentences, dimension) for each part of a sample that was encoded."""

    rows: Mapping[str, NDArray[np.float64]]
    _similarities: dict[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def similarity(self, part: str, other: str) -> NDArray[np.float64]:
        """Cosine similarity of every sentence of `part` (rows) with every one of `other` (columns), in [-1, 1]."""
        if (part, other) not in self._similarities:
            cosines = np.clip(self.rows[part] @ self.rows[other].T, -1.0, 1.0)
            self._similarities[part, other] = cosines
            self._similarities[other, part] = cosines.T
        return self._similarities[part, other]


@dataclass(frozen=True)
class SampleView:
    """A sample in sentences, with the results of scoring steps that the chosen metrics need.

    `results` has one value of each type: `PartEmbeddings`, `ClaimVerdicts`, `TokenMatches`, `ReverseQuestions`, and
    those of other steps. A metric asks for its own by the type."""

    sample: Sample
    parts: Mapping[str, tuple[PlacedSentence, ...]]
    results: Mapping[type[object], object] = field(default_factory=dict)

    def result(self, kind: type[Result]) -> Result | None:
        """The result of this type; None if no such step was run, or it found nothing."""
        result = self.results.get(kind)
        return result if isinstance(result, kind) else None

    def with_results(self, *results: object) -> SampleView:
        """The sample with further results, each under its own type."""
        return replace(self, results={**self.results, **{type(value): value for value in results}})

    def similarity(self, part: str, other: str) -> NDArray[np.float64]:
        """Cosine similarity of every sentence of `part` (rows) with every one of `other` (columns), in [-1, 1].

        Raises HcatError if the sample was not encoded."""
        embeddings = self.result(PartEmbeddings)
        if embeddings is None:
            raise HcatError(f"The sample {self.sample.id!r} was not encoded: its parts have no similarities.")
        return embeddings.similarity(part, other)

    def missing(self, needs: Sequence[str]) -> str | None:
        """The reason why a metric with these needs can't score the sample; None if it can."""
        return next((reason for need in needs if (reason := self._missing(need)) is not None), None)

    @property
    def reference_or_answer(self) -> Literal["reference", "answer"]:
        """The part that contexts are compared with: the reference, or the answer if the reference is absent or
        blank."""
        return "reference" if self.parts["reference"] else "answer"

    def _missing(self, need: str) -> str | None:
        if self.sample.erased is not None and need not in OF_IDS:
            return TEXT_ERASED
        if need == TRUTH:
            return None if self.parts[self.reference_or_answer] else f"no {TRUTH}"
        present = {
            "query": True,
            "contexts": bool(self.sample.contexts),
            "answer": self.sample.answer is not None,
            "reference": self.sample.reference is not None,
            "context_ids": bool(self.sample.contexts),
            "relevant_ids": bool(relevant_ids(self.sample)),
            "candidates": retrieved_of(self.sample).candidates is not None,
        }[need]
        if not present:
            of_ids = {"context_ids": "no contexts", "relevant_ids": "no relevant ids", "candidates": "no candidates"}
            return of_ids.get(need, f"no {need}")
        return f"empty {need}" if need in PARTS and not self.parts[need] else None


def parts_of(need: str) -> tuple[str, ...]:
    """The parts whose sentences a need refers to."""
    return ("reference", "answer") if need == TRUTH else (need,) if need in PARTS else ()


def relevant_ids(sample: Sample) -> tuple[str, ...]:
    """The ids of the relevant passages: those of grade 1 or more."""
    return tuple(name for name, grade in sample.relevant_ids.items() if grade >= 1)


def placed_sentences(
    sample: Sample, part: str, segment: Callable[[str], tuple[Sentence, ...]]
) -> tuple[PlacedSentence, ...]:
    """The sentences of one part in order; none if the part is absent or blank, or its text is erased."""
    if sample.erased is not None:
        return ()
    if part == "contexts":
        return tuple(
            PlacedSentence(sentence, passage.id, rank)
            for rank, passage in enumerate(sample.contexts)
            for sentence in segment(passage.text)
        )
    text = {"query": sample.query, "answer": sample.answer, "reference": sample.reference}[part]
    return () if text is None else tuple(PlacedSentence(sentence) for sentence in segment(text))
