"""Annotators compared with themselves, and with known right levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hcat.core.capabilities.agreement.kappa import cohen_kappa
from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.capabilities.agreement.prevalence import LEAST_MINORITY, minority_labels
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Estimate


class LevelPair(NamedTuple):
    """An annotator and two levels of one sample: first look and repeat, or right level and given level.

    `test_case` names that of the sample if samples are trials, whose labels are correlated; else None."""

    annotator: str
    one: int | None
    other: int | None
    test_case: str | None = None


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """The self-agreement of an annotator on repeated samples.

    `cannot_judge` counts repeats without a level at either look, which are left out. `kappa_enough` also requires
    labels other than the most common level."""

    annotator: str
    same: Estimate
    kappa: Estimate
    cannot_judge: int
    enough: bool
    kappa_enough: bool


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """The accuracy of an annotator on samples of known level: of the level, and of pass or fail."""

    annotator: str
    level_right: Estimate
    side_right: Estimate
    cannot_judge: int
    enough: bool


def self_consistency(
    repeats: Iterable[LevelPair], *, criterion: Criterion, rng: np.random.Generator, minimum_n: int = MINIMUM_N
) -> tuple[SelfConsistency, ...]:
    """Each annotator's share of equal labels (Wilson's interval) and κ between first look and repeat, by name."""
    found = []
    for annotator, looks in sorted(_by_annotator(repeats).items()):
        same = weighted_proportion([look.one == look.other for look in looks.both], clusters=looks.test_cases)
        kappa = cohen_kappa(
            [look.one for look in looks.both],
            [look.other for look in looks.both],
            rng=rng,
            n_levels=len(criterion.levels),
            test_cases=looks.test_cases,
        )
        enough = len(looks.both) >= minimum_n
        levels = np.array(looks.both, dtype=np.float64).reshape(-1, 2)
        minority = minority_labels(levels, n_levels=len(criterion.levels), test_cases=looks.test_cases)
        kappa_enough = enough and minority >= LEAST_MINORITY
        found.append(SelfConsistency(annotator, same, kappa, looks.missing, enough=enough, kappa_enough=kappa_enough))
    return tuple(found)


def gold_accuracy(
    answers: Iterable[LevelPair], *, criterion: Criterion, minimum_n: int = MINIMUM_N
) -> tuple[GoldAccuracy, ...]:
    """Each annotator's share of right levels and of right sides, with Wilson's intervals, by name."""
    found = []
    for annotator, looks in sorted(_by_annotator(answers).items()):
        sides = [(look.one >= criterion.passing) == (look.other >= criterion.passing) for look in looks.both]
        found.append(
            GoldAccuracy(
                annotator,
                weighted_proportion([look.one == look.other for look in looks.both], clusters=looks.test_cases),
                weighted_proportion(sides, clusters=looks.test_cases),
                looks.missing,
                enough=len(looks.both) >= minimum_n,
            )
        )
    return tuple(found)


class _Levels(NamedTuple):
    one: int
    other: int


@dataclass(slots=True)
class _Looks:
    """The pairs of levels of one annotator; `missing` counts pairs without a level on either side."""

    both: list[_Levels] = field(default_factory=list)
    cases: list[str | None] = field(default_factory=list)
    missing: int = 0

    @property
    def test_cases(self) -> list[str] | None:
        named = [case for case in self.cases if case is not None]
        return named if len(named) == len(self.cases) else None


def _by_annotator(judged: Iterable[LevelPair]) -> dict[str, _Looks]:
    found: dict[str, _Looks] = {}
    for look in judged:
        looks = found.setdefault(look.annotator, _Looks())
        if look.one is None or look.other is None:
            looks.missing += 1
        else:
            looks.both.append(_Levels(look.one, look.other))
            looks.cases.append(look.test_case)
    return found
