"""What a policy promises of the answers that it accepts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from core.errors import HcatError

MOST_ERROR, LEAST_CONFIDENCE = 0.5, 0.5


@dataclass(frozen=True, slots=True)
class Promise:
    """With probability `confidence` over draws of labels, no more than the share `error` of accepted answers fail."""

    error: float = 0.1
    confidence: float = 0.9

    def __post_init__(self) -> None:
        if not 0 < self.error <= MOST_ERROR:
            raise HcatError(f"the error let through must lie above 0 and up to {MOST_ERROR}, not at {self.error:g}")
        if not LEAST_CONFIDENCE <= self.confidence < 1:
            raise HcatError(f"the confidence must lie from {LEAST_CONFIDENCE} to below 1, not at {self.confidence:g}")

    @property
    def risk(self) -> float:
        """δ: the probability with which the promise may be broken."""
        return 1 - self.confidence

    @property
    def least_accepted(self) -> int:
        """The fewest labelled answers above a threshold that can show the promise: as many without a single failure."""
        return math.ceil(round(math.log(self.risk) / math.log(1 - self.error), 9))

    def shared_by(self, rules: int) -> Promise:
        """The promise of each of so many rules with which all of them hold at once (Bonferroni)."""
        return self if rules <= 1 else replace(self, confidence=1 - self.risk / rules)
