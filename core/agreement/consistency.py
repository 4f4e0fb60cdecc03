"""Annotators against themselves, and against what is known to be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.agreement.kappa import cohen_kappa
from core.agreement.pairwise import MINIMUM_N
from core.estimates.intervals import proportion_interval
from core.types import Criterion, Estimate

Judged = tuple[str, int | None, int | None]
"""An annotator and two levels of one sample: the first look and the repeat, or the right level and the one given."""


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """How often an annotator says the same again of a sample that comes back. `cannot_judge` counts repeats without a
    level at either look, which are left out."""

    annotator: str
    same: Estimate
    kappa: Estimate
    cannot_judge: int
    enough: bool


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """How often an annotator gives the level that is known to be right, and the right side of pass and fail."""

    annotator: str
    level_right: Estimate
    side_right: Estimate
    cannot_judge: int
    enough: bool


def self_consistency(
    repeats: Iterable[Judged], *, criterion: Criterion, rng: np.random.Generator, minimum_n: int = MINIMUM_N
) -> tuple[SelfConsistency, ...]:
    """Each annotator's share of equal labels (Wilson's interval) and κ between first look and repeat, by name."""
    found = []
    for annotator, (first, again, missing) in sorted(_by_annotator(repeats).items()):
        same = proportion_interval(sum(a == b for a, b in zip(first, again, strict=True)), len(first))
        kappa = cohen_kappa(first, again, rng=rng, n_levels=len(criterion.levels))
        found.append(SelfConsistency(annotator, same, kappa, missing, enough=len(first) >= minimum_n))
    return tuple(found)


def gold_accuracy(
    answers: Iterable[Judged], *, criterion: Criterion, minimum_n: int = MINIMUM_N
) -> tuple[GoldAccuracy, ...]:
    """Each annotator's share of right levels and of right sides, with Wilson's intervals, by name."""
    found = []
    for annotator, (right, given, missing) in sorted(_by_annotator(answers).items()):
        pairs = list(zip(right, given, strict=True))
        levels = sum(a == b for a, b in pairs)
        sides = sum((a >= criterion.passing) == (b >= criterion.passing) for a, b in pairs)
        found.append(
            GoldAccuracy(
                annotator,
                proportion_interval(levels, len(pairs)),
                proportion_interval(sides, len(pairs)),
                missing,
                enough=len(pairs) >= minimum_n,
            )
        )
    return tuple(found)


def _by_annotator(judged: Iterable[Judged]) -> dict[str, tuple[Sequence[int], Sequence[int], int]]:
    found: dict[str, tuple[list[int], list[int], int]] = {}
    for annotator, one, other in judged:
        first, second, missing = found.get(annotator, ([], [], 0))
        if one is None or other is None:
            missing += 1
        else:
            first.append(one)
            second.append(other)
        found[annotator] = (first, second, missing)
    return dict(found)
