"""The meaning of the shades, hatches and frames of a heatmap, as data for drawing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One entry: swatches in these shades, or a hatched, a framed (by its verdict) or an empty one, and the text."""

    text: str
    shades: tuple[int, ...] = ()
    hatched: bool = False
    framed: str | None = None
