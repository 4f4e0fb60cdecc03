"""Shared style of all charts: margins, type, and the tones of light and dark. Texts of users are escaped here."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass

import plotly.graph_objects as go

from hcat.core.display import palette


@dataclass(frozen=True, slots=True)
class Tone:
    """The tones that depend on the theme: of titles and values, of what explains them, of grid lines, …"""

    ink: str
    quiet: str
    faint: str
    paper: str
    accent: str
    diverging: tuple[str, ...]
    shades: tuple[str, ...]
    grey_shades: tuple[str, ...]
    hatch: str


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of a legend: a mark in its colour, and what it means."""

    mark: str
    color: str
    text: str


LINE = "━━"
"""The mark of a line."""
LIGHT = Tone(
    palette.INK,
    "#47575E",
    "#D3DCDF",
    palette.PAPER,
    palette.ACCENT,
    palette.DIVERGING,
    palette.SHADES,
    palette.GREY_SHADES,
    palette.HATCH,
)
DARK = Tone(
    palette.INK_DARK,
    "#B4C2C7",
    "#33454D",
    palette.PAPER_DARK,
    palette.ACCENT_DARK,
    palette.DIVERGING_DARK,
    palette.SHADES_DARK,
    palette.GREY_SHADES_DARK,
    palette.HATCH_DARK,
)


def tone(dark: bool) -> Tone:
    """The tones of the dark or the light theme."""
    return DARK if dark else LIGHT


def plain(text: str, *, width: int = 70, most: int = 240) -> str:
    """A user's text for hover labels: shortened, wrapped, with Plotly's HTML subset disarmed."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(short, width)) or " "


def label(text: str, *, most: int = 34) -> str:
    """A user's text as an axis label on one line."""
    single = " ".join(text.split())
    return html.escape(single if len(single) <= most else single[: most - 1] + "…", quote=False)


def scale(colors: tuple[str, ...]) -> list[list[float | str]]:
    """Equally spaced colours as a Plotly colour scale."""
    return [[position / (len(colors) - 1), color] for position, color in enumerate(colors)]


def finish(figure: go.Figure, *, dark: bool, height: int, legend: bool = True) -> go.Figure:
    """The common layout."""
    figure.update_layout(common_layout(dark=dark, height=height, legend=legend))
    figure.update_xaxes(axis_lines(dark=dark), automargin=True)
    figure.update_yaxes(axis_lines(dark=dark), automargin=True)
    return figure


def common_layout(*, dark: bool, height: int, legend: bool = True) -> dict[str, object]:
    """Settings shared by all layouts."""
    tones = tone(dark)
    return {
        "height": height,
        "margin": {"l": 8, "r": 12, "t": 28, "b": 8},
        "showlegend": legend,
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "font": {"color": tones.ink, "size": 13},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"align": "left", "bgcolor": tones.paper, "font": {"color": tones.ink}},
        "dragmode": False,
    }


def axis_lines(*, dark: bool, title: str | None = None) -> dict[str, object]:
    """The lines of an axis and its texts, which explain and are quieter than values."""
    tones = tone(dark)
    return {
        "gridcolor": tones.faint,
        "zerolinecolor": tones.faint,
        "linecolor": tones.faint,
        "separatethousands": True,
        "exponentformat": "none",
        "tickfont": {"color": tones.quiet, "size": 12},
        "title": {"font": {"color": tones.quiet}, **({} if title is None else {"text": title})},
    }
