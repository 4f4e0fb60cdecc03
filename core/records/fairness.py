"""The settings of a comparison of groups, fixed before anybody sees its numbers, with author and time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from hcat.core.errors import HcatError

ALL_OUTCOMES = "all"
"""In the place of outcomes: all for which a run has values."""


@dataclass(frozen=True, slots=True)
class FairnessSettings:
    """The margin of a gap, the outcomes, and the groups of a comparison.

    `margin` is for outcomes between 0 and 1, None to test for gaps alone; `margins` are of single outcomes, in their
    own units. `references` names the group that the others of an attribute are compared with, if it is not the first
    one. `outcomes` are those compared, empty for the default ones. `alpha` is divided among all comparisons. `by` are
    dimensions whose levels are groups that were asked different questions, and `match` those that these are matched on:
    None for topic and query type, empty for nothing."""

    margin: float | None = None
    margins: Mapping[str, float] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    outcomes: tuple[str, ...] = ()
    alpha: float = 0.05
    by: tuple[str, ...] = ()
    match: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        stated = [*self.margins.values(), *([] if self.margin is None else [self.margin])]
        if any(not 0 < margin < math.inf for margin in stated):
            raise HcatError("a margin is how far two groups may lie apart: a number above 0")
        if not 0 < self.alpha < 0.5:
            raise HcatError("the level α of the tests must lie between 0 and 0.5")

    def completed_by(self, settled: FairnessSettings) -> FairnessSettings:
        """These settings, completed by the fixed ones for missing margins, outcomes or references of an attribute."""
        states_margins = self.margin is not None or bool(self.margins)
        return replace(
            self,
            margin=self.margin if states_margins else settled.margin,
            margins=self.margins if states_margins else settled.margins,
            references={**settled.references, **self.references},
            outcomes=self.outcomes or settled.outcomes,
            by=self.by or settled.by,
            match=settled.match if self.match is None else self.match,
        )

    def margin_of(self, outcome: str, within: tuple[float, float]) -> float:
        """The margin of an outcome with this range; NaN if none is set."""
        if outcome in self.margins:
            return self.margins[outcome]
        return math.nan if self.margin is None or within != (0.0, 1.0) else self.margin


@dataclass(frozen=True, slots=True)
class SettledFairness:
    """The settings as a person made them; later ones never change them."""

    settings: FairnessSettings
    author: str
    at: datetime
