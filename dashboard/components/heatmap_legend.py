"""The legend of a heatmap: swatches and text below it, which wrap where there is little room."""

from __future__ import annotations

import html

import streamlit as st

from hcat.core.figures.frames import FRAMES
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.figures.heatmap_legend import LegendEntry
from hcat.core.wording.figures import heatmap_legend
from hcat.dashboard.charts.style import Tone, tone
from hcat.dashboard.components.legend import ROW

SWATCH = "display:inline-block;width:1.1rem;height:0.9rem;vertical-align:-0.1rem;margin-right:0.15rem;"


def show_heatmap_legend(data: WeaknessHeatmap, *, dark: bool) -> None:
    """Show the meaning of shades, hatches and frames."""
    tones = tone(dark)
    colors = tones.grey_shades if data.machine else tones.shades
    entries = [
        f"<span>{''.join(_swatches(entry, tones, colors))} {html.escape(entry.text)}</span>"
        for entry in heatmap_legend(data)
    ]
    st.html(f'<div style="{ROW}">{"".join(entries)}</div>')


def _swatches(entry: LegendEntry, tones: Tone, colors: tuple[str, ...]) -> list[str]:
    styles = [f"background:{colors[shade]};" for shade in entry.shades]
    if entry.hatched:
        line = f"repeating-linear-gradient(135deg,{tones.hatch} 0 1.5px,transparent 1.5px 6px)"
        styles.append(f"background:{line};border:1px solid {tones.hatch};")
    if entry.framed is not None:
        frame = FRAMES[entry.framed]
        pattern = "solid" if not frame.dash else "dotted" if frame.dash[0] <= frame.width else "dashed"
        styles.append(f"border:{frame.width}px {pattern} {tones.ink};box-sizing:border-box;")
    return [f'<span aria-hidden="true" style="{SWATCH}{style}"></span>' for style in styles]
