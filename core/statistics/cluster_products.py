"""Products of sums by cluster, for every class of a partition and its complement, accumulated in one pass.

The cluster-robust variance of a mean is a quadratic form of such products (Liang & Zeger 1986), so that no class needs
the rows again. Samples of one cluster may be in several classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class ClassProducts:
    """Sums and products of sums by cluster, for k classes.

    `sums` (m, k) are those of the m columns. `own`, `rest` and `between` (k, m, m) are products of the sums by cluster,
    added over clusters: of the class, of its complement, and of the class (rows) with its complement. `clusters` and
    `rest_clusters` (k,) count the clusters with samples that count in the class and in its complement."""

    sums: Floats
    own: Floats
    rest: Floats
    between: Floats
    clusters: Ints
    rest_clusters: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """The pairs of a class and a cluster that occur (p,), with the sums of the columns (m, p) and the number of samples
    that count."""

    where: Codes
    cluster: Codes
    columns: Floats
    counted: Ints


class ClusterProducts:
    """Columns (m, N) of values, and the cluster of each sample (N,).

    Columns from `few` on are 0 except for samples that count, which are those with a value in column `few`; by default
    all samples count."""

    def __init__(self, columns: Floats, clusters: Codes, *, few: int | None = None) -> None:
        self._columns, self._cluster = columns, np.unique(clusters, return_inverse=True)[1].astype(np.intp)
        count = int(self._cluster.max(initial=-1)) + 1
        self._apart, self._few = count == len(self._cluster), len(columns) if few is None else few
        self._counts = (columns[0 if few is None else few] != 0).astype(np.intp)
        self._totals = columns if self._apart else _by(columns, self._cluster, count)
        self._counted = np.bincount(self._cluster[self._counts > 0], minlength=count)
        self._used = [place for place, column in enumerate(columns) if column.any()]
        self.products: Floats = self._totals @ self._totals.T

    def classes(self, codes: Codes, size: int) -> ClassProducts:
        """Products for the classes numbered by `codes` (N,) from 0; a sample of −1 is in the complement of each."""
        codes = np.where(codes < 0, size, codes)
        pairs = self._pairs(codes, size + 1)
        own, cross = (products[:size] for products in self._by_class(pairs, size + 1))
        inside = pairs.counted > 0
        alone = inside & (pairs.counted == self._counted[pairs.cluster])
        clusters, only = (np.bincount(pairs.where[which], minlength=size + 1)[:size] for which in (inside, alone))
        return ClassProducts(
            sums=_by(self._columns, codes, size + 1),
            own=own,
            rest=self.products - cross - cross.transpose(0, 2, 1) + own,
            between=cross - own,
            clusters=clusters,
            rest_clusters=np.count_nonzero(self._counted) - only,
        )

    def _pairs(self, codes: Codes, size: int) -> _Pairs:
        if self._apart:
            return _Pairs(codes, self._cluster, self._columns, self._counts)
        pair, place = np.unique(self._cluster * size + codes, return_inverse=True)
        cluster, where = np.divmod(pair, size)
        counted = np.bincount(place[self._counts > 0], minlength=len(pair))
        return _Pairs(where, cluster, _by(self._columns, place, len(pair)), counted)

    def _by_class(self, pairs: _Pairs, size: int) -> tuple[Floats, Floats]:
        """Products (size, m, m) of a pair's own sums, and of its own sums (rows) with those of its whole cluster."""
        m = len(self._columns)
        own, cross = np.zeros((2, m, m, size))
        places = np.flatnonzero(self._counted[pairs.cluster])
        counted = _Pairs(pairs.where[places], pairs.cluster[places], pairs.columns[:, places], pairs.counted[places])
        for i in self._used:
            for j in self._used:
                part = pairs if max(i, j) < self._few else counted
                if j >= i:
                    own[i, j] = own[j, i] = added(part.columns[i] * part.columns[j], part.where, size)
                if not self._apart:
                    cross[i, j] = added(part.columns[i] * self._totals[j][part.cluster], part.where, size)
        return own.transpose(2, 0, 1), (own if self._apart else cross).transpose(2, 0, 1)


def added(values: Floats, codes: Codes, size: int) -> Floats:
    """The sums of values (N,) by class."""
    return np.bincount(codes, weights=values, minlength=size).astype(np.float64)


def _by(columns: Floats, codes: Codes, size: int) -> Floats:
    nothing = np.zeros(size)
    return np.stack([added(column, codes, size) if column.any() else nothing for column in columns])
