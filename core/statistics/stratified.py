"""The difference of two groups within strata, with a standard error that is valid if strata are small."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Codes, Floats

_NO_SPREAD = 1e-10


@dataclass(frozen=True, slots=True)
class StratifiedDifference:
    """Group less reference, `mean` less `mean_of_reference`, each standardised to the strata's overlap.

    `error` is the standard error and `degrees` are those of its t distribution: NaN and 0 without two clusters that
    differ. `strata` counts those that contain both groups, `clusters` and `clusters_of_reference` the clusters in
    them."""

    value: float
    mean: float
    mean_of_reference: float
    error: float
    degrees: float
    strata: int
    clusters: int
    clusters_of_reference: int


@dataclass(frozen=True)
class _Cells:
    """Rows of one cluster, stratum and group combined: they have equal weights in all that follows."""

    rows: Floats
    x: Floats
    residuals: Floats
    strata: Codes
    clusters: Codes


def stratified_difference(
    y: Floats, is_group: ArrayLike, strata: ArrayLike, clusters: ArrayLike
) -> StratifiedDifference:
    """The difference in y (N,) between the group (true) and its reference, over the strata that contain both.

    A stratum has weight n₁n₂/(n₁ + n₂): the overlap of the two groups, with the smallest error if the difference is the
    same in all strata (Cochran 1954; overlap weights of Li, Morgan & Zaslavsky 2018). Errors are cluster-robust and
    bias-reduced (CR2), with Satterthwaite's degrees of freedom: the plain sandwich would count strata of one pair as
    twice the evidence that they are. Source: Bell & McCaffrey 2002; Pustejovsky & Tipton 2018, Small-Sample Methods for
    Cluster-Robust Variance Estimation. Rows of strata with one group are not used."""
    group = np.asarray(is_group, dtype=bool)
    rows = in_both(group, strata)
    y, group = y[rows], group[rows]
    stratum, cluster = _codes(np.asarray(strata)[rows]), _codes(np.asarray(clusters)[rows])
    if not len(y):
        return StratifiedDifference(math.nan, math.nan, math.nan, math.nan, 0.0, 0, 0, 0)
    sizes = np.bincount(stratum).astype(np.float64)
    of_group = np.bincount(stratum, weights=group)
    weights = of_group * (sizes - of_group) / sizes
    means = [
        np.bincount(stratum, weights=np.where(chosen, y, 0.0)) / np.bincount(stratum, weights=chosen)
        for chosen in (group, ~group)
    ]
    mean, of_reference = (float(weights @ each / weights.sum()) for each in means)
    x = group - (of_group / sizes)[stratum]
    residuals = y - (np.bincount(stratum, weights=y) / sizes)[stratum] - (mean - of_reference) * x
    error, degrees = _bias_reduced(_cells(x, residuals, stratum, cluster, group), sizes, float(x @ x))
    return StratifiedDifference(
        mean - of_reference,
        mean,
        of_reference,
        error,
        degrees,
        len(sizes),
        len(np.unique(cluster[group])),
        len(np.unique(cluster[~group])),
    )


def in_both(is_group: ArrayLike, strata: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each row is in a stratum with rows of the group and of its reference."""
    group, stratum = np.asarray(is_group, dtype=bool), _codes(strata)
    number = int(stratum.max()) + 1 if len(stratum) else 0
    held = [np.bincount(stratum[chosen], minlength=number) > 0 for chosen in (group, ~group)]
    return (held[0] & held[1])[stratum]


def _cells(x: Floats, residuals: Floats, stratum: Codes, cluster: Codes, group: np.ndarray) -> _Cells:
    keys = (cluster * (int(stratum.max()) + 1) + stratum) * 2 + group.astype(np.intp)
    _, first, cell = np.unique(keys, return_index=True, return_inverse=True)
    rows = np.bincount(cell).astype(np.float64)
    together = np.bincount(cell, weights=residuals).astype(np.float64)
    return _Cells(rows, x[first], together, stratum[first], cluster[first])


def _bias_reduced(cells: _Cells, sizes: Floats, squares: float) -> tuple[float, float]:
    """Standard error and degrees of freedom of the slope on x, in a model with a constant for each stratum."""
    from scipy.sparse import csr_matrix

    root = np.sqrt(cells.rows)
    z = root * cells.x
    adjusted = _adjusted(cells, z, root, sizes, squares)
    number = int(cells.clusters.max()) + 1
    of_cluster = cells.clusters
    scores = np.bincount(of_cluster, weights=adjusted * cells.residuals / root, minlength=number)
    variance = float(scores @ scores) / squares**2
    lengths = np.bincount(of_cluster, weights=adjusted**2, minlength=number)
    along = np.bincount(of_cluster, weights=adjusted * z, minlength=number) / math.sqrt(squares)
    in_strata = csr_matrix(
        (adjusted * root / np.sqrt(sizes[cells.strata]), (of_cluster, cells.strata)), shape=(number, len(sizes))
    )
    explained = along**2 + np.asarray(in_strata.multiply(in_strata).sum(axis=1)).ravel()
    trace = float((lengths - explained).sum())
    crossed, beside = (in_strata.T @ in_strata).data, in_strata.T @ along
    of_squares = float(
        lengths @ lengths
        - 2 * lengths @ explained
        + float(along @ along) ** 2
        + 2 * float(beside @ beside)
        + float(crossed @ crossed)
    )
    if number < 2 or variance <= _NO_SPREAD**2 or of_squares <= _NO_SPREAD:
        return (0.0 if number > 1 else math.nan), 0.0
    return math.sqrt(variance), trace**2 / of_squares


def _adjusted(cells: _Cells, z: Floats, root: Floats, sizes: Floats, squares: float) -> Floats:
    """(I − H)^(−1/2) z of each cluster, where H is the hat matrix: clusters with equal numbers of cells at a time."""
    adjusted = np.zeros(len(z))
    order = np.argsort(cells.clusters, kind="stable")
    counts = np.bincount(cells.clusters)
    begins = np.cumsum(counts) - counts
    for size in np.unique(counts):
        block = order[begins[counts == size][:, None] + np.arange(size)]
        same = cells.strata[block][:, :, None] == cells.strata[block][:, None, :]
        beside = root[block] / np.sqrt(sizes[cells.strata[block]])
        taken = z[block][:, :, None] * z[block][:, None, :] / squares
        taken += same * beside[:, :, None] * beside[:, None, :]
        values, vectors = np.linalg.eigh(np.eye(size) - taken)
        inverse = np.where(values > _NO_SPREAD, 1 / np.sqrt(np.maximum(values, _NO_SPREAD)), 0.0)
        adjusted[block] = np.einsum("kij,kj,klj,kl->ki", vectors, inverse, vectors, z[block])
    return adjusted


def _codes(names: ArrayLike) -> Codes:
    return np.unique(np.asarray(names), return_inverse=True)[1].astype(np.intp)
