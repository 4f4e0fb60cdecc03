"""Counts of a run's samples by the decision of a calibration's prediction sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.calibration.conformal.level_sets import BOTH, EMPTY
from hcat.core.refusals.state import REFUSALS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """Of the samples with a prediction set, how many are `decided` and how many `undecided`; the others decline or are
    unscored. They are counts of this run, and so have no interval."""

    decided: int
    undecided: int
    declined: int
    unscored: int

    @property
    def with_set(self) -> int:
        return self.decided + self.undecided


def count_decisions(decisions: pd.DataFrame) -> DecisionCounts:
    """The counts of a table of decisions, as `Calibration.predict` gives it."""
    with_set = int(decisions["probability"].notna().sum())
    undecided = int(decisions["decision"].isin([BOTH, EMPTY]).sum())
    declined = int(decisions["decision"].isin(REFUSALS).sum())
    return DecisionCounts(with_set - undecided, undecided, declined, len(decisions) - with_set - declined)
