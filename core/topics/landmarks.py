"""Topics of many texts: found among a sample, the landmarks, which determine all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Ints
from hcat.core.topics.choice import TopicChoice
from hcat.core.topics.cluster import NOISE, Clustering, by_size, centroids, default_cluster_size, unit_length
from hcat.core.topics.grouping import Grouping, drawn, reduced_and_clustered
from hcat.core.topics.reduce import Reduction

MOST_TEXTS = 20_000
"""The most texts that are all reduced and clustered.

UMAP with a seed runs on one thread: it would take hours for a million."""

LANDMARKS = 10_000
STRATA = 100
VOTES = 5
"""The number of nearest landmarks that vote on the topic of a text."""

BLOCK = 2_048
"""Rows at a time: with their products with all landmarks they take about 80 MB."""

_LEAST_SQUARE = 1e-6
"""Squared distances below this are rounding."""

Rows = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Landmarks:
    """The `places` (m,) of the landmarks among all rows, and their results.

    `lying` (m, c) are their positions in the search for neighbours: their principal components, or the unit rows
    themselves under UMAP."""

    places: Ints
    rows: Rows
    reduced: Reduction
    clustering: Clustering
    drawn: Reduction

    @property
    def lying(self) -> Rows:
        return self.of(self.rows)

    def of(self, rows: Rows) -> Rows:
        """The positions of rows in the search for neighbours."""
        projection = self.reduced.projection
        return rows if projection is None else projection.scores(rows).astype(np.float32)


def group_by_landmarks(rows: Rows, *, seed: int, min_cluster_size: int | None, choice: TopicChoice) -> Grouping:
    """The grouping of n rows by `LANDMARKS` of them, drawn by strata; rows are read a block at a time.

    A row has the cluster of most of its `VOTES` nearest landmarks, in a tie that of the nearest among them; noise
    counts as a cluster of its own, so that a row among noise is noise. Clusters by k-means on principal components are
    those of the nearest mean, as in k-means. A row is drawn at the mean of those nearest landmarks that have its
    cluster, weighted by 1/distance², or by its own principal components. Landmarks are unchanged. A smallest cluster is
    counted among all rows, and scaled to the landmarks. `about` has the adjusted Rand index with the full method on
    `MOST_TEXTS` rows drawn at random. Same rows, seed and threads, same bits: blocks have a fixed size and order."""
    n = len(rows)
    least = choice.least or min_cluster_size or round(default_cluster_size(LANDMARKS) * n / LANDMARKS)
    among = replace(choice, least=None)
    places = stratified_sample(rows, LANDMARKS, seed=seed)
    chosen = np.ascontiguousarray(rows[places])
    reduced, found = reduced_and_clustered(
        chosen, seed=seed, min_cluster_size=_scaled(least, len(places), n), choice=among
    )
    landmarks = Landmarks(places, chosen, reduced, found, drawn(chosen, seed=seed, choice=choice))
    coordinates, assignment, nearest = _assigned(rows, landmarks)
    numbered = by_size(assignment)
    names = np.full(found.count + 1, NOISE, dtype=np.int64)  # the last place is noise's, at −1
    names[assignment] = numbered
    compared, index = _agreement(rows, numbered, seed=seed, least=least, choice=among)
    clustering = replace(found, assignment=numbered, min_cluster_size=None if found.min_cluster_size is None else least)
    about = {"landmarks": len(places), "agreement_ari": index, "agreement_n": compared}
    return Grouping(coordinates, clustering, names[nearest], reduced.method, about)


def stratified_sample(rows: Rows, size: int, *, seed: int) -> Ints:
    """The places of `size` rows in increasing order, drawn at random from each stratum in proportion to its size.

    A stratum consists of the rows nearest to one of `STRATA` rows drawn at random."""
    rng = np.random.default_rng(seed)
    centres = np.ascontiguousarray(rows[np.sort(rng.choice(len(rows), STRATA, replace=False))])
    stratum = np.concatenate([(block @ centres.T).argmax(axis=1) for _, block in _blocks(rows)])
    wanted = size * np.bincount(stratum, minlength=STRATA) / len(rows)
    counts = np.floor(wanted).astype(np.intp)
    largest = np.argsort(counts - wanted, kind="stable")[: size - int(counts.sum())]
    counts[largest] += 1
    members = (np.flatnonzero(stratum == number) for number in range(STRATA))
    drawn_of = [
        rng.choice(of, count, replace=False) for of, count in zip(members, counts.tolist(), strict=True) if count
    ]
    return np.sort(np.concatenate(drawn_of))


def _assigned(rows: Rows, landmarks: Landmarks) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """The coordinates (n, 2), the cluster of the landmarks, and the nearest cluster of each row."""
    n, found = len(rows), landmarks.clustering
    coordinates = np.empty((n, 2))
    assignment, nearest = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    labels, lying = found.assignment, landmarks.lying
    means = unit_length(centroids(landmarks.rows, labels)).astype(np.float32)
    by_mean = found.method == "k-means" and landmarks.reduced.projection is not None
    for place, block in _blocks(rows):
        here = landmarks.of(block)
        neighbours, squares = _nearest(here, lying, VOTES)
        if by_mean:
            assignment[place] = _nearest(here, centroids(lying, labels).astype(np.float32), 1)[0][:, 0]
        else:
            assignment[place] = majority(labels[neighbours])
        coordinates[place] = _drawn_at(block, landmarks, neighbours, squares, assignment[place])
        noise = assignment[place] == NOISE
        nearest[place] = np.where(noise, (block @ means.T).argmax(axis=1), assignment[place]) if found.count else NOISE
    assignment[landmarks.places], coordinates[landmarks.places] = labels, landmarks.drawn.coordinates
    own = labels != NOISE
    nearest[landmarks.places[own]] = labels[own]
    return coordinates, assignment, nearest


def majority(votes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The value with most of the votes (n, k), (n,); in a tie the one with the first vote."""
    alike = (votes[:, :, None] == votes[:, None, :]).sum(axis=2)
    return np.asarray(votes[np.arange(len(votes)), alike.argmax(axis=1)], dtype=np.int64)


