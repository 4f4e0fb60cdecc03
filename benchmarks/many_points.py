"""A store whose run has topics and scores of any number of generated samples, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hcat.core.arrays import Floats
from hcat.core.project.topics import stored_topics
from hcat.core.records.project import RunInfo
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import REASON_SUFFIX, ScoreTable
from hcat.core.topics.describe import Term
from hcat.core.topics.model import Topic, TopicModel
from hcat.core.topics.run_topics import RunTopics
from hcat.core.types import Sample
from hcat.core.workspace import Workspace

METRIC = "token_f1"
TOPICS = 60
STORED = 200
"""Samples whose texts the run holds: the map reads columns alone, and the text of the one that is pointed at."""


@dataclass(frozen=True, eq=False)
class ManyPoints:
    """Generated coordinates (n, 2), the number of each point's topic (n,), and scores (n,), NaN where unscored."""

    coordinates: Floats
    topics: np.ndarray
    scores: Floats


def many_points(n: int, seed: int = 7) -> ManyPoints:
    """Clusters of different widths, with a score that is lower in every fifth; a twentieth is unscored."""
    rng = np.random.default_rng(seed)
    centres, width = rng.normal(size=(TOPICS, 2)) * 6, rng.uniform(0.2, 1.2, TOPICS)
    topics = rng.integers(0, TOPICS, n)
    coordinates = centres[topics] + rng.normal(size=(n, 2)) * width[topics][:, None]
    scores = np.clip(rng.beta(4, 2, n) - 0.3 * (topics % 5 == 0), 0, 1)
    scores[rng.random(n) < 0.05] = np.nan
    return ManyPoints(coordinates, topics, scores)


def store_points(workspace: Workspace, points: ManyPoints, *, stored: int = STORED) -> RunInfo:
    """A run of the first samples, with topics and scores of all."""
    n = len(points.topics)
    ids = tuple(f"s{number}" for number in range(n))
    samples = [Sample(name, f"What does <b>account</b> {name} cost?", "It is free.") for name in ids[:stored]]
    run = workspace.runs.add(workspace.projects.create("many"), "run", samples, source="made")
    reasons = np.where(np.isnan(points.scores), "no reference", None)
    index = pd.Index(ids, name="sample_id", dtype="str")
    frame = pd.DataFrame({METRIC: points.scores, f"{METRIC}{REASON_SUFFIX}": reasons}, index=index)
    workspace.scoring.add_rescored(run, ScoreTable(frame, Provenance("1", "made", (METRIC,))))
    add_topics(workspace, run, points, ids)
    return run


def add_topics(workspace: Workspace, run: RunInfo, points: ManyPoints, ids: Sequence[str]) -> None:
    """The run's topics of its queries, as if a search had found them: `ids` (n,) name the samples."""
    sizes = np.bincount(points.topics, minlength=TOPICS).tolist()
    named = tuple(
        Topic(number, f"fees <b>{number}</b>", (Term("fees", 1.0),), size) for number, size in enumerate(sizes)
    )
    model = TopicModel(points.coordinates, points.topics, points.topics, named, "made", {})
    artifact, keys = stored_topics(workspace.store, RunTopics(tuple(ids), model))
    with workspace.store.write(workspace.store.actor, "topic.find", run.project_id) as write:
        workspace.store.results.add_topics(write, run.id, "query", artifact=artifact, settings={}, keys=keys)
