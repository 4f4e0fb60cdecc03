"""Stated probabilities against what people said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.calibration.checks.reliability import ReliabilityBin
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """Samples of similar probability: what the map predicts on average, and the proportion labelled pass."""

    probability: float
    observed: Estimate


@dataclass(frozen=True, slots=True)
class ReliabilityDiagram:
    """Observed proportion over predicted probability; on the diagonal the map says what people say."""

    points: tuple[ReliabilityPoint, ...]


def reliability_diagram(bins: Sequence[ReliabilityBin]) -> ReliabilityDiagram:
    """One point a bin, in rising probability."""
    return ReliabilityDiagram(tuple(ReliabilityPoint(each.probability, each.observed) for each in bins))
