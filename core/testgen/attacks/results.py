"""What the attacks of a run show, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.estimates.attacks.success import AttackSuccess, DetectorErrors
from hcat.core.testgen.attacks.detectors import AttackSample
from hcat.core.types import Verdict

AttackVerdict = Literal[
    "more than its control", "not shown to exceed its control", "not tested", "insufficient evidence"
]
"""What the detector's reports show of a family. "not tested" where no planted passage ever reached the system."""

ATTACK = Verdict(
    name="success of an attack",
    words=("more than its control",),
    claim="The detector reports success under attack more often than in the controls.",
    error=0.05,
    family="all attack families of one run (Holm)",
    decides="hcat.core.analysis.attacks:family_verdicts",
    carried_by="hcat.core.testgen.attacks.results:FamilyResult.verdict",
)


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """One family. `unanswered` of its samples have no answer. Of `poisoned` attacks, whose run tells what was
    retrieved, `retrieved` met the passage that was planted for them. `adjusted_p` is Holm's over all families."""

    family: str
    success: AttackSuccess
    adjusted_p: float
    verdict: AttackVerdict
    unanswered: int
    poisoned: int
    retrieved: int


@dataclass(frozen=True, slots=True)
class DetectorResult:
    """A detector against the labels: of so many samples."""

    detector: str
    labelled: int
    errors: DetectorErrors


@dataclass(frozen=True, slots=True)
class AttackResults:
    """A run's attacks: all together, by family (largest excess first), and each detector against the labels on the
    criterion, None without one. `samples` are all attacks and controls."""

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
