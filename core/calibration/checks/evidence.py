"""What a verdict rests on beside the check split: a test against chance, repeated splits, and directions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.types import Estimate, Finite


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How well passes are told from fails: `auc` with its interval, and `p` of a test against chance.

    With `of_score` these are of the metric's own score on all `n` labels, in the direction in which it is registered as
    better: a map of one metric that keeps this direction ranks samples as the score does, so no label serves twice.
    Otherwise they are of the map's probabilities on labels that it did not learn from: medians over repeated splits,
    and twice the median p. `level` is what p is held against; it pays for the `evaluators` that could have been tried
    and for looks after every label. `against_p` is that of passes that score lower than the direction says; None where
    there is no direction. `margins` are how much the AUC exceeds that of each trivial score on the same labels, each at
    95%; `beaten_by` is a trivial score that is shown to do better, allowing for how many of them were tried.
    """

    auc: Estimate
    p: Finite
    level: Finite
    evaluators: int
    n: int
    of_score: bool
    against_p: Finite | None = None
    margins: Mapping[str, Estimate] = field(default_factory=dict)
    beaten_by: str | None = None

    @property
    def shown(self) -> bool:
        return self.p <= self.level

    @property
    def closest(self) -> tuple[str, Estimate] | None:
        """The trivial score that is hardest to beat, and by how much the metric does; None where none was measured."""
        measured = [(name, margin) for name, margin in self.margins.items() if not math.isnan(margin.value)]
        return min(measured, key=lambda item: item[1].low, default=None)


@dataclass(frozen=True, slots=True)
class Spread:
    """A quantity over splits: its median, and between which values it lies in nine of ten."""

    median: Finite
    low: Finite
    high: Finite


@dataclass(frozen=True, slots=True)
class RepeatedSplits:
    """What `splits` random splits of the labels say of the procedure, each by labels that served nothing else in it.

    `decided` is the share of sets that hold only passes or only fails, and `decided_low` the median of its lower bounds
    at 97.5%; `handed_out` is that share among the labels that did not fit the map, by the sets that are handed out,
    and among all labels where all of them make the sets.
    `coverage_p` is twice the median chance of covering no more of the checked labels than were covered, for a threshold
    that keeps its promise.
    """

    splits: int
    q_hat: Spread
    coverage: Spread
    auc: Spread
    decided: Spread
    decided_low: Finite
    coverage_p: Finite
    handed_out: Estimate


@dataclass(frozen=True, slots=True)
class Evidence:
    """All of it. `backwards` names the metrics with which the map's probability falls though they are registered as
    better where higher, or rises though lower is better."""

    discrimination: Discrimination
    repeated: RepeatedSplits | None
    backwards: tuple[str, ...] = ()
