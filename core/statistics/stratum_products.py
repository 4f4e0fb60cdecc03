"""Sums by cluster as in `cluster_products`, for classes whose samples are stratified.

Products are stored for each two strata of a class, since a cluster may have samples in several. The total of a class
then follows for any factors of the strata, without another pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.statistics.cluster_products import added


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Products of sums by cluster of the m columns, (p, m, m), for pairs of strata within k classes.

    They are of stratum `one` (p,) with stratum `two` (p,), added over the clusters. Those of a class begin at `starts`
    (k + 1,)."""

    starts: Codes
    one: Codes
    two: Codes
    products: Floats

    def form(self, place: int, a: Floats, b: Floats) -> Floats:
        """The sum of a class's products, (i, j), with the columns multiplied by stratum.

        Columns of the first stratum are multiplied by `a` (strata, i, m), those of the second by `b` (strata, j, m)."""
        at = slice(self.starts[place], self.starts[place + 1])
        weighed = a[self.one[at]] @ self.products[at] @ b[self.two[at]].transpose(0, 2, 1)
        return np.asarray(weighed.sum(axis=0), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class StratumProducts:
    """Sums and products by class and stratum, for k classes of samples in h strata.

    By class and stratum: `sums` (m, k · h) of the m columns, `clusters` (k · h,) with samples that count there, and
    `rest_clusters` in the stratum outside the class. `of_class` and `of_rest` (k,) count those clusters over all
    strata, `several` says whether any cluster of a class has samples that count in several. `own` are the products of
    the class, `cross` those of the class with all samples of its clusters."""

    sums: Floats
    clusters: Ints
    rest_clusters: Ints
    of_class: Ints
    of_rest: Ints
    several: Bools
    own: Blocks
    cross: Blocks


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Sums of columns (m, p), and how many samples count (p,), for each cluster, class and stratum that occurs.

    They are sorted in this order. If each sample is its own cluster, the samples are in their own order."""

    cluster: Codes
    where: Codes
    stratum: Codes
    columns: Floats
    counted: Ints


class StratifiedClusters:
    """Columns (m, N) of values, the cluster of each sample, and its stratum of h, from 0.

    Columns from `few` on are 0 except for samples that count, which are those with a value in column `few`."""

    def __init__(self, columns: Floats, clusters: Codes, strata: Codes, h: int, *, few: int) -> None:
        self._columns, self._strata, self._h, self._few = columns, strata, h, few
        self._cluster = np.unique(clusters, return_inverse=True)[1].astype(np.intp)
        self._clusters = int(self._cluster.max(initial=-1)) + 1
        self._apart = self._clusters == len(self._cluster)
        self._counts = columns[few] != 0
        self._used = [place for place, column in enumerate(columns) if column.any()]
        self._counted = np.bincount(self._cluster[self._counts], minlength=self._clusters)
        self._totals = self._parts(np.zeros(len(strata), dtype=np.intp), 1)
        counted = self._totals.counted > 0
        self._by_stratum = np.bincount(self._totals.stratum[counted], minlength=h)
        self.several = bool((np.bincount(self._totals.cluster[counted], minlength=1) > 1).any())
        """Whether any cluster has samples that count in several strata."""
        self.whole = self._blocks(self._totals, self._totals, self._matched(self._totals.cluster, self._totals), 1)
        """The products of all samples, as one class."""

    def classes(self, codes: Codes, size: int) -> StratumProducts:
        """Products for the classes numbered by `codes` (N,) from 0; a sample of −1 is in the complement of each."""
        codes = np.where(codes < 0, size, codes).astype(np.intp)
        parts, h = self._parts(codes, size + 1), self._h
        sub, inside = parts.where * h + parts.stratum, parts.counted > 0
        total = self._counted_in_total(parts)
        clusters, only = (
            np.bincount(sub[which], minlength=(size + 1) * h)[: size * h]
            for which in (inside, inside & (parts.counted == total))
        )
        of_class, of_class_only, several = self._whatever_stratum(parts, size)
        own = self._blocks(parts, parts, self._matched_within(parts, size + 1), size)
        cross = (
            own if self._apart else self._blocks(parts, self._totals, self._matched(parts.cluster, self._totals), size)
        )
        return StratumProducts(
            sums=self._sums(codes * h + self._strata, (size + 1) * h),
            clusters=clusters,
            rest_clusters=np.tile(self._by_stratum, size) - only,
            of_class=of_class,
            of_rest=np.count_nonzero(self._counted) - of_class_only,
            several=several > 0,
            own=own,
            cross=cross,
        )

    def _sums(self, codes: Codes, size: int) -> Floats:
        sums = np.zeros((len(self._columns), size))
        for place in self._used:
            sums[place] = added(self._columns[place], codes, size)
        return sums

    def _parts(self, codes: Codes, size: int) -> _Parts:
        if self._apart:
            return _Parts(self._cluster, codes, self._strata, self._columns, self._counts.astype(np.intp))
        key, place = np.unique((self._cluster * size + codes) * self._h + self._strata, return_inverse=True)
        rest, stratum = np.divmod(key, self._h)
        cluster, where = np.divmod(rest, size)
        counted = np.bincount(place[self._counts], minlength=len(key))
        return _Parts(cluster, where, stratum, self._sums(place, len(key)), counted)

    def _counted_in_total(self, parts: _Parts) -> Ints:
        """The number of samples that count in each part's cluster and stratum, over all classes."""
        if self._apart:
            return parts.counted
        keys = self._totals.cluster * self._h + self._totals.stratum
        return self._totals.counted[np.searchsorted(keys, parts.cluster * self._h + parts.stratum)]

    def _whatever_stratum(self, parts: _Parts, size: int) -> list[Ints]:
        """Numbers of clusters per class (k,): with samples that count, of those without another class, and with several
        strata."""
        new = self._new_group(parts, size + 1)
        first, group = np.flatnonzero(new), np.cumsum(new) - 1
        counted = np.bincount(group, weights=parts.counted, minlength=len(first)).astype(np.intp)
        strata = np.bincount(group[parts.counted > 0], minlength=len(first))
        alone = (counted > 0) & (counted == self._counted[parts.cluster[first]])
        which = (counted > 0, alone, strata > 1)
        return [np.bincount(parts.where[first][each], minlength=size + 1)[:size] for each in which]

    def _new_group(self, parts: _Parts, size: int) -> Bools:
        """Whether each part is of another cluster or class than the one before."""
        if self._apart:
            return np.ones(len(parts.cluster), dtype=np.bool_)
        group = parts.cluster * size + parts.where
        return np.append(True, group[1:] != group[:-1])[: len(group)]

    def _matched_within(self, parts: _Parts, size: int) -> tuple[Codes, Codes] | None:
        """The pairs of parts of one cluster and class; None if each is paired only with itself."""
        new = self._new_group(parts, size)
        return None if new.all() else _matches(group := np.cumsum(new) - 1, group)

    def _matched(self, clusters: Codes, right: _Parts) -> tuple[Codes, Codes] | None:
        """Each part of these clusters (p,) with those on the right of the same cluster; None if each is paired only
        with itself."""
        return None if self._apart else _matches(clusters, right.cluster)

    def _blocks(self, left: _Parts, right: _Parts, matched: tuple[Codes, Codes] | None, size: int) -> Blocks:
        """The products of the left parts of so many classes, by class and by stratum of both sides."""
        h, m = self._h, len(self._columns)
        everything = slice(None)
        one, two = (everything, everything) if matched is None else matched
        # Each class has a block for each stratum; for two different strata only those that occur.
        number = left.where[one] * h + left.stratum[one]
        apart = np.flatnonzero(left.stratum[one] != right.stratum[two])
        pairs, place = np.unique(number[apart] * h + right.stratum[two][apart], return_inverse=True)
        of_own = (int(left.where.max(initial=-1)) + 1) * h
        number[apart] = of_own + place
        few = np.flatnonzero(self._counted[left.cluster[one]])
        few_one, few_two = (few, few) if matched is None else (matched[0][few], matched[1][few])
        products = np.zeros((of_own + len(pairs), m, m))
        for i in self._used:
            for j in self._used:
                if max(i, j) < self._few:
                    values, at = left.columns[i][one] * right.columns[j][two], number
                else:
                    values, at = left.columns[i][few_one] * right.columns[j][few_two], number[few]
                products[:, i, j] = added(values, at, len(products))
        first = np.append(np.arange(of_own), pairs // h)
        second = np.append(np.arange(of_own) % h, pairs % h)
        order = np.argsort(first // h, kind="stable")
        starts = np.searchsorted((first // h)[order], np.arange(size + 1))
        return Blocks(starts, first[order] % h, second[order], products[order])


def _matches(left: Codes, right: Codes) -> tuple[Codes, Codes]:
    """The positions of all pairs of one on the left and one on the right in the same group; both increase from 0."""
    size = np.bincount(right)
    each = size[left]
    of_left = np.repeat(np.arange(len(left)), each)
    within = np.arange(len(of_left)) - np.repeat(np.cumsum(each) - each, each)
    return of_left, (np.cumsum(size) - size)[left][of_left] + within
