"""Products of sums by cluster and stratum beside loops over classes and clusters."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.stratum_products import Blocks, StratifiedClusters

M, FEW = 4, 2


def whole(of: Blocks, place: int, strata: int) -> np.ndarray:
    """All products of a class (h · m, h · m)."""
    every = np.zeros((strata, strata * M, M))
    for h in range(strata):
        every[h, h * M : (h + 1) * M] = np.eye(M)
    return of.form(place, every, every)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_products_are_those_of_loops(seed: int, apart: bool) -> None:
    rng = np.random.default_rng(seed)
    n, size, strata = int(rng.integers(1, 60)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
    columns = rng.normal(size=(M, n))
    columns[FEW:, rng.random(n) < 0.7] = 0.0
    clusters = rng.permutation(n) if apart else rng.integers(0, 9, n) * 7
    codes, stratum = rng.integers(-1, size, n), rng.integers(0, strata, n)
    sums = StratifiedClusters(columns, clusters, stratum, strata, few=FEW)
    found, counts = sums.classes(codes, size), columns[FEW] != 0

    def by_stratum(which: np.ndarray) -> np.ndarray:
        return np.concatenate([columns[:, which & (stratum == h)].sum(axis=1) for h in range(strata)])

    def in_clusters(which: np.ndarray) -> int:
        return len(np.unique(clusters[which & counts]))

    of_all = sum(np.outer(x, x) for x in (by_stratum(clusters == one) for one in np.unique(clusters)))
    np.testing.assert_allclose(whole(sums.whole, 0, strata), of_all, atol=1e-12)
    for place in range(size):
        inside, own, cross, several = codes == place, 0.0, 0.0, False
        for one in np.unique(clusters):
            part, total = by_stratum(inside & (clusters == one)), by_stratum(clusters == one)
            own, cross = own + np.outer(part, part), cross + np.outer(part, total)
            several |= len(np.unique(stratum[inside & counts & (clusters == one)])) > 1
        np.testing.assert_allclose(whole(found.own, place, strata), own, atol=1e-12)
        np.testing.assert_allclose(whole(found.cross, place, strata), cross, atol=1e-12)
        assert found.several[place] == several
        assert (found.of_class[place], found.of_rest[place]) == (in_clusters(inside), in_clusters(~inside))
        for h in range(strata):
            at = place * strata + h
            np.testing.assert_allclose(found.sums[:, at], columns[:, inside & (stratum == h)].sum(axis=1), atol=1e-12)
            assert found.clusters[at] == in_clusters(inside & (stratum == h))
            assert found.rest_clusters[at] == in_clusters(~inside & (stratum == h))
