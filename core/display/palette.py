"""The colours of charts, on screen and in reports: chosen so that colour-blind people can tell them apart.

Categorical: Okabe and Ito (2008), without yellow, which vanishes on white.
Diverging: orange (bad) – neutral – blue (good).
"""

from __future__ import annotations

ACCENT = "#0B6B7C"
ACCENT_DARK = "#3E9FB3"

CATEGORICAL: tuple[str, ...] = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#7A68B3",
    "#8C6D31",
    "#5F6B73",
    "#44AA99",
)

BAD = "#B85C0E"
NEUTRAL = "#F3F1EC"
NEUTRAL_DARK = "#3A4246"
GOOD = "#1F6FA8"
MUTED = "#8A979D"

DIVERGING: tuple[str, ...] = ("#8C4303", "#C8731F", "#EDB27A", NEUTRAL, "#9CC4E0", "#4A90C2", "#1A5A8E")
DIVERGING_DARK: tuple[str, ...] = ("#F0A04B", "#C27A33", "#7E5B3C", NEUTRAL_DARK, "#3F627C", "#4F90BF", "#7CC0F0")
SEQUENTIAL: tuple[str, ...] = ("#F1F6F7", "#C3DDE2", "#8FC0CA", "#559FAE", "#237E90", "#0A5564")

REGIONS: dict[str, str] = {"pass": GOOD, "fail": BAD, "both": "#8E7CC3", "empty": "#8A979D"}
"""Prediction sets, as in HCAT Figure 4: certain pass, certain fail, both possible, neither."""

VERDICT_COLORS: dict[str, str] = {"weak": BAD, "watch": "#B8921F", "fine": GOOD, "insufficient evidence": MUTED}
"""Verdicts of a weakness table, from the most to the least urgent."""
