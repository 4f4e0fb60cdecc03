"""The maps that pages show now, each under a name that nobody can guess."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from hcat.core.errors import NotFoundError
from hcat.core.records.people import Identity
from hcat.dashboard.charts.maps import MapChart

MOST_POINTS = 10_000_000
"""Of all maps together, about half a gigabyte; those shown longest ago are dropped, and made again for their page."""


@dataclass(frozen=True, eq=False)
class ShownMap:
    """A map for somebody: `who` signed in (None where nobody does), as long as `check` raises nothing, which asks
    whether they may read it still. `lines` are what else is said of a point by its row, such as its id."""

    chart: MapChart
    who: Identity | None
    check: Callable[[], object]
    lines: Callable[[int], list[str]]


class ShownMaps:
    """Maps by token. A page that shows the same map again finds it under the same token. Safe between threads."""

    def __init__(self, *, most_points: int = MOST_POINTS) -> None:
        self.most_points = most_points
        self._lock = threading.Lock()
        self._tokens: OrderedDict[Hashable, str] = OrderedDict()
        self._maps: dict[str, ShownMap] = {}

    def show(self, key: Hashable, make: Callable[[], ShownMap]) -> tuple[str, ShownMap]:
        """The token and the map with this key, made if it is not shown yet. The key identifies the content and the
        viewer."""
        with self._lock:
            token = self._tokens.get(key)
            if token is not None:
                self._tokens.move_to_end(key)
                return token, self._maps[token]
        made = make()
        with self._lock:
            token = self._tokens.setdefault(key, secrets.token_urlsafe(24))
            shown = self._maps.setdefault(token, made)
            self._drop_oldest()
            return token, shown

    def find(self, token: str) -> ShownMap:
        """NotFoundError where no page shows it any more."""
        with self._lock:
            if token not in self._maps:
                raise NotFoundError("this map is not shown any more: load the page again")
            return self._maps[token]

    def _drop_oldest(self) -> None:
        while len(self._tokens) > 1 and sum(map(_size, self._maps.values())) > self.most_points:
            _, token = self._tokens.popitem(last=False)
            del self._maps[token]


def _size(shown: ShownMap) -> int:
    return shown.chart.map.points.n


shown_maps = ShownMaps()
