import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hcat.core.topics.cluster import Clustering, cluster_rows, default_cluster_size, nearest_cluster
from hcat.core.topics.reduce import reduce_dimensions


def blobs(sizes: list[int], *, seed: int = 0, spread: float = 0.1) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(5 * k, spread, size=(size, 5)) for k, size in enumerate(sizes)])


def clusters(rows: NDArray[np.float64], *, min_cluster_size: int | None = None) -> Clustering:
    return cluster_rows(rows, rows.astype(np.float32), seed=7, min_cluster_size=min_cluster_size)


def test_hdbscan_finds_blobs_and_numbers_them_by_falling_size() -> None:
    found = clusters(blobs([20, 50, 30]))
    assert found.method == "hdbscan"
    assert found.count == 3
    majority = [np.bincount(part[part >= 0]).argmax() for part in np.split(found.assignment, [20, 70])]
    assert majority == [2, 0, 1]


def test_k_means_takes_over_where_rows_are_few_or_density_shows_nothing() -> None:
    few = clusters(blobs([12, 9, 15]))
    assert (few.method, few.count) == ("k-means", 3)
    assert np.bincount(few.assignment).tolist() == [15, 12, 9]
    one_blob = clusters(blobs([100]), min_cluster_size=60)
    assert one_blob.method != "hdbscan"
    shapeless = np.random.default_rng(2).normal(size=(40, 300))
    assert clusters(shapeless).method == "single"


def test_rows_that_can_not_be_split_are_one_cluster() -> None:
    for rows in (np.zeros((0, 5)), np.zeros((1, 5)), blobs([5]), np.ones((40, 5)), np.ones((100, 5))):
        found = clusters(rows)
        assert found.method == "single"
        assert found.assignment.tolist() == [0] * len(rows)


def test_default_cluster_size_grows_with_the_root() -> None:
    assert [default_cluster_size(n) for n in (60, 100, 1000, 10_000)] == [5, 5, 16, 50]


def test_noise_goes_to_the_nearest_centroid_only_in_the_second_assignment() -> None:
    rows = np.array([[1, 0], [1, 0], [0, 1], [0.6, 0.8], [0.8, 0.6]], dtype=np.float32)
    assignment = np.array([0, 0, 1, -1, -1])
    assert nearest_cluster(rows, assignment).tolist() == [0, 0, 1, 1, 0]
    assert assignment.tolist() == [0, 0, 1, -1, -1]


@given(st.integers(0, 8), st.integers(1, 12))
def test_principal_components_always_have_the_asked_shape(n: int, d: int) -> None:
    rows = np.random.default_rng(n * 13 + d).normal(size=(n, d)).astype(np.float32)
    scores = reduce_dimensions(rows, components=5, seed=7, method="pca").coordinates
    assert scores.shape == (n, 5)
    assert np.isfinite(scores).all()


def test_principal_components_agree_with_scikit_learn_up_to_sign() -> None:
    from sklearn.decomposition import PCA

    rows = np.random.default_rng(1).normal(size=(40, 12)).astype(np.float32)
    expected = PCA(n_components=5, svd_solver="full").fit_transform(rows.astype(np.float64))
    scores = reduce_dimensions(rows, components=5, seed=7, method="pca").coordinates
    np.testing.assert_allclose(np.abs(scores), np.abs(expected), atol=1e-6)


def test_few_distinct_rows_are_reduced_by_pca() -> None:
    rows = np.repeat(np.eye(20, dtype=np.float32), 10, axis=0)
    assert reduce_dimensions(rows, components=2, seed=7).method == "pca"
