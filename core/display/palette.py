"""The colours of charts, on screen and in reports: chosen so that colour-blind people can distinguish them.

Categorical: Okabe and Ito (2008), without yellow, which vanishes on white. Diverging: orange (bad) – neutral – blue
(good)."""

from __future__ import annotations

from collections.abc import Sequence

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
SHADES: tuple[str, ...] = (
    *("#D9742B", "#EBA262", "#F2C193"), "#FAF1E8", "#EDF3F8", *("#B4D2EC", "#7DB1E0", "#4E93D0"),
)  # fmt: skip
"""Colours of heatmap cells from worse to better: three strong, two pale for what is not shown, three strong.

Dark text is readable on all of them, light text on all of `SHADES_DARK`."""
SHADES_DARK: tuple[str, ...] = (
    *("#A8520F", "#85481C", "#5F3F28"), "#2B2A29", "#262C31", *("#2B4A66", "#2C5F8D", "#2A69A4"),
)  # fmt: skip
GREY_SHADES: tuple[str, ...] = (
    *("#A9B2B6", "#C2C9CC", "#D2D8DB"), "#F3F5F5", "#F3F5F5", *("#D2D8DB", "#C2C9CC", "#A9B2B6"),
)  # fmt: skip
"""The same for the verdicts of a machine, whose meaning is not shown."""
GREY_SHADES_DARK: tuple[str, ...] = (
    *("#5A666C", "#4A555B", "#3B464B"), "#282D30", "#282D30", *("#3B464B", "#4A555B", "#5A666C"),
)  # fmt: skip
INK, INK_DARK = "#17252B", "#E6EEF0"
"""Text and frames on light and on dark pages."""
PAPER, PAPER_DARK = "#FFFFFF", "#10181C"
HATCH, HATCH_DARK = "#C9D2D6", "#37474F"
"""The lines in cells with too few samples."""
SEQUENTIAL: tuple[str, ...] = ("#F1F6F7", "#C3DDE2", "#8FC0CA", "#559FAE", "#237E90", "#0A5564")

REGIONS: dict[str, str] = {"pass": GOOD, "fail": BAD, "both": "#8E7CC3", "empty": "#8A979D"}
"""Prediction sets, as in HCAT Figure 4: certain pass, certain fail, both possible, neither."""

VERDICT_COLORS: dict[str, str] = {
    **dict.fromkeys(("weak", "worse", "more than its control"), BAD),
    "better": GOOD,
    **dict.fromkeys(("lower score", "higher score", "different score", "lower", "higher"), "#8A6FA8"),
    **dict.fromkeys(("possibly weak", "possibly lower", "possibly higher", "possibly different"), "#B8921F"),
    **dict.fromkeys(
        (
            "not shown to be weak",
            "not shown to be lower",
            "not shown to be higher",
            "not shown to differ",
            "not shown to exceed its control",
        ),
        "#5B7C8D",
    ),
    "gap": BAD,
    "gap within the margin": "#B8921F",
    "equivalent": GOOD,
    **dict.fromkeys(("inconclusive", "no gap shown"), "#5B7C8D"),
    "insufficient evidence": MUTED,
}
"""Verdicts on slices, variants and gaps between groups, the most urgent first; what is not shown has the neutral
colour."""

OUTCOMES: dict[str, str] = {"pass": GOOD, "fail": BAD}
"""A label, or a decision, that an answer passes or fails."""

WORST_TO_BEST = (BAD, MUTED, GOOD)
"""The ends and the middle of the colours of ordered levels; see `blend`."""


def blend(colors: Sequence[str], share: float) -> str:
    """The colour at this share of a scale of equally spaced colours; beyond its ends, the last one.

    The share is in [0, 1], colours have the form #rrggbb."""
    place = min(max(share, 0.0), 1.0) * (len(colors) - 1)
    first = min(int(place), len(colors) - 2)
    low, high = _channels(colors[first]), _channels(colors[first + 1])
    fraction = place - first
    return "#" + "".join(f"{round(a + (b - a) * fraction):02x}" for a, b in zip(low, high, strict=True))


def level_colors(levels: Sequence[str]) -> dict[str, str]:
    """The colours of ordered levels from worst to best: for fail and pass, orange and blue."""
    last = max(len(levels) - 1, 1)
    return {level: blend(WORST_TO_BEST, place / last) for place, level in enumerate(levels)}


def contrast(first: str, second: str) -> float:
    """The ratio of luminances, from 1 to 21. Source: WCAG 2.1, contrast ratio."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(color))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
