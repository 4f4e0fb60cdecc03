"""Entailment models: whether a hypothesis follows from a premise, and the distance from the boundary."""

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

    A pair is entailed if D > 0, which is a score above one half."""

    D: NDArray[np.float64]
    score: NDArray[np.float64]

    @classmethod
    def of(cls, D: NDArray[np.float64]) -> EntailmentResult:
        return cls(D, boundary_score(D))

    @property
    def entailed(self) -> NDArray[np.bool_]:
        """Whether each pair is entailed, (n,)."""
        return np.asarray(self.D > 0, dtype=np.bool_)

    @property
    def n(self) -> int:
        return len(self.D)


class EntailmentModel(Protocol):
    """Takes pairs of premise and hypothesis. `revision` is the SHA-256 of the weights; caches and reports include it.

    `pieces` is the largest number of word pieces of a pair before its premise is cut: windows stay below it."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def pieces(self) -> int: ...

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        """A row for each pair, in their order. A row does not depend on the other pairs."""
        ...


def entail_distinct(
    pairs: Sequence[Pair],
    *,
    lengths: Callable[[Sequence[Pair]], Sequence[int]],
    begin: Callable[[Sequence[Pair]], Callable[[], NDArray[np.float64]]],
    batches: Batches,
) -> EntailmentResult:
    """The rows in the pairs' order, with each distinct pair computed once, in batches of one padded length.

    `lengths` counts the word pieces of pairs; `begin` starts the computation for pairs that share a padded length, and
    returns a function that waits for D (n,)."""
    distinct = list(dict.fromkeys(pairs))
    D = np.zeros(len(distinct), dtype=np.float64)
    for members, rows in batches.computed(lengths(distinct), lambda some: begin([distinct[i] for i in some])):
        D[members] = rows[: len(members)]
    place = {pair: index for index, pair in enumerate(distinct)}
    return EntailmentResult.of(D[[place[pair] for pair in pairs]])
