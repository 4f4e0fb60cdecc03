"""How to read a figure, in words."""

from __future__ import annotations

from core.display.numbers import format_number
from core.figures.heatmap import WeaknessHeatmap


def scale_sentence(heatmap: WeaknessHeatmap) -> str:
    """What the colours of a heatmap mean, with the limits of their scale."""
    low, high = (format_number(limit) for limit in heatmap.limits)
    better, worse = ("above", "below") if heatmap.higher_is_better else ("below", "above")
    spreads = any(cell.value not in (None, heatmap.overall) for cell in heatmap.cells)
    reach = ", one standard deviation of single samples either side" if spreads else ""
    return (
        f"Colours show how far a mean lies from the overall mean of {format_number(heatmap.overall)}: blue is better "
        f"({better} it), orange is worse ({worse} it). The scale runs from {low} to {high}{reach}. "
        "Grey cells have insufficient evidence."
    )
