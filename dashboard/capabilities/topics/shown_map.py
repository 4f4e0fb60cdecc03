"""One map for the topics of a run, of a corpus, and for coverage: its drawing, and the user's actions on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.display.control_characters import visible
from hcat.core.figures.point_map.placed import PlacedPoints, Positions
from hcat.core.topics.cluster import NOISE
from hcat.core.topics.model import Topic
from hcat.dashboard.capabilities.topics.loader import ordered_points, placed_points
from hcat.dashboard.charts.maps import MapChart, MapTopics, Numbers
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.topic_map import MapEvent, topic_map
from hcat.dashboard.loaders.workspace import signed_in
from hcat.dashboard.maps.shown import ShownMap, shown_maps

MOST_CHARACTERS = 240
"""Most characters shown of the text of a point."""


@dataclass(frozen=True, eq=False)
class MapPoints:
    """Points and their texts. `key` names the topics they belong to, and what topics are called; `check` raises if the
    viewer has no permission; `text` reads the text of one point by its id."""

    key: tuple[Hashable, ...]
    coordinates: Floats
    ids: Sequence[str]
    check: Callable[[], object]
    text: Callable[[str], str]

    @property
    def placed(self) -> PlacedPoints:
        """In the order in which they are drawn."""
        return placed_points(self.key, self.coordinates)

    def rows_in(self, event: MapEvent) -> Positions:
        """The rows of the points in the selection, drawn or not."""
        if not event.corners:
            return np.zeros(0, dtype=np.int64)
        return ordered_points(self.key, self.coordinates).in_polygon(event.corners)

    def lines(self, row: int) -> list[str]:
        """The id and the text of a point."""
        name, text = self.ids[row], " ".join(self.text(self.ids[row]).split())
        short = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
        return [visible(line) for line in (name, short) if line]


def show_map(
    points: MapPoints,
    colored: tuple[Hashable, ...],
    chart: Callable[[PlacedPoints], MapChart],
    *,
    title: str,
    key: str,
    selectable: bool,
) -> MapEvent:
    """Draw the chart of the points; `colored` identifies the data that colours them in its present state."""
    who, dark = signed_in(), is_dark()
    made = (who and (who.issuer, who.subject), points.key, colored, dark)
    token, shown = shown_maps.show(made, lambda: ShownMap(chart(points.placed), who, points.check, points.lines))
    event = topic_map(token, shown.chart, title=title, dark=dark, key=key, selectable=selectable)
    if selectable:
        ordered_points(points.key, points.coordinates)  # while the browser draws, so that the first lasso is quick
    return event


def numbered_topics(assignment: Numbers, topics: Sequence[Topic], titles: Sequence[str]) -> MapTopics:
    """The topic of each point by its place among the topics; -1 between topics."""
    place = np.full(max([topic.id for topic in topics], default=0) + 2, -1, dtype=np.int64)  # the last for noise
    for number, topic in enumerate(topics):
        place[topic.id] = number
    return MapTopics(place[np.where(assignment == NOISE, -1, assignment)], titles)
