"""Points of maps in the order in which they are drawn and selected: made once for each search of topics."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from hcat.core.arrays import Floats
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.figures.point_map.selection import OrderedPoints
from hcat.core.project.topics import Source
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.project import RunInfo
from hcat.dashboard.loaders.keys import identity
from hcat.dashboard.loaders.runs import topics
from hcat.dashboard.loaders.stored import newest_topics
from hcat.dashboard.selection import MapArea


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


def run_points_key(run: RunInfo, on: Source) -> tuple[Hashable, ...]:
    """Cache key of the points of the run's newest topics."""
    latest = newest_topics(run, on)
    return ("run", identity(run), "" if latest is None else latest.artifact)


def topics_mark(run: RunInfo, on: Source) -> str:
    """A few digits that distinguish the run's newest topics from others."""
    latest = newest_topics(run, on)
    return sha256_of_text("" if latest is None else latest.artifact)[:8]


def ids_in_area(run: RunInfo, area: MapArea) -> tuple[str, ...]:
    """The ids of the samples in an area of the run's map; none where its topics are others by now."""
    known: tuple[Source, ...] = ("query", "contexts")
    on = next((source for source in known if source == area.on), None)
    found = None if on is None else topics(run, on=on)
    if on is None or found is None or topics_mark(run, on) != area.topics:
        return ()
    rows = ordered_points(run_points_key(run, on), found.model.coordinates).in_polygon(area.corners)
    return tuple(found.sample_ids[row] for row in rows.tolist())
