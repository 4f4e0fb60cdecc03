"""Clusters of reduced rows, which become topics and strata (HCAT 2, step 3)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hcat.core.topics.choice import AUTOMATIC, TopicChoice

ClusterMethod = Literal["hdbscan", "dbscan", "k-means", "single"]

NOISE = -1
MINIMUM_FOR_DENSITY = 60
"""The least number of rows for density estimates; below it k-means is used instead."""

MINIMUM_TO_SPLIT = 6
"""The least number of rows to split: two topics of fewer than three texts each are meaningless."""

MINIMUM_SILHOUETTE = 0.1
"""The least mean silhouette of a k-means split that is used."""

MOST_CLUSTERS = 12
SILHOUETTE_SAMPLE = 2000


@dataclass(frozen=True, eq=False)
class Clustering:
    """A cluster for each row, numbered from 0 by decreasing size, with -1 for noise."""

    assignment: NDArray[np.int64]
    method: ClusterMethod
    min_cluster_size: int | None = None
    silhouette: float | None = None
    radius: float | None = None

    @property
    def count(self) -> int:
        return int(self.assignment.max(initial=NOISE)) + 1


def cluster_rows(
    coordinates: NDArray[np.float64],
    rows: NDArray[np.float32],
    *,
    seed: int,
    min_cluster_size: int | None = None,
    choice: TopicChoice = AUTOMATIC,
) -> Clustering:
    """Clusters by density (HDBSCAN) or by k-means, or by `choice`.

    K-means is used for fewer than 60 rows, or if density shows fewer than two clusters; fewer than 6 rows are never
    split by density. `coordinates` (n, c) are the reduced `rows` (n, d). `min_cluster_size` is by default half the
    square root of n, at least 5."""
    n = len(coordinates)
    if choice.k is not None:
        return _k_means_of(coordinates, choice.k, seed=seed)
    least = choice.least or min_cluster_size or default_cluster_size(n)
    if choice.clustering == "hdbscan" and n >= MINIMUM_TO_SPLIT:
        return _hdbscan(coordinates, least)
    if choice.clustering == "dbscan" and n >= MINIMUM_TO_SPLIT:
        return _dbscan(coordinates, least, radius=choice.radius)
    if choice.clustering == "auto" and n >= MINIMUM_FOR_DENSITY:
        by_density = _hdbscan(coordinates, least)
        if by_density.count >= 2:
            return by_density
    return _k_means(coordinates, rows, seed=seed)


def default_cluster_size(n: int) -> int:
    """The default size of the smallest topic among n texts: half the square root of n, at least 5."""
    return max(5, round(sqrt(n) / 2))


def centroids(rows: NDArray[np.float32], assignment: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean row (count, d) of each cluster, without noise."""
    count = int(assignment.max(initial=NOISE)) + 1
    return np.array([rows[assignment == number].mean(axis=0, dtype=np.float64) for number in range(count)])


def nearest_cluster(rows: NDArray[np.float32], assignment: NDArray[np.int64]) -> NDArray[np.int64]:
    """The assignment with each noise row given to the cluster whose centroid has the highest cosine with it."""
    noise = assignment == NOISE
    if not noise.any() or noise.all():
        return assignment.copy()
    means = unit_length(centroids(rows, assignment))
    nearest = assignment.copy()
    nearest[noise] = (rows[noise].astype(np.float64) @ means.T).argmax(axis=1)
    return nearest


def unit_length(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows divided by their lengths; rows of zeros are unchanged."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


def by_size(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Clusters renumbered by decreasing size, then by first appearance, so that a topic's number is meaningful."""
    clusters, first, counts = np.unique(labels[labels != NOISE], return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))
    renumbered = np.full_like(labels, NOISE)
    for number, old in enumerate(clusters[order]):
        renumbered[labels == old] = number
    return renumbered


def _hdbscan(coordinates: NDArray[np.float64], min_cluster_size: int) -> Clustering:
    from hdbscan import HDBSCAN

    clusterer = HDBSCAN(
        min_cluster_size=min_cluster_size, min_samples=max(2, min_cluster_size // 2), core_dist_n_jobs=1
    )
    labels = np.asarray(clusterer.fit_predict(coordinates), dtype=np.int64)
    return Clustering(by_size(labels), "hdbscan", min_cluster_size=min_cluster_size)


def _dbscan(coordinates: NDArray[np.float64], min_cluster_size: int, *, radius: float | None = None) -> Clustering:
    """DBSCAN clusters with `min_cluster_size` neighbours; without `radius`, eps is the knee of the sorted k-nearest
    distances.

    The knee is the point farthest from the chord. Source: Ester et al. 1996, section 4.2."""
    from sklearn.cluster import DBSCAN
    from sklearn.neighbors import NearestNeighbors

    neighbours = min(min_cluster_size, len(coordinates))
    if radius is None:
        distances = NearestNeighbors(n_neighbors=neighbours).fit(coordinates).kneighbors(coordinates)[0][:, -1]
        ordered = np.sort(distances)
        chord = np.linspace(ordered[0], ordered[-1], len(ordered))
        radius = float(ordered[int(np.argmax(chord - ordered))])
    least = float(np.finfo(np.float64).tiny)
    labels = DBSCAN(eps=max(radius, least), min_samples=neighbours).fit_predict(coordinates)
    return Clustering(
        by_size(np.asarray(labels, dtype=np.int64)), "dbscan", min_cluster_size=min_cluster_size, radius=radius
    )


def _k_means_of(coordinates: NDArray[np.float64], k: int, *, seed: int) -> Clustering:
    from sklearn.cluster import KMeans

    count = min(k, len(np.unique(coordinates, axis=0)))
    labels = KMeans(n_clusters=count, n_init=10, random_state=seed).fit_predict(coordinates)
    return Clustering(by_size(np.asarray(labels, dtype=np.int64)), "k-means")


def _k_means(coordinates: NDArray[np.float64], rows: NDArray[np.float32], *, seed: int) -> Clustering:
    """The split into at most √n clusters with the best mean silhouette, or one cluster if none reaches 0.1.

    The silhouette is computed on the unreduced rows: reduced ones make any fine split look good."""
    n, distinct = len(rows), len(np.unique(coordinates, axis=0))
    best = Clustering(np.zeros(n, dtype=np.int64), "single")
    if n < MINIMUM_TO_SPLIT or distinct < 3:
        return best
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    sample = SILHOUETTE_SAMPLE if n > SILHOUETTE_SAMPLE else None
    for k in range(2, min(MOST_CLUSTERS, distinct - 1, round(sqrt(n))) + 1):
        labels = KMeans(n_clusters=k, n_init=10, random_state=seed).fit_predict(coordinates)
        silhouette = float(silhouette_score(rows, labels, sample_size=sample, random_state=seed))
        if silhouette > (MINIMUM_SILHOUETTE if best.silhouette is None else best.silhouette):
            best = Clustering(by_size(np.asarray(labels, dtype=np.int64)), "k-means", silhouette=silhouette)
    return best
