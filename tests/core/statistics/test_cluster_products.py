"""Products of sums by cluster beside loops over classes and clusters."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.statistics.cluster_products import ClusterProducts


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_products_are_those_of_loops(seed: int, apart: bool, few: bool) -> None:
    rng = np.random.default_rng(seed)
    n, size = int(rng.integers(1, 60)), int(rng.integers(1, 5))
    columns = rng.normal(size=(4, n))
    if few:
        columns[2:, rng.random(n) < 0.7] = 0.0
    clusters = rng.permutation(n) if apart else rng.integers(0, 9, n) * 7
    codes = rng.integers(-1, size, n)
    found = ClusterProducts(columns, clusters, few=2 if few else None).classes(codes, size)
    counts = columns[2 if few else 0] != 0
    for place in range(size):
        of_class, inside = codes == place, np.zeros((2, 4, 4))
        between = np.zeros((4, 4))
        for cluster in np.unique(clusters):
            of_cluster = clusters == cluster
            own, rest = (columns[:, of_cluster & side].sum(axis=1) for side in (of_class, ~of_class))
            inside += np.outer(own, own), np.outer(rest, rest)
            between += np.outer(own, rest)
        np.testing.assert_allclose(found.sums[:, place], columns[:, of_class].sum(axis=1), atol=1e-12)
        np.testing.assert_allclose(found.own[place], inside[0], atol=1e-12)
        np.testing.assert_allclose(found.rest[place], inside[1], atol=1e-12)
        np.testing.assert_allclose(found.between[place], between, atol=1e-12)
        assert found.clusters[place] == len(np.unique(clusters[of_class & counts]))
        assert found.rest_clusters[place] == len(np.unique(clusters[~of_class & counts]))
