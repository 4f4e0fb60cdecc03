"""The intensity of a cell's colour in a heatmap: by the evidence that it differs, then by how much."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hcat.core.slices.table import WeaknessTable

STEPS = (0.1, 0.2)
"""The differences at which a stronger shade begins, as shares of the metric's range: the same in all heatmaps."""
PALE_WORSE, PALE_BETTER = 3, 4
"""The indexes in `SHADES` of what is not shown to differ."""
SPREADS_IN_RANGE = 4
"""The assumed range, in standard deviations of single values, of a metric without one."""


def shade(share: float, *, shown: bool) -> int:
    """The index in `SHADES`, from worse to better, of a difference as a share of the range; above 0 is better."""
    if not shown:
        return PALE_WORSE if share < 0 else PALE_BETTER
    step = 1 + sum(abs(share) > end for end in STEPS)
    return PALE_WORSE - step if share < 0 else PALE_BETTER + step


def shading_unit(table: WeaknessTable, metric: str) -> float:
    """The width of the metric's range; without one, four standard deviations of single values."""
    low, high = table.settings.ranges.get(metric, (0.0, float("inf")))
    if isfinite(high - low) and high > low:
        return high - low
    spread = table.settings.spread[metric]
    return SPREADS_IN_RANGE * spread if isfinite(spread) and spread > 0 else 1.0
