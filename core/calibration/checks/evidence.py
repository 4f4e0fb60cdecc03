"""The evidence for a verdict besides the check split: a test against chance, repeated splits, and directions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.types import Estimate, Finite, Verdict

ABOVE_CHANCE = Verdict(
    name="AUC above chance",
    words=("above chance",),
    claim="What people pass scores higher than what they fail, in the direction of the metric.",
    error=0.025,
    family="all metrics of a run, and looks after every label from 20 on",
    decides="hcat.core.calibration.checks.discrimination:discrimination_of_score",
    carried_by="hcat.core.calibration.checks.evidence:Discrimination.shown",
)
BELOW_CHANCE = Verdict(
    name="AUC below chance",
    words=("against its direction",),
    claim="What people pass scores lower than what they fail, against the direction of the metric.",
    error=0.025,
    family="all metrics of a run, and looks after every label from 20 on",
    decides="hcat.core.calibration.checks.discrimination:discrimination_of_score",
    carried_by="hcat.core.calibration.checks.evidence:Discrimination.is_backwards",
)


@dataclass(frozen=True, slots=True)
class Discrimination:
    """The separation of passes from fails: `auc` with its interval, and `p` of a test against chance.

    With `of_score` these are of the metric's own score, in the direction in which it is registered as better: a map of
    one metric that preserves this direction ranks samples as the score does, so no label serves twice. Otherwise they
    are of the map's probabilities on labels that it did not learn from: medians over repeated splits, and twice the
    median p. `auc` is on all labels, at 95%. All else is of one look, on `n` labels: the first as many as were
    `planned`, or else all there are. `level` is what p is compared with; it is adjusted for the `evaluators` that could
    have been tried, which count as many `independent` ones, and for looks after every label, unless this one was
    planned. `alone` is the level of a test of this one evaluator. `auc_tested` is the AUC with the interval that
    belongs to `level`, and `auc_alone` the one for `alone`. `against_p` is the p-value for passes that score lower than
    the direction says; None without a direction. `margins` are by how much the AUC exceeds that of each trivial score
    on the same labels, at the level `alone`; `beaten_by` is a trivial score that is shown to do better, adjusted for
    the number tried. None means not measured by the version that made the document."""

    auc: Estimate
    p: Finite
    level: Finite
    evaluators: int
    n: int
    of_score: bool
    against_p: Finite | None = None
    margins: Mapping[str, Estimate] = field(default_factory=dict)
    beaten_by: str | None = None
    independent: Finite | None = None
    alone: Finite | None = None
    planned: int | None = None
    auc_tested: Estimate | None = None
    auc_alone: Estimate | None = None

    @property
    def shown(self) -> bool:
        """Whether the AUC is shown to be above chance, in the direction of the metric."""
        return self.p <= self.level

    @property
    def is_backwards(self) -> bool:
        """Whether the AUC is shown to be below chance: people pass what the metric scores worse."""
        return self.against_p is not None and self.against_p <= self.level

    @property
    def closest(self) -> tuple[str, Estimate] | None:
        """The trivial score that is hardest to beat, and the metric's margin over it; None if none was measured."""
        measured = [(name, margin) for name, margin in self.margins.items() if not math.isnan(margin.value)]
        return min(measured, key=lambda item: item[1].low, default=None)


@dataclass(frozen=True, slots=True)
class Spread:
    """A quantity over splits: its median, and the range of the middle nine tenths."""

    median: Finite
    low: Finite
    high: Finite


@dataclass(frozen=True, slots=True)
class RepeatedSplits:
    """Results of `splits` random splits of the labels, each measured on labels with no other role in it.

    `decided` is the share of sets that contain only passes or only fails, and `decided_low` the median of its lower
    bounds at 97.5%; `handed_out` is that share among the labels that did not fit the map, by the sets that are handed
    out, and among all labels if all of them make the sets. `coverage_p` is twice the median probability that a valid
    threshold covers no more of the checked labels than were covered, and `coverage_level` what it is compared with,
    adjusted for looks; None in documents of versions without the adjustment."""

    splits: int
    q_hat: Spread
    coverage: Spread
    auc: Spread
    decided: Spread
    decided_low: Finite
    coverage_p: Finite
    handed_out: Estimate
    coverage_level: Finite | None = None


@dataclass(frozen=True, slots=True)
class LabelsNeeded:
    """The total number of labels that would show with this probability that a metric is fit for use; None if none
    would.

    It assumes that all measured values are the true ones."""

    labels: int | None
    probability: Finite


@dataclass(frozen=True, slots=True)
class Evidence:
    """All evidence for a verdict.

    `backwards` names the metrics in which the map's probability goes against the registered direction. `labels_needed`
    is given if more labels may lead to a yes."""

    discrimination: Discrimination
    repeated: RepeatedSplits | None
    backwards: tuple[str, ...] = ()
    labels_needed: LabelsNeeded | None = None
