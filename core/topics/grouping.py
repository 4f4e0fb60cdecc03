"""Rows reduced, clustered and placed on a map: all of them, or landmarks that determine the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hcat.core.topics.choice import TopicChoice
from hcat.core.topics.cluster import Clustering, cluster_rows
from hcat.core.topics.reduce import Reduction, reduce_dimensions
from hcat.core.types import JsonValue

CLUSTER_DIMENSIONS = 5
MAP_MIN_DIST = 0.1


@dataclass(frozen=True, eq=False)
class Grouping:
    """The cluster of each of n rows, and its position on the map.

    `coordinates` (n, 2), `nearest` (n,) as `assignment` with noise given to the nearest cluster. `about` has further
    facts about the method."""

    coordinates: NDArray[np.float64]
    clustering: Clustering
    nearest: NDArray[np.int64]
    reduction: str
    about: Mapping[str, JsonValue] = field(default_factory=dict)


def reduced_and_clustered(
    rows: NDArray[np.float32], *, seed: int, min_cluster_size: int | None, choice: TopicChoice
) -> tuple[Reduction, Clustering]:
    """All rows in few dimensions, and their clusters there."""
    components = choice.dimensions or CLUSTER_DIMENSIONS
    reduced = reduce_dimensions(
        rows, components=components, seed=seed, method=choice.reduction, neighbours=choice.neighbours
    )
    return reduced, cluster_rows(reduced.coordinates, rows, seed=seed, min_cluster_size=min_cluster_size, choice=choice)


def drawn(rows: NDArray[np.float32], *, seed: int, choice: TopicChoice) -> Reduction:
    """All rows in the two dimensions of a map."""
    return reduce_dimensions(
        rows,
        components=2,
        min_dist=MAP_MIN_DIST,
        seed=seed,
        method=choice.reduction,
        neighbours=choice.neighbours,
    )
