"""Topics of many texts by landmarks: the same as the full method finds, as far as the two can be compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from hcat.core.topics import landmarks, model
from hcat.core.topics.choice import ClusterChoice, ReductionChoice, TopicChoice
from hcat.core.topics.landmarks import group_by_landmarks, majority, stratified_sample
from hcat.core.topics.model import NO_TOPIC, TopicModel, find_topics

AUTOMATIC = TopicChoice()


@pytest.fixture
def few_landmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Landmarks take over from 600 texts on, so that tests are quick."""
    monkeypatch.setattr(landmarks, "LANDMARKS", 300)
    monkeypatch.setattr(landmarks, "STRATA", 20)
    monkeypatch.setattr(landmarks, "BLOCK", 128)
    for module in (landmarks, model):
        monkeypatch.setattr(module, "MOST_TEXTS", 600)


def mixture(sizes: list[int], *, seed: int = 0, spread: float = 0.05) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Unit rows around as many directions, shuffled, and the direction of each."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    rows = np.eye(32)[truth] + rng.normal(0, spread, size=(len(truth), 32))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), truth


def texts_of(truth: NDArray[np.intp]) -> list[str]:
    subjects = ("mortgage", "volcano", "violin", "football", "pension", "weather")
    return [f"{subjects[number]} matter {place}" for place, number in enumerate(truth.tolist())]


CLUSTERINGS: tuple[tuple[ClusterChoice, int | None], ...] = (
    ("auto", None),
    ("hdbscan", None),
    ("dbscan", None),
    ("k-means", None),
    ("k-means", 4),
)


@pytest.mark.usefixtures("few_landmarks")
@pytest.mark.parametrize(
    ("reduction", "clustering", "k"),
    [
        ("auto", "auto", None),
        ("umap", "hdbscan", None),
        *(("pca", *each) for each in CLUSTERINGS),
        *(pytest.param("auto", *each, marks=pytest.mark.slow) for each in CLUSTERINGS[1:]),
        *(pytest.param("umap", *each, marks=pytest.mark.slow) for each in CLUSTERINGS if each[0] != "hdbscan"),
    ],
)
def test_each_method_finds_the_topics_that_it_finds_among_all(
    reduction: ReductionChoice, clustering: ClusterChoice, k: int | None
) -> None:
    rows, truth = mixture([500, 400, 300, 200])
    choice = TopicChoice(reduction, clustering, k)
    found = find_topics(texts_of(truth), rows, seed=7, choice=choice)
    reduced, full = landmarks.reduced_and_clustered(rows, seed=7, min_cluster_size=None, choice=choice)
    assert found.settings["landmarks"] == 300
    assert found.method == f"{reduced.method} + {full.method}"
    assert adjusted_rand_score(full.assignment, found.assignment) >= 0.9
    assert adjusted_rand_score(truth, found.nearest) >= 0.9
    assert found.settings["agreement_n"] == 600
    assert float(str(found.settings["agreement_ari"])) >= 0.9
    assert [topic.size for topic in found.topics] == sorted((topic.size for topic in found.topics), reverse=True)
    assert sum(topic.size for topic in found.topics) + found.without_topic == 1_400
    assert np.isfinite(found.coordinates).all()


@pytest.mark.usefixtures("few_landmarks")
def test_two_runs_are_bitwise_the_same_and_another_seed_takes_others() -> None:
    rows, truth = mixture([500, 400, 300])
    choice = TopicChoice("pca", "hdbscan")
    first, second = (find_topics(texts_of(truth), rows, seed=7, choice=choice) for _ in range(2))
    assert first.coordinates.tobytes() == second.coordinates.tobytes()
    assert first.assignment.tobytes() == second.assignment.tobytes()
    assert first.nearest.tobytes() == second.nearest.tobytes()
    assert (first.topics, first.settings) == (second.topics, second.settings)
    assert stratified_sample(rows, 300, seed=8).tolist() != stratified_sample(rows, 300, seed=7).tolist()


@pytest.mark.slow(larger_than="test_two_runs_are_bitwise_the_same_and_another_seed_takes_others")
@pytest.mark.usefixtures("few_landmarks")
def test_two_runs_by_umap_are_bitwise_the_same_from_memory_and_from_a_file(tmp_path: Path) -> None:
    rows, truth = mixture([500, 400, 300])
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    first, second = (find_topics(texts_of(truth), each, seed=7) for each in (rows, mapped))
    assert first.method == "umap + hdbscan"
    assert first.coordinates.tobytes() == second.coordinates.tobytes()
    assert first.assignment.tobytes() == second.assignment.tobytes()


@pytest.mark.usefixtures("few_landmarks")
def test_up_to_the_limit_all_texts_are_clustered() -> None:
    rows, truth = mixture([200, 200, 200])
    choice = TopicChoice("pca", "hdbscan")
    assert "landmarks" not in find_topics(texts_of(truth), rows, seed=7, choice=choice).settings
    rows, truth = mixture([201, 200, 200])
    assert find_topics(texts_of(truth), rows, seed=7, choice=choice).settings["landmarks"] == 300


