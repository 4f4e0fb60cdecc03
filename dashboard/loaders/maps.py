"""Points of maps in the order in which they are drawn and selected: made once for each search of topics."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from core.arrays import Floats
from core.figures.point_map.placed import PlacedPoints
from core.figures.point_map.selection import OrderedPoints


def placed_points(key: Hashable, coordinates: Floats) -> PlacedPoints:
    """The points of the topics that the key names, to be drawn."""
    return _placed(key, coordinates)


@st.cache_resource(max_entries=4, show_spinner="Preparing the map …")
def _placed(key: Hashable, _coordinates: Floats) -> PlacedPoints:
    return PlacedPoints.place(_coordinates)


def ordered_points(key: Hashable, coordinates: Floats) -> OrderedPoints:
    """The points of the topics that the key names, to be selected."""
    return _ordered(key, coordinates)


@st.cache_resource(max_entries=4, show_spinner=False)
def _ordered(key: Hashable, _coordinates: Floats) -> OrderedPoints:
    return OrderedPoints.of(_coordinates)
