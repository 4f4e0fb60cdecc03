"""A topic model: the topic of each text, its position on the map, and a description of each topic."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import FileFormatError
from hcat.core.records.samples.columns import Levels
from hcat.core.topics.choice import AUTOMATIC, TopicChoice
from hcat.core.topics.cluster import NOISE, Clustering, nearest_cluster
from hcat.core.topics.describe import Term, key_terms, titles
from hcat.core.topics.grouping import CLUSTER_DIMENSIONS, Grouping, drawn, reduced_and_clustered
from hcat.core.topics.landmarks import MOST_TEXTS, group_by_landmarks
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import pandas as pd

NO_TOPIC = "(no topic)"

MOST_READ = 2_000
"""The most texts of each topic that are read for its key terms, for more than `MOST_TEXTS` texts."""

COLUMNS = ("x", "y", "topic", "nearest")


@dataclass(frozen=True, slots=True)
class Topic:
    """A group of texts on one subject. `size` counts the texts that belong to it, without noise."""

    id: int
    title: str
    terms: tuple[Term, ...]
    size: int


@dataclass(frozen=True, eq=False)
class TopicModel:
    """Topics of n texts, in the order of the texts.

    `coordinates` (n, 2) are for drawing only. `assignment` (n,) has topic ids, -1 for a text between topics; `nearest`
    (n,) gives those texts to the topic whose centroid is closest. `method` names both steps, as "umap + hdbscan".
    `settings` are what is needed to make the same model again."""

    coordinates: NDArray[np.float64]
    assignment: NDArray[np.int64]
    nearest: NDArray[np.int64]
    topics: tuple[Topic, ...]
    method: str
    settings: Mapping[str, JsonValue]

    @property
    def n(self) -> int:
        return len(self.assignment)

    @property
    def without_topic(self) -> int:
        """The number of texts between topics."""
        return int((self.assignment == NOISE).sum())

    def level_codes(self) -> Levels:
        """The same as numbers and names, with texts between topics at "(no topic)"."""
        ids, first, codes = np.unique(self.assignment, return_index=True, return_inverse=True)
        order, named = np.argsort(first), self._titles
        in_order = Levels.of(named[number] for number in ids[order].tolist())
        code_of = np.empty(len(ids), dtype=np.int32)
        code_of[order] = in_order.codes
        return Levels(code_of[codes], in_order.names)

    @property
    def _titles(self) -> dict[int, str]:
        return {topic.id: topic.title for topic in self.topics} | {NOISE: NO_TOPIC}

    def levels(self, *, noise: Literal["keep", "nearest"] = "keep") -> tuple[str, ...]:
        """Each text's topic title, as a dimension. Texts between topics are "(no topic)", or have the nearest one.

        Keep them for weaknesses, where a forced topic would blur the slice; use the nearest for sampling, where each
        text must be in a stratum."""
        named = self._titles
        ids = self.assignment if noise == "keep" else self.nearest
        return tuple(named[int(number)] for number in ids)

    def to_frame(self) -> pd.DataFrame:
        """One row per text: x, y, topic, nearest. Together with `metadata` it is the whole model."""
        import pandas as pd

        x, y = self.coordinates[:, 0], self.coordinates[:, 1]
        return pd.DataFrame({"x": x, "y": y, "topic": self.assignment, "nearest": self.nearest})

    def metadata(self) -> dict[str, JsonValue]:
        """Topics, method and settings as JSON."""
        topics: list[JsonValue] = [_topic_record(topic) for topic in self.topics]
        return {"topics": topics, "method": self.method, "settings": dict(self.settings)}

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, metadata: Mapping[str, JsonValue]) -> TopicModel:
        """The inverse of `to_frame` and `metadata`. Raises FileFormatError if they are not of one topic model."""
        missing = [column for column in COLUMNS if column not in frame.columns]
        if missing:
            raise FileFormatError(f"not a topic model: no column {missing[0]!r}; make it again with `hcat topics`")
        try:
            topics = tuple(_topic(record) for record in _records(metadata["topics"]))
            method, settings = str(metadata["method"]), _mapping(metadata["settings"])
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                f"not a topic model: bad metadata ({error}); make it again with `hcat topics`"
            ) from error
        return cls(
            coordinates=frame[["x", "y"]].to_numpy(np.float64),
            assignment=frame["topic"].to_numpy(np.int64),
            nearest=frame["nearest"].to_numpy(np.int64),
            topics=topics,
            method=method,
            settings=settings,
        )


def find_topics(
    texts: Sequence[str],
    embeddings: NDArray[np.float32],
    *,
    seed: int,
    min_cluster_size: int | None = None,
    choice: TopicChoice = AUTOMATIC,
) -> TopicModel:
    """Topics of texts from their embeddings: reduce, cluster, describe.

    `embeddings` are (n, d) unit rows in the order of `texts`. Same inputs and seed, same bits. UMAP and HDBSCAN from 60
    distinct texts on, below that PCA and k-means; fewer than 6 texts are one topic. `choice` overrides either. With
    more than `MOST_TEXTS` texts they are found among landmarks (`group_by_landmarks`). HCAT 2, steps 1 to 3."""
    if len(texts) != len(embeddings):
        raise ValueError(f"{len(texts)} texts but {len(embeddings)} embeddings")
    rows = np.asarray(embeddings, dtype=np.float32)
    if not len(rows):
        none = np.zeros(0, dtype=np.int64)
        return _model(
            texts, Grouping(np.zeros((0, 2)), Clustering(none, "single"), none, "pca"), "none", {"seed": seed}
        )
    group = _group_all if len(rows) <= MOST_TEXTS else group_by_landmarks
    grouping = group(rows, seed=seed, min_cluster_size=min_cluster_size, choice=choice)
    clustering = grouping.clustering
    settings: dict[str, JsonValue] = {
        "seed": seed,
        "cluster_dimensions": choice.dimensions or CLUSTER_DIMENSIONS,
        "min_cluster_size": clustering.min_cluster_size,
        "silhouette": clustering.silhouette,
        **({} if clustering.radius is None else {"radius": clustering.radius}),
        **choice.written(),
        **grouping.about,
    }
    return _model(texts, grouping, f"{grouping.reduction} + {clustering.method}", settings)


def described_anew(model: TopicModel, texts: Sequence[str], topics: Collection[int]) -> TopicModel:
    """The model with new key terms and titles of these topics, from the remaining texts ("": erased)."""
    most = None if len(texts) <= MOST_TEXTS else MOST_READ
    terms = key_terms(texts, model.assignment, count=len(model.topics), most=most)
    kept = {topic.title for topic in model.topics if topic.id not in topics}
    described = [
        replace(topic, title=f"{title} ({topic.id + 1})" if title in kept else title, terms=left)
        if topic.id in topics
        else topic
        for topic, title, left in zip(model.topics, titles(terms), terms, strict=True)
    ]
    return replace(model, topics=tuple(described))


def _group_all(rows: NDArray[np.float32], *, seed: int, min_cluster_size: int | None, choice: TopicChoice) -> Grouping:
    reduced, found = reduced_and_clustered(rows, seed=seed, min_cluster_size=min_cluster_size, choice=choice)
    coordinates = drawn(rows, seed=seed, choice=choice).coordinates
    return Grouping(coordinates, found, nearest_cluster(rows, found.assignment), reduced.method)


def _model(texts: Sequence[str], grouping: Grouping, method: str, settings: dict[str, JsonValue]) -> TopicModel:
    assignment, count = grouping.clustering.assignment, grouping.clustering.count
    most = None if len(texts) <= MOST_TEXTS else MOST_READ
    terms = key_terms(texts, assignment, count=count, most=most)
    sizes = np.bincount(assignment[assignment != NOISE], minlength=count).tolist()
    topics = tuple(
        Topic(number, title, topic_terms, size)
        for number, (title, topic_terms, size) in enumerate(zip(titles(terms), terms, sizes, strict=True))
    )
    return TopicModel(grouping.coordinates, assignment, grouping.nearest, topics, method, settings)


def _topic_record(topic: Topic) -> JsonValue:
    terms: list[JsonValue] = [[term.text, term.weight] for term in topic.terms]
    return {"id": topic.id, "title": topic.title, "terms": terms, "size": topic.size}


def _topic(record: Mapping[str, JsonValue]) -> Topic:
    terms = tuple(Term(str(pair[0]), float(str(pair[1]))) for pair in _pairs(record["terms"]))
    return Topic(int(str(record["id"])), str(record["title"]), terms, int(str(record["size"])))


def _records(value: JsonValue) -> list[dict[str, JsonValue]]:
    if not isinstance(value, list):
        raise TypeError("topics must be a list")
    return [_mapping(item) for item in value]


def _pairs(value: JsonValue) -> list[list[JsonValue]]:
    if not isinstance(value, list):
        raise TypeError("terms must be a list")
    return [item for item in value if isinstance(item, list) and len(item) == 2]


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise TypeError("an object was expected")
    return value