def _drawn_at(
    block: Rows, landmarks: Landmarks, neighbours: Ints, squares: Rows, assigned: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The positions (b, 2) of rows on the map: among the neighbours of their own cluster, or all if none has it."""
    if landmarks.drawn.projection is not None:
        return landmarks.drawn.projection.scores(block)
    fellows = landmarks.clustering.assignment[neighbours] == assigned[:, None]
    fellows |= ~fellows.any(axis=1, keepdims=True)
    weights = np.where(fellows, 1 / np.maximum(squares.astype(np.float64), _LEAST_SQUARE), 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((weights[:, :, None] * landmarks.drawn.coordinates[neighbours]).sum(axis=1))


def _nearest(block: Rows, points: Rows, count: int) -> tuple[Ints, Rows]:
    """The `count` nearest of the points for each row, nearest first, (b, count), and their squared distances."""
    halves = np.einsum("ij,ij->i", points, points) / 2
    closeness = block @ points.T
    closeness -= halves
    count = min(count, len(points))
    each, found = np.arange(len(block)), np.empty((len(block), count), dtype=np.intp)
    closest = np.empty((len(block), count), dtype=np.float32)
    for rank in range(count):  # passes over rows of a matrix in the cache: faster than to sort or to partition them
        found[:, rank] = closeness.argmax(axis=1)
        closest[:, rank] = closeness[each, found[:, rank]]
        closeness[each, found[:, rank]] = -np.inf
    return found, np.einsum("ij,ij->i", block, block)[:, None] - 2 * closest


def _agreement(
    rows: Rows, assignment: NDArray[np.int64], *, seed: int, least: int, choice: TopicChoice
) -> tuple[int, float]:
    """The number of rows on which the full method was run, too, and its adjusted Rand index with their assignment."""
    from sklearn.metrics import adjusted_rand_score

    count = min(MOST_TEXTS, len(rows))
    places = np.sort(np.random.default_rng([seed, 1]).choice(len(rows), count, replace=False))
    _, full = reduced_and_clustered(
        np.ascontiguousarray(rows[places]),
        seed=seed,
        min_cluster_size=_scaled(least, count, len(rows)),
        choice=choice,
    )
    return count, float(adjusted_rand_score(full.assignment, assignment[places]))


def _scaled(least: int, count: int, n: int) -> int:
    """The smallest cluster among `count` of n rows that corresponds to `least` among all."""
    return max(2, round(least * count / n))


def _blocks(rows: Rows) -> Iterator[tuple[slice, Rows]]:
    for start in range(0, len(rows), BLOCK):
        place = slice(start, min(start + BLOCK, len(rows)))
        yield place, np.ascontiguousarray(rows[place])
