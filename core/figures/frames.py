"""The frame around a cell of a heatmap, by its verdict; other verdicts have none."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.slices.verdicts import POSSIBLE, SHOWN, WEAK


@dataclass(frozen=True, slots=True)
class Frame:
    """A line around a cell: its width in pixels, and the lengths of dashes and gaps; none of a whole line."""

    width: float
    dash: tuple[int, ...] = ()


FRAMES: dict[str, Frame] = {
    **dict.fromkeys(SHOWN, Frame(2.0, (6, 3))),
    **dict.fromkeys(POSSIBLE, Frame(2.0, (2, 3))),
    WEAK: Frame(3.0),
}
