"""Results of the attacks of a run, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.attack_detectors import AttackSample
from hcat.core.capabilities.attacks.success import AttackSuccess, DetectorErrors
from hcat.core.types import Verdict

AttackVerdict = Literal[
    "more than its control", "not shown to exceed its control", "not tested", "insufficient evidence"
]
"""The conclusion on a family from the detector's reports. "not tested" if no planted passage ever reached the
system."""

ATTACK = Verdict(
    name="success of an attack",
    words=("more than its control",),
    claim="The detector reports success under attack more often than in the controls.",
    error=0.05,
    family="all attack families of one run (Holm)",
    decides="hcat.core.capabilities.attacks.analysis:family_verdicts",
    carried_by="hcat.core.capabilities.attacks.results:FamilyResult.verdict",
)


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """Results of one family. `unanswered` is the number of samples without an answer. Among `poisoned` attacks, whose
    run records contexts, `retrieved` had the planted passage among them. `adjusted_p` is adjusted by Holm's method over
    all families."""

    family: str
    success: AttackSuccess
    adjusted_p: float
    verdict: AttackVerdict
    unanswered: int
    poisoned: int
    retrieved: int


@dataclass(frozen=True, slots=True)
class DetectorResult:
    """Agreement of a detector with the labels, over the samples that have both."""

    detector: str
    labelled: int
    errors: DetectorErrors


@dataclass(frozen=True, slots=True)
class AttackResults:
    """Results of a run's attacks: overall, by family (largest excess first), and per detector against the labels.
    Detectors are None without a criterion. `samples` are all attacks and controls."""

    run: str
    criterion: str | None
    overall: AttackSuccess
    families: tuple[FamilyResult, ...]
    detectors: tuple[DetectorResult, ...]
    samples: tuple[AttackSample, ...]

    @property
    def hits(self) -> tuple[AttackSample, ...]:
        """The samples, attacks first, in which the detector reports success."""
        hits = [each for each in self.samples if each.hit]
        return tuple(sorted(hits, key=lambda each: each.arm != "attack"))