@pytest.mark.usefixtures("few_landmarks")
def test_texts_among_noise_are_noise_and_have_a_nearest_topic() -> None:
    """Two dense directions and a thin cloud between them, which density calls noise."""
    rows, truth = mixture([600, 500], spread=0.02)
    rng = np.random.default_rng(5)
    stray = rng.normal(size=(150, 32)).astype(np.float32)
    stray /= np.linalg.norm(stray, axis=1, keepdims=True)
    every, kind = np.concatenate([rows, stray]), np.append(truth, np.full(150, -1))
    choice = TopicChoice("pca", "dbscan", radius=0.2)
    found = find_topics([f"text {place}" for place in range(len(every))], every, seed=7, choice=choice)
    noise = found.assignment == -1
    assert noise[kind == -1].mean() > 0.9
    assert noise[kind >= 0].mean() < 0.01
    assert found.nearest.min() >= 0
    assert (found.nearest[~noise] == found.assignment[~noise]).all()
    assert found.levels().count(NO_TOPIC) == noise.sum() == found.without_topic


def test_a_majority_decides_and_the_first_vote_in_a_tie() -> None:
    votes = np.array([[2, 1, 1, 0, 1], [3, 3, 1, 1, 0], [-1, -1, 0, -1, 0], [0, -1, -1, 0, 1], [4, 3, 2, 1, 0]])
    assert majority(votes).tolist() == [1, 3, -1, 0, 4]


def test_landmarks_are_drawn_from_each_stratum_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landmarks, "STRATA", 40)
    rows, truth = mixture([5_000, 2_500, 1_500, 1_000], spread=0.01)
    chosen = stratified_sample(rows, 1_000, seed=7)
    assert len(set(chosen.tolist())) == 1_000
    assert (np.diff(chosen) > 0).all()
    # Strata lie within directions, so that only rounding moves their shares.
    assert np.abs(np.bincount(truth[chosen]) - [500, 250, 150, 100]).max() <= 20


@pytest.mark.usefixtures("few_landmarks")
@pytest.mark.parametrize("distinct", [1, 2, 5])
def test_many_texts_that_are_alike_are_few_topics(distinct: int) -> None:
    rows = np.tile(np.eye(32, dtype=np.float32)[:distinct], (700, 1))
    found = find_topics([f"card {place % distinct}" for place in range(len(rows))], rows, seed=7)
    assert found.method.startswith("pca")
    assert 1 <= len(found.topics) <= distinct
    assert np.isfinite(found.coordinates).all()
    assert len({tuple(row) for row in found.coordinates.tolist()}) == distinct


@pytest.mark.usefixtures("few_landmarks")
def test_a_smallest_topic_is_counted_among_all_texts() -> None:
    rows, _ = mixture([700, 300, 200])
    small = group_by_landmarks(rows, seed=7, min_cluster_size=None, choice=TopicChoice("pca", "hdbscan", least=100))
    assert (small.clustering.count, small.clustering.min_cluster_size) == (3, 100)
    large = group_by_landmarks(rows, seed=7, min_cluster_size=None, choice=TopicChoice("pca", "hdbscan", least=250))
    assert large.clustering.count == 2


@pytest.mark.usefixtures("few_landmarks")
def test_a_model_by_landmarks_survives_parquet(tmp_path: Path) -> None:
    rows, truth = mixture([500, 400])
    found = find_topics(texts_of(truth), rows, seed=7, choice=TopicChoice("pca", "k-means", k=2))
    found.to_frame().to_parquet(tmp_path / "topics.parquet")
    back = TopicModel.from_frame(pd.read_parquet(tmp_path / "topics.parquet"), found.metadata())
    assert back.coordinates.tobytes() == found.coordinates.tobytes()
    assert dict(back.settings) == dict(found.settings)
    assert {topic.title.split(",")[0] for topic in back.topics} == {"mortgage matter", "volcano matter"}


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_said_of_the_demos_handbook_is_its_agreement_with_the_full_method(
    every: int, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """Half of the passages are landmarks. So few texts have no topics that would not change with half of them:
    what matters is that this is said."""
    from hcat.core.capabilities.demo.bank import read_handbook
    from hcat.core.models.encoder.encoder import load_encoder

    texts = [passage.text for passage in read_handbook()[::every]]
    rows = load_encoder().encode(texts)
    choice = TopicChoice("pca", "k-means", k=8)
    _, full = landmarks.reduced_and_clustered(rows, seed=7, min_cluster_size=None, choice=choice)
    monkeypatch.setattr(landmarks, "LANDMARKS", len(texts) // 2)
    monkeypatch.setattr(landmarks, "STRATA", 10)
    found = group_by_landmarks(rows, seed=7, min_cluster_size=None, choice=choice)
    index = adjusted_rand_score(full.assignment, found.clustering.assignment)
    record_property("topics", f"n {len(texts)}, ARI {index:.3f}")
    assert found.about["agreement_n"] == len(texts)
    assert found.about["agreement_ari"] == pytest.approx(index)
    assert index > 0.3
