"""Topics by a chosen reduction, clustering and number."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.arrays import Floats
from hcat.core.errors import HcatError
from hcat.core.topics.choice import ClusterChoice, TopicChoice
from hcat.core.topics.cluster import cluster_rows
from hcat.core.topics.model import find_topics


def blobs(sizes: list[int]) -> Floats:
    rng = np.random.default_rng(3)
    return np.concatenate([rng.normal(5 * place, 0.1, size=(size, 5)) for place, size in enumerate(sizes)])


@pytest.mark.parametrize("clustering", ["dbscan", "hdbscan", "k-means"])
@pytest.mark.parametrize("sizes", [[12, 9, 15], [40, 30, 50]])
def test_each_clustering_finds_blobs(clustering: ClusterChoice, sizes: list[int]) -> None:
    rows = blobs(sizes)
    made = cluster_rows(rows, rows.astype(np.float32), seed=7, choice=TopicChoice("auto", clustering))
    assert (made.method, made.count) == (clustering, 3)


def test_the_number_of_topics_is_the_one_asked_for() -> None:
    rows = blobs([20, 20, 20])
    made = cluster_rows(rows, rows.astype(np.float32), seed=7, choice=TopicChoice.of(k=5))
    assert (made.method, made.count) == ("k-means", 5)


def test_a_chosen_reduction_is_used_and_what_was_chosen_is_stored() -> None:
    rows = blobs([40, 30, 50]).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    choice = TopicChoice.of(reduction="pca", k=4)
    model = find_topics([f"text {number}" for number in range(120)], rows, seed=7, choice=choice)
    assert model.method == "pca + k-means"
    assert (model.settings["reduction"], model.settings["k"], len(model.topics)) == ("pca", 4, 4)
    assert TopicChoice.read(choice.written()) == choice
    assert TopicChoice().written() == {}


@pytest.mark.parametrize(
    ("reduction", "clustering", "k"), [("tsne", "auto", None), ("auto", "ward", None), ("auto", "dbscan", 3)]
)
def test_what_cannot_be_is_refused(reduction: str, clustering: str, k: int | None) -> None:
    with pytest.raises(HcatError):
        TopicChoice.of(reduction=reduction, clustering=clustering, k=k)
