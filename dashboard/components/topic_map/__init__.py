"""A map in the browser: zoom, pointing, and selections that the server makes exactly. Its rows stay on the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.display.palette import MUTED
from hcat.core.errors import HcatError
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.figures.point_map.selection import Point, checked_corners
from hcat.core.types import JsonValue
from hcat.dashboard.charts.maps import MapChart
from hcat.dashboard.charts.style import tone
from hcat.dashboard.loaders.component import component

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent
SCRIPTS = ("plane.js", "answers.js", "drawing.js", "tools.js", "legend.js", "map.js")


@dataclass(frozen=True, slots=True)
class MapEvent:
    """The user's action: the corners of the selection in the units of the coordinates, empty without one, and the row
    of the point that was clicked just now."""

    corners: tuple[Point, ...] = ()
    opened: int | None = None


def topic_map(token: str, chart: MapChart, *, title: str, dark: bool, key: str, selectable: bool) -> MapEvent:
    """Draw the map that is shown under the token. It requests its parts itself: the page contains none of its
    points."""
    points = chart.map.points
    if not len(points.rows):
        st.info(f"No {chart.noun} has a place on the map: find the topics again.")
        return MapEvent()
    corners = _corners(st.session_state.get(key))
    tones = tone(dark)
    drawn = _renderer()(
        data={
            "token": token,
            "title": title,
            "noun": chart.noun,
            "n": len(points.rows),
            "plane": asdict(points.plane),
            "extent": _extent(points),
            "swatches": [asdict(swatch) for swatch in chart.swatches],
            "legend": _legend(chart),
            **{"absent": MUTED, "hatch": MUTED, "paper": tones.paper, "accent": tones.accent},
            "selectable": selectable,
            "selection": [list(corner) for corner in corners] or None,
        },
        key=key,
        on_polygon_change=lambda: None,
        on_opened_change=lambda: None,
        on_lost_change=lambda: None,
    )
    if points.n > len(points.rows):
        st.caption(f"{counted(points.n - len(points.rows), chart.noun)} without a place on the map.")
    return MapEvent(corners, _opened(drawn.get("opened"), chart))


def _corners(state: object) -> tuple[Point, ...]:
    """The corners that the browser sent; none if they are no polygon."""
    told = state.get("polygon") if isinstance(state, Mapping) else None
    try:
        return tuple(checked_corners(told)) if isinstance(told, list) else ()
    except (HcatError, TypeError, ValueError):
        return ()


def _opened(told: Any, chart: MapChart) -> int | None:
    try:
        return chart.map.row_at(tuple(told["box"]), int(told["place"]))
    except (HcatError, KeyError, TypeError, ValueError):
        return None


def _extent(points: PlacedPoints) -> list[JsonValue]:
    """The box around all points."""
    return [float(points.u.min()), float(points.v.min()), float(points.u.max()), float(points.v.max())]


def _legend(chart: MapChart) -> JsonValue:
    legend = chart.legend
    return {
        "title": legend.title,
        "scale": None if legend.scale is None else {"low": legend.scale[0], "high": legend.scale[1]},
        "entries": [{"text": text, "color": place} for text, place in legend.entries],
        "absent": legend.absent,
        "hatched": legend.hatched,
        "note": legend.note,
    }


def _renderer() -> ComponentRenderer:
    files = tuple(FOLDER / name for name in SCRIPTS)
    return component("hcat_topic_map", js=files, css=(FOLDER / "map.css",))
