import csv
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from hcat.core.errors import FileFormatError
from hcat.core.topics.model import NO_TOPIC, TopicModel, find_topics

DATA = Path(__file__).parents[3].parent / "shared/data/topics/banking77_test.csv"

SUBJECTS = {
    "mortgage": ("The mortgage rate", "My home loan interest", "The fixed rate of the house loan"),
    "volcano": ("The volcano's lava", "Molten rock from the crater", "An eruption of volcanic ash"),
    "violin": ("The violin concerto", "A string quartet by Haydn", "The orchestra's violin section"),
    "football": ("The football match", "A goal by the striker", "The league's football club"),
}
ENDS = (
    "was discussed last week.",
    "surprised everybody.",
    "is described in this book.",
    "has changed since 2010.",
    "matters to many people.",
    "was reported on the radio.",
    "became well known.",
)

SENTENCES = {
    "mortgage": (
        "What is the interest rate of a mortgage?",
        "Can I repay my home loan early?",
        "How much can I borrow for a house?",
        "The mortgage term is thirty years.",
        "Refinancing the mortgage lowers the interest.",
        "Which fees come with a home loan?",
    ),
    "volcano": (
        "How does a volcano erupt?",
        "Lava flows from the crater of the volcano.",
        "Volcanic ash closed the airport.",
        "Where is the most active volcano?",
        "Magma rises through the volcano's vent.",
        "The eruption buried the town in ash.",
    ),
    "violin": (
        "Who wrote this violin concerto?",
        "The violin is tuned in fifths.",
        "Her violin teacher played in an orchestra.",
        "A string quartet has two violins.",
        "The bow of a violin is strung with horsehair.",
        "Which violin sonata did Beethoven write first?",
    ),
}


def encode(texts: list[str]) -> NDArray[np.float32]:
    from hcat.core.models.encoder.encoder import load_encoder

    return load_encoder().encode(texts)


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def directions(per_topic: int, topics: int, *, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centres = np.eye(32)[:topics]
    return unit(np.repeat(centres, per_topic, axis=0) + rng.normal(0, 0.05, size=(per_topic * topics, 32)))


def purity(found: NDArray[np.int64], truth: NDArray[np.str_]) -> float:
    """Share of texts that belong to the commonest true class of their topic."""
    largest = [np.unique(truth[found == topic], return_counts=True)[1].max() for topic in np.unique(found)]
    return float(sum(largest)) / len(truth)


def test_two_runs_are_bitwise_the_same() -> None:
    rows = directions(40, 3)
    texts = [f"{'abc'[i // 40]}word text{i}" for i in range(120)]
    first, second = (find_topics(texts, rows, seed=7) for _ in range(2))
    assert first.method == "umap + hdbscan"
    assert first.coordinates.tobytes() == second.coordinates.tobytes()
    assert first.assignment.tobytes() == second.assignment.tobytes()
    assert first.topics == second.topics
    assert find_topics(texts, rows, seed=8).coordinates.tobytes() != first.coordinates.tobytes()


def test_separate_subjects_are_found_with_the_real_encoder() -> None:
    texts = [f"{start} {end}" for starts in SUBJECTS.values() for start, end in product(starts, ENDS)]
    truth = np.repeat(list(SUBJECTS), len(texts) // len(SUBJECTS))
    model = find_topics(texts, encode(texts), seed=7)
    assert model.n == 84
    assert adjusted_rand_score(truth, model.nearest) > 0.7


def test_few_texts_are_split_by_k_means_with_the_real_encoder() -> None:
    texts = [sentence for sentences in SENTENCES.values() for sentence in sentences]
    model = find_topics(texts, encode(texts), seed=7)
    assert model.method == "pca + k-means"
    assert adjusted_rand_score(np.repeat(list(SENTENCES), 6), model.assignment) > 0.8
    assert all(any(subject in topic.title for topic in model.topics) for subject in SENTENCES)


@pytest.mark.realdata
@pytest.mark.slow(larger_than="test_separate_subjects_are_found_with_the_real_encoder")
@pytest.mark.skipif(not DATA.exists(), reason="needs the Banking77 test set beside the repository")
def test_bank_queries_fall_into_their_intents(record_property: Callable[[str, object], None]) -> None:
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    intents = sorted({row["category"] for row in rows})[::8]
    rows = [row for row in rows if row["category"] in intents]
    texts, truth = [row["text"] for row in rows], np.array([row["category"] for row in rows])
    model = find_topics(texts, encode(texts), seed=7)
    rand, pure = adjusted_rand_score(truth, model.nearest), purity(model.nearest, truth)
    record_property("topics", f"n {len(texts)}, topics {len(model.topics)}, ARI {rand:.3f}, purity {pure:.3f}")
    assert rand > 0.5
    assert pure > 0.6


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_tiny_inputs_are_at_most_one_topic(n: int) -> None:
    model = find_topics(
        [f"text {i} on cards" for i in range(n)], directions(1, n) if n else np.zeros((0, 32), np.float32), seed=7
    )
    assert model.coordinates.shape == (n, 2)
    assert [topic.size for topic in model.topics] == ([n] if n else [])
    assert len(model.levels()) == n


@pytest.mark.parametrize("n", [10, 200])
def test_identical_texts_are_one_topic(n: int) -> None:
    model = find_topics(["lost card"] * n, np.tile(directions(1, 1), (n, 1)), seed=7)
    assert [(topic.title, topic.size) for topic in model.topics] == [("lost card", n)]
    assert np.isfinite(model.coordinates).all()


def test_levels_keep_noise_apart_or_give_it_to_the_nearest() -> None:
    texts = [f"text {i}" for i in range(20)]
    model = find_topics(texts, directions(10, 2), seed=7)
    noisy = TopicModel(
        model.coordinates, np.where(np.arange(20) == 3, -1, model.assignment), model.nearest, model.topics, "m", {}
    )
    assert noisy.without_topic == 1
    assert noisy.levels()[3] == NO_TOPIC
    assert noisy.levels(noise="nearest")[3] == model.levels()[3]


def test_a_model_survives_parquet(tmp_path: Path) -> None:
    model = find_topics([f"card {i}" for i in range(30)], directions(10, 3), seed=7)
    model.to_frame().to_parquet(tmp_path / "topics.parquet")
    back = TopicModel.from_frame(pd.read_parquet(tmp_path / "topics.parquet"), model.metadata())
    assert back.coordinates.tobytes() == model.coordinates.tobytes()
    assert back.assignment.tolist() == model.assignment.tolist()
    assert back.nearest.tolist() == model.nearest.tolist()
    assert (back.topics, back.method, dict(back.settings)) == (model.topics, model.method, dict(model.settings))


def test_what_is_not_a_model_is_refused() -> None:
    model = find_topics(["a card"], directions(1, 1), seed=7)
    with pytest.raises(FileFormatError, match="no column 'topic'"):
        TopicModel.from_frame(model.to_frame().drop(columns="topic"), model.metadata())
    with pytest.raises(FileFormatError, match="bad metadata"):
        TopicModel.from_frame(model.to_frame(), {"topics": "none"})


def test_texts_and_embeddings_must_match() -> None:
    with pytest.raises(ValueError, match="2 texts but 1 embeddings"):
        find_topics(["a", "b"], directions(1, 1), seed=7)
