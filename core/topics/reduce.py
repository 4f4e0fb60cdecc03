"""Embeddings in fewer dimensions: five for clustering, two for drawing (HCAT 2, step 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hcat.core.topics.choice import ReductionChoice

ReductionMethod = Literal["umap", "pca"]

MINIMUM_FOR_UMAP = 60
"""The least number of distinct rows for UMAP: below it neighbourhoods span the whole set, and PCA shows as much."""

NEIGHBOURS = 15


@dataclass(frozen=True, eq=False)
class Projection:
    """Principal components: the `mean` (d,) at which rows are centred, and the `directions` (c, d), c ≤
    `components`."""

    mean: NDArray[np.float64]
    directions: NDArray[np.float64]
    components: int

    @classmethod
    def of(cls, rows: NDArray[np.float32], *, components: int) -> Projection:
        """The directions of most variance of at least two rows.

        The sign of each makes its largest loading positive, so that they are unique."""
        mean = rows.mean(axis=0, dtype=np.float64)
        _, _, directions = np.linalg.svd(rows.astype(np.float64) - mean, full_matrices=False)
        leading = directions[:components]
        signs = np.sign(leading[np.arange(len(leading)), np.abs(leading).argmax(axis=1)])
        return cls(mean, leading * signs[:, None], components)

    def scores(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Scores (n, components) of any rows; columns beyond the directions are zero."""
        scores = np.zeros((len(rows), self.components))
        scores[:, : len(self.directions)] = (rows.astype(np.float64) - self.mean) @ self.directions.T
        return scores


@dataclass(frozen=True, eq=False)
class Reduction:
    """Rows in fewer dimensions, the method of reduction, and the projection if it was a linear one."""

    coordinates: NDArray[np.float64]
    method: ReductionMethod
    projection: Projection | None = None


def reduce_dimensions(
    rows: NDArray[np.float32],
    *,
    components: int,
    seed: int,
    min_dist: float = 0.0,
    method: ReductionChoice = "auto",
    neighbours: int | None = None,
) -> Reduction:
    """Fewer dimensions by UMAP, or by PCA if fewer than 60 rows are distinct, or by `method`.

    `rows` are (n, d) unit rows; the coordinates are (n, components). Same rows and seed, same bits: UMAP runs on one
    thread. `min_dist` and `neighbours` are UMAP's: 0 packs clusters tightly, larger values spread a map for the eye."""
    least = components + 2 if method == "umap" else max(MINIMUM_FOR_UMAP, components + 2)
    if method == "pca" or len(np.unique(rows, axis=0)) < least:
        if len(rows) < 2:
            return Reduction(np.zeros((len(rows), components)), "pca")
        projection = Projection.of(rows, components=components)
        return Reduction(projection.scores(rows), "pca", projection)
    return Reduction(_umap(rows, components=components, seed=seed, min_dist=min_dist, neighbours=neighbours), "umap")


def _umap(
    rows: NDArray[np.float32], *, components: int, seed: int, min_dist: float, neighbours: int | None
) -> NDArray[np.float64]:
    # Importing umap compiles for seconds, and for half a minute on a cold cache.
    from umap import UMAP

    reducer = UMAP(
        n_components=components,
        n_neighbors=min(neighbours or NEIGHBOURS, len(rows) - 1),
        min_dist=min_dist,
        metric="cosine",
        random_state=seed,
        n_jobs=1,
    )
    return np.asarray(reducer.fit_transform(rows), dtype=np.float64)
