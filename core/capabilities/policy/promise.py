"""The promise of a policy about the answers that it accepts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.capabilities.policy.error_test import p_of_counts
from hcat.core.errors import HcatError
from hcat.core.statistics.growth import MOST

MOST_ERROR, LEAST_CONFIDENCE = 0.5, 0.5


@dataclass(frozen=True, slots=True)
class Promise:
    """With probability `confidence` over draws of labels, at most the share `error` of accepted answers fail."""

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

    def least_accepted(self, *, betting: bool = False) -> int:
        """The least number of equal and independent labels that can show the promise: that many without a failure."""
        most = math.ceil(round(math.log(self.risk) / math.log(1 - self.error), 9))
        if not betting:
            return most
        counts = np.arange(1, 4 * most + 1, dtype=np.float64)
        return int(np.argmax(p_of_counts(np.zeros(len(counts)), counts, self.error, betting=True) <= self.risk)) + 1

    def accepted_until_shown(self, failure_rate: float, *, betting: bool = False) -> int | None:
        """The least number of equal and independent labels that show the promise, if this share of them fails.

        None if as many fail as the promise allows, or no number up to `MOST` would do."""
        if not failure_rate < self.error:
            return None
        counts = np.unique(np.geomspace(self.least_accepted(betting=betting), MOST, 400).round())
        shown = p_of_counts(np.ceil(np.round(failure_rate * counts, 9)), counts, self.error, betting=betting)
        return int(counts[np.argmax(shown <= self.risk)]) if (shown <= self.risk).any() else None

    def at_share(self, share: float) -> Promise:
        """The same promise tested at this share of δ."""
        return self if share >= 1 else replace(self, confidence=1 - self.risk * share)
