"""The input of a claim verifier: a check of a sample whose parts are given as sentences. No model is imported here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hcat.core.claims.claim import Check
from hcat.core.claims.verdict import Verdict
from hcat.core.text import PlacedSentence
from hcat.core.types import JsonValue, Passage, Sample


class SentencedSample(Protocol):
    """A sample whose parts are given as sentences, with the similarities between them."""

    @property
    def sample(self) -> Sample: ...

    @property
    def parts(self) -> Mapping[str, tuple[PlacedSentence, ...]]: ...

    def similarity(self, part: str, other: str) -> NDArray[np.float64]:
        """Cosine similarity of every sentence of `part` (rows) with every one of `other` (columns), in [-1, 1]."""
        ...


@dataclass(frozen=True, eq=False)
class ClaimTask:
    """One check of one sample."""

    sample: SentencedSample
    check: Check

    @property
    def text(self) -> str:
        """The text that makes the claims; "" if the sample has none."""
        sample = self.sample.sample
        return (sample.answer if self.check.part == "answer" else sample.reference) or ""

    @property
    def evidence(self) -> tuple[Passage, ...]:
        """The evidence for the claims: contexts in rank order, or the one text, whose id is the part's name."""
        sample, check = self.sample.sample, self.check
        if check.against == "contexts":
            return sample.contexts if check.passage is None else sample.contexts[check.passage : check.passage + 1]
        text = sample.answer if check.against == "answer" else sample.reference
        return (Passage(check.against, text or ""),)


@runtime_checkable
class ClaimVerifier(Protocol):
    """Finds the claims of a text and decides on each.

    `revision` is what its verdicts depend on besides the texts: weights, or model, prompts and settings; caches and
    score tables include it."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, JsonValue]:
        """Parameters for the scores' provenance, besides name and revision."""
        ...

    def verify(self, tasks: Sequence[ClaimTask]) -> tuple[tuple[Verdict, ...], ...]:
        """The verdicts on the claims of each task, in the order of the text; () if it makes no claim.

        If claims can't be found, one verdict on the whole text with `supported` None and the reason. All tasks of a
        block of samples are passed at once, so that equal ones are verified once. Raises nothing for a single task."""
        ...
