"""Best matches: for each sentence of one part, the most similar sentence of another (HCAT 3.1, S_max)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.metrics.declaration import Explanation, Outcome, scored
from hcat.core.metrics.sample_view import SampleView
from hcat.core.types import JsonValue

FLAG_BELOW = 0.5
"""A sentence whose best match is less similar than this is flagged in explanations. No score depends on it."""


@dataclass(frozen=True, slots=True)
class Matches:
    """For each sentence of `part`, the greatest similarity to `other` and the first sentence that attains it."""

    sample: SampleView
    part: str
    other: str
    scores: NDArray[np.float64]
    best: NDArray[np.intp]

    def mean(self) -> Outcome:
        return scored(float(self.scores.mean()), lambda: self._explain("mean"))

    def minimum(self) -> Outcome:
        return scored(float(self.scores.min()), lambda: self._explain("minimum"))

    def weighted(self, weights: NDArray[np.float64], *, by: str) -> Outcome:
        """Σ w s with the weights scaled to sum to 1. They must be ≥ 0, and not all 0; `by` says what they are."""
        share = weights / weights.sum()
        return scored(float(share @ self.scores), lambda: self._explain("weighted mean", share) | {"weights": by})

    def _explain(self, aggregate: str, weights: NDArray[np.float64] | None = None) -> Explanation:
        rows = [self._sentence(position, weights) for position in range(len(self.scores))]
        return {
            "part": self.part,
            "against": self.other,
            "aggregate": aggregate,
            "threshold": FLAG_BELOW,
            "sentences": rows,
            "weakest": int(self.scores.argmin()),
            "flagged": [position for position in range(len(rows)) if self.scores[position] < FLAG_BELOW],
        }

    def _sentence(self, position: int, weights: NDArray[np.float64] | None) -> JsonValue:
        row = self.sample.parts[self.part][position].located()
        row["score"] = float(self.scores[position])
        if weights is not None:
            row["weight"] = float(weights[position])
        row["match"] = self.sample.parts[self.other][int(self.best[position])].located()
        return row


def best_matches(sample: SampleView, part: str, other: str) -> Matches:
    """S_max of every sentence of `part` against `other`."""
    similarity = sample.similarity(part, other)
    best = similarity.argmax(axis=1)
    return Matches(sample, part, other, similarity[np.arange(len(best)), best], best)
