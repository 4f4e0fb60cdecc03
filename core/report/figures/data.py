"""What each kind of figure shows, as plain values without a drawing library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.types import Estimate

SetName = Literal["fail", "pass", "both", "empty"]


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """Samples of like probability: what the map said on average, and the share that people passed."""

    probability: float
    observed: Estimate


@dataclass(frozen=True, slots=True)
class ReliabilityDiagram:
    """Predicted against observed shares; on the diagonal the map says what people say."""

    points: tuple[ReliabilityPoint, ...]


@dataclass(frozen=True, slots=True)
class CurveRegion:
    """A stretch of the axis on which the prediction set is the same. Bounds are finite and lie in the axis."""

    set_name: SetName
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """A map of one metric: score → probability, with labels and prediction sets. HCAT, Figure 4.

    `curve` are (score, probability) in rising order of score, `labels` (score, passed).
    """

    metric: str
    curve: tuple[tuple[float, float], ...]
    labels: tuple[tuple[float, bool], ...]
    regions: tuple[CurveRegion, ...]


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """One pair of levels. `difference` from the rest is 0 at the neutral colour; None where n is too small."""

    level_1: str
    level_2: str
    mean: Estimate
    difference: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class WeaknessHeatmap:
    """Means of one metric over the levels of two dimensions. HCAT, Figure 7. `higher_is_better` turns the colours."""

    metric: str
    dimension_1: str
    dimension_2: str
    cells: tuple[HeatmapCell, ...]
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class ForestRow:
    dimension: str
    level: str
    mean: Estimate
    verdict: str


@dataclass(frozen=True, slots=True)
class ForestPlot:
    """Mean and interval of each level of one or more dimensions, against the mean of all samples."""

    metric: str
    rows: tuple[ForestRow, ...]
    overall: float | None = None


FigureData = ReliabilityDiagram | CalibrationCurve | WeaknessHeatmap | ForestPlot
