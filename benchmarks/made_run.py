"""A made-up run of any size in a workspace of its own, written column by column: a million samples take seconds.

20 dimensions of 20 levels, scores of which some are missing, and 5,000 labels. Level 03 of `d00` scores lower, so that
there is something to find.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.many_points import add_topics, many_points
from hcat.core import __version__
from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.language import ENGLISH
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.project import RunInfo
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import Settings
from hcat.core.storage.sample_files import KIND
from hcat.core.storage.sample_rows import DIMENSION, schema
from hcat.core.storage.sample_writer import LIKELY_TRIALS, ROWS_A_GROUP
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.texts.sealed_form import SealedTexts
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace

DIMENSIONS, LEVELS, LABELS = 20, 20, 5_000
ITEMS = 5_000
"""Of which queries ask in turn."""
PROJECT, RUN, METRIC = "Made up", "large", "answer_f1"
WEAK = "level 03"


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The run's columns, n values each: the level of each dimension, and the scores, NaN where there is none."""

    dimensions: tuple[Codes, ...]
    scores: Floats

    @property
    def ids(self) -> list[str]:
        return [f"s{number:07d}" for number in range(len(self.scores))]

    @property
    def levels(self) -> list[str]:
        return [f"level {number:02d}" for number in range(LEVELS)]

    def frame(self) -> pd.DataFrame:
        """What slices are made of."""
        index = pd.Index(self.ids, name="sample_id", dtype="str")
        return pd.DataFrame(
            {
                f"d{place:02d}": pd.Categorical.from_codes(codes, categories=self.levels)
                for place, codes in enumerate(self.dimensions)
            },
            index=index,
        )

    def labelled(self) -> tuple[Codes, Bools]:
        """Which samples are labelled, rising, and whether people pass them."""
        rng = np.random.default_rng(2)
        rows = np.sort(rng.choice(len(self.scores), min(LABELS, len(self.scores) // 2), replace=False))
        chance = np.where(self.dimensions[0][rows] == 3, 0.5, 0.8)
        return rows, rng.random(len(rows)) < chance


def made_columns(n: int) -> Columns:
    """A run of n samples."""
    rng = np.random.default_rng(1)
    dimensions = tuple(rng.integers(0, LEVELS, n) for _ in range(DIMENSIONS))
    scores = np.where(rng.random(n) < 0.4, 1.0, rng.beta(4, 2, n))
    scores = np.where(dimensions[0] == 3, 0.95 * scores, scores)
    return Columns(dimensions, np.where(rng.random(n) < 0.02, np.nan, scores))


def made_project(folder: Path, n: int) -> RunInfo:
    """A project with the run, its scores and its labels, in a workspace in this folder (see `workspace_in`)."""
    columns = made_columns(n)
    with workspace_in(folder) as workspace:
        project, store = workspace.projects.create(PROJECT), workspace.store
        file, keys = _samples_file(columns)
        artifact = store.artifacts.put(KIND, file)
        about = {"content_hash": sha256_of_text(f"made up, {n} samples"), "artifact": artifact, "n": n}
        with store.write(store.actor, "run.add", project.id) as write:
            run = store.repository.add_run(
                write,
                project.id,
                RUN,
                **about,  # type: ignore[arg-type]
                filename="made up",
                format="native",
                keys=keys,
            )
        table = _score_table(columns, run.content_hash)
        workspace.scoring.add_rescored(run, table)
        criterion = workspace.criteria.add(project, Criterion("correctness"))
        rows, passed = columns.labelled()
        at = datetime(2026, 1, 5, tzinfo=UTC)
        ids = columns.ids
        workspace.labels.add(
            run,
            criterion,
            [
                Label(ids[row], criterion.name, int(good), annotator="A. Person", at=at)
                for row, good in zip(rows.tolist(), passed.tolist(), strict=True)
            ],
        )
    return run


@contextmanager
def workspace_in(folder: Path) -> Iterator[Workspace]:
    """The workspace of `served.running` in the folder."""
    chosen = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    workspace = Workspace.open(chosen, actor="benchmarks")
    try:
        yield workspace
    finally:
        workspace.close()


def calibrated_project(folder: Path, n: int) -> RunInfo:
    """The same with topics, their map and a calibration in force, of the same n samples."""
    run = made_project(folder, n)
    points = many_points(n)
    with workspace_in(folder) as workspace:
        add_topics(workspace, run, points, made_columns(n).ids)
        [criterion] = workspace.criteria.all(workspace.projects.of(run))
        fitted = calibrate(workspace.run_data.open(run), criterion, metrics=[METRIC], method="logistic")
        workspace.calibrations.save(run, fitted, author="A. Person", reason="made up")
    return run


def _samples_file(columns: Columns) -> tuple[bytes, KeyRing]:
    """The file as `SampleFiles` writes it, and the keys of its texts, which are the same few words for all."""
    n, form = len(columns.scores), SealedTexts()
    contexts = (Passage("p1", "The fee of each item is 12 euros a year.", 0.5),)
    texts = [
        form.stored(
            Sample(
                name,
                f"What is the fee of item {number % ITEMS}?",
                "The fee is 12 euros a year.",
                contexts,
                "12 euros a year for everybody",
            )
        )
        for number, name in enumerate(columns.ids)
    ]
    names = [f"d{place:02d}" for place in range(DIMENSIONS)]
    fields = schema(names)
    lengths = np.arange(n) % 17 + 4
    given: dict[str, pa.Array] = {
        "id": pa.array(columns.ids, pa.string()),
        "query": pa.array([each.query for each in texts], pa.binary()),
        "answer_state": pa.array(["answered"] * n, pa.string()),
        "language": pa.array([ENGLISH] * n, pa.string()),
        "trial": pa.array(np.zeros(n, dtype=np.int64)),
        "contexts": pa.array(np.ones(n, dtype=np.int32)),
        "query_length": pa.array(lengths.astype(np.float64)),
        "answer_length": pa.array(np.full(n, 7.0)),
        "context_length": pa.array(np.full(n, 9.0)),
        "context_ids": pa.array([["p1"]] * n, pa.list_(pa.string())),
        "context_scores": pa.array([[0.5]] * n, pa.list_(pa.float64())),
        "context_texts": pa.array([each.context_texts for each in texts], pa.list_(pa.binary())),
    }
    for name, codes in zip(names, columns.dimensions, strict=True):
        of_name = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(columns.levels))
        given[DIMENSION + name] = of_name.cast(pa.string())
    arrays = [given[field.name] if field.name in given else _empty(field.type, n) for field in fields]
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, fields, compression="zstd", write_page_checksum=True) as writer:
        writer.write_table(pa.table(arrays, schema=fields), row_group_size=ROWS_A_GROUP)
        writer.add_key_value_metadata({LIKELY_TRIALS: "null"})
    return buffer.getvalue(), form.keys


def _empty(kind: pa.DataType, n: int) -> pa.Array:
    nested = pa.types.is_list(kind) or pa.types.is_map(kind)
    return pa.array([[]] * n, kind) if nested else pa.nulls(n, kind)


def _score_table(columns: Columns, run_hash: str) -> ScoreTable:
    index = pd.Index(columns.ids, name="sample_id", dtype="str")
    reasons = pd.Series(np.where(np.isnan(columns.scores), "made up without a score", None), index=index, dtype="str")
    frame = pd.DataFrame({METRIC: columns.scores, f"{METRIC}__reason": reasons}, index=index)
    states = ("answered",) * len(columns.scores)
    return ScoreTable(frame, Provenance(__version__, run_hash, (METRIC,)), states, tuple(columns.ids))
