"""Entailment models: does a hypothesis follow from a premise, and how far is it from the boundary?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.models.batches import Batches
from hcat.core.models.nli.geometry import boundary_score

Pair = tuple[str, str]
"""Premise and hypothesis."""


@dataclass(frozen=True)
class EntailmentResult:
    """One row per pair: the signed distance `D` (n,) to the entailment boundary, and `score` (n,) = σ(D) in [0, 1].

    A pair is entailed where D > 0, that is where the score is above one half.
    """

    D: NDArray[np.float64]
    score: NDArray[np.float64]

    @classmethod
    def of(cls, D: NDArray[np.float64]) -> EntailmentResult:
        return cls(D, boundary_score(D))

    @property
    def entailed(self) -> NDArray[np.bool_]:
        """Boolean (n,)."""
        return np.asarray(self.D > 0, dtype=np.bool_)

    @property
    def n(self) -> int:
        return len(self.D)


class EntailmentModel(Protocol):
    """Takes pairs of premise and hypothesis. `revision` is the SHA-256 of the weights; caches and reports include it.

    `pieces` is how many word pieces a pair may have before its premise is cut: windows keep below it.
    """

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def pieces(self) -> int: ...

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        """A row for each pair, in their order. A row does not depend on the pairs beside it."""
        ...


def entail_distinct(
    pairs: Sequence[Pair],
    *,
    lengths: Callable[[Sequence[Pair]], Sequence[int]],
    begin: Callable[[Sequence[Pair]], Callable[[], NDArray[np.float64]]],
    batches: Batches,
) -> EntailmentResult:
    """Compute each distinct pair once, in batches of one padded length, and return the rows in the pairs' order.

    `lengths` counts the word pieces of pairs; `begin` begins to compute those that share a padded length, and returns
    what waits for D (n,).
    """
    distinct = list(dict.fromkeys(pairs))
    D = np.zeros(len(distinct), dtype=np.float64)
    for members, rows in batches.computed(lengths(distinct), lambda some: begin([distinct[i] for i in some])):
        D[members] = rows[: len(members)]
    place = {pair: index for index, pair in enumerate(distinct)}
    return EntailmentResult.of(D[[place[pair] for pair in pairs]])
