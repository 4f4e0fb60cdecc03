"""The map of one metric to a probability, with the prediction sets along it. HCAT, Figure 4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from hcat.core.calibration.conformal.threshold import Region, SetName

SET_NAMES: dict[SetName, str] = {"pass": "{pass}", "fail": "{fail}", "both": "{fail, pass}", "empty": "empty"}
"""Prediction sets as pages and reports write them."""


@dataclass(frozen=True, slots=True)
class CurveRegion:
    """An interval of the axis with one prediction set. Bounds are finite and within the axis."""

    set_name: SetName
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """A map of one metric: score → probability, with labels and prediction sets.

    `curve` are (score, probability) in increasing order of score, `labels` (score, passed)."""

    metric: str
    curve: tuple[tuple[float, float], ...]
    labels: tuple[tuple[float, bool], ...]
    regions: tuple[CurveRegion, ...]


def regions_within(regions: Iterable[Region], *, low: float, high: float) -> tuple[CurveRegion, ...]:
    """Regions of the score axis, cut to the part of it that is drawn."""
    cut = (_cut(region, low, high) for region in regions)
    return tuple(region for region in cut if region.high > region.low)


def regions_along(curve: tuple[tuple[float, float], ...], regions: Iterable[Region]) -> tuple[CurveRegion, ...]:
    """The parts of the score axis where a curve is within regions of probability: for maps that can't be inverted.

    Between two points of the curve the probability is interpolated linearly."""
    pieces: list[CurveRegion] = []
    for region in regions:
        for (x_1, p_1), (x_2, p_2) in pairwise(curve):
            low, high = _inside(p_1, p_2, region)
            if high > low:
                pieces.append(CurveRegion(region.set_name, x_1 + low * (x_2 - x_1), x_1 + high * (x_2 - x_1)))
    return _joined(sorted(pieces, key=lambda piece: piece.low))


def _inside(p_1: float, p_2: float, region: Region) -> tuple[float, float]:
    """The shares of the way from p_1 to p_2 between which the probability is in the region."""
    if p_1 == p_2:
        return (0.0, 1.0) if region.low <= p_1 < region.high or p_1 == region.high == 1 else (0.0, 0.0)
    ends = sorted(((region.low - p_1) / (p_2 - p_1), (region.high - p_1) / (p_2 - p_1)))
    return max(0.0, ends[0]), min(1.0, ends[1])


def _joined(pieces: Iterable[CurveRegion]) -> tuple[CurveRegion, ...]:
    joined: list[CurveRegion] = []
    for piece in pieces:
        if joined and joined[-1].set_name == piece.set_name:
            piece = CurveRegion(piece.set_name, joined.pop().low, piece.high)
        joined.append(piece)
    return tuple(joined)


def _cut(region: Region, low: float, high: float) -> CurveRegion:
    # NaN bounds come from a map that never reaches the probability: no region is drawn.
    if not region.low <= region.high:
        return CurveRegion(region.set_name, low, low)
    return CurveRegion(region.set_name, max(low, region.low), min(high, region.high))
