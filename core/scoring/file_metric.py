"""A metric that hcat did not compute: its scores are from a file, and its meaning was stated with them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.display.messages import say
from hcat.core.errors import HcatError
from hcat.core.metrics.facts import MetricFacts, registered_facts
from hcat.core.types import Direction

FAMILY = "from file"
SHOWN_HASH = 12
JUDGED = "language model as judge"
"""The framework of metrics by a judge of hcat: their file is its model, their hash its version."""


@dataclass(frozen=True, slots=True)
class FileMetric:
    """The declaration of a metric from a file, stored with its scores so that a score file is complete by itself.

    `column` is its name in `file`, whose SHA-256 is `sha256`; `framework` the tool that made it, if known. `direction`
    is None if nobody stated it, `low` and `high` are None if that end of the range was not stated. `not_in_run` rows of
    the file were of samples that are not in the run."""

    column: str
    file: str
    sha256: str
    direction: Direction | None = None
    low: float | None = None
    high: float | None = None
    framework: str = ""
    description: str = ""
    not_in_run: int = 0

    def __post_init__(self) -> None:
        low, high = self.range
        if math.isnan(low) or math.isnan(high) or low >= high:
            raise HcatError(
                f"the range of {self.column!r} must go from a smaller number to a larger, not {low}..{high}"
            )

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest value; infinite if not stated."""
        return (-math.inf if self.low is None else self.low, math.inf if self.high is None else self.high)

    @property
    def bounds(self) -> str:
        """The range as it is stated, "0..5"; an end that is not stated is left out."""
        low, high = (("" if end is None else f"{end:g}") for end in (self.low, self.high))
        return f"{low}..{high}"

    @property
    def origin(self) -> str:
        """The origin of the scores, for reports."""
        if self.framework == JUDGED:
            return say("judged by {file}, version {hash}", file=self.file, hash=self.sha256[:SHOWN_HASH])
        return say("from file {file}, SHA-256 {hash}", file=self.file, hash=self.sha256[:SHOWN_HASH])

    def facts(self, name: str) -> MetricFacts:
        """The facts of the metric under its name in a score table."""
        said = self.description or say(
            "Column “{column}” of {file}, as it was given; hcat did not compute it.", column=self.column, file=self.file
        )
        family = "judges" if self.framework == JUDGED else FAMILY
        return MetricFacts(name, name, self.direction or "none", self.range, self.origin, said, family)


def facts_of(name: str, declared: Mapping[str, FileMetric]) -> MetricFacts:
    """The facts of a metric: as its file declares it, else by the registry, else only its name."""
    if name in declared:
        return declared[name].facts(name)
    return registered_facts(name) or MetricFacts(name, name)
