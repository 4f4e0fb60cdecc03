"""The scores of a finding's samples when they were frozen, with their mean and that of the rest of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hcat.core.types import Estimate

Outcome = Literal["pass", "fail", "no label"]
"""People's label of a sample; "no label" without one, or in a tie."""


@dataclass(frozen=True, slots=True)
class SliceScores:
    """One dot per scored sample. `mean` is the frozen one with its interval, `rest` that of all other samples."""

    metric: str
    scores: tuple[tuple[float, Outcome], ...]
    mean: Estimate | None = None
    rest: float | None = None
