"""Scores of a run, and their explanations, by shards: in constant memory, resumable after any kill."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from hcat.core import __version__
from hcat.core.executors.executor import Executor
from hcat.core.executors.local import LocalExecutor
from hcat.core.executors.shard_folder import EXPLANATIONS, ShardFolder
from hcat.core.executors.sharded import Maker, made_of_shards
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import Opening
from hcat.core.scoring import evaluate
from hcat.core.scoring.overall import SCORE, OverallProgress
from hcat.core.scoring.overview import RunOverview, Samples, read_overview
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import REASON_SUFFIX, STATE_COLUMN, ScoreTable, score_table, states_of
from hcat.core.scoring.shards import shard as size
from hcat.core.scoring.shards.job import ExplanationJob, ScoringJob, computed_by, json_line
from hcat.core.scoring.shards.shard import read_shard, sample_shards
from hcat.core.scoring.steps.match_tokens import count_word_pieces
from hcat.core.scoring.steps.step import StepInputs
from hcat.core.scoring.steps.table import stages_of
from hcat.core.types import JsonValue, OnProgress, Progress, Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

SCORES = "score-shards"


@contextmanager
def scored_in_shards(
    samples: Samples,
    *,
    metrics: str | Sequence[str],
    open_models: Opening,
    executor: Executor | None = None,
    root: str,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> Iterator[ScoreTable]:
    """The table of `score_samples`, bit for bit, for samples that need not be in memory.

    A run of at most one shard is scored in this process, for any executor. Else each shard of samples becomes a file
    under `root` (a path or fsspec URL, which the executor's workers can access), and the files of an interrupted call
    are not computed again. The files are deleted when the block ends without an error: by then the table must be saved
    elsewhere. Raises what `score_samples` and the executor raise."""
    models, store = open_models()
    if len(samples) <= size.SHARD:
        yield evaluate.score_samples(
            tuple(samples), metrics=metrics, models=models, store=store, seed=seed, on_progress=on_progress
        )
        return
    work = _RunInShards.of(samples, metrics, models, open_models, on_progress)
    folder = ShardFolder.of(root, work.about, kind=SCORES, ending="parquet")
    tables = [read_shard(payload) for payload in work.made(work.job, folder, executor)]
    yield _table(tables, work.overview, work.overview.provenance(models, seed=seed))
    folder.remove()


def explained_in_shards(
    samples: Samples,
    *,
    metrics: Sequence[str],
    open_models: Opening,
    executor: Executor | None = None,
    root: str,
    on_progress: OnProgress | None = None,
) -> Iterator[bytes]:
    """The lines of `hcat.core.scoring.evaluate.explanations` as bytes of a file, a part at a time, in the same way.

    The files of shards contain texts. They are deleted after the last part."""
    models, store = open_models()
    if len(samples) <= size.SHARD:
        for row in evaluate.explanations(tuple(samples), metrics=metrics, models=models, store=store):
            yield json_line(row)
        return
    work = _RunInShards.of(samples, metrics, models, open_models, on_progress)
    folder = ShardFolder.of(root, work.about, kind=EXPLANATIONS, ending="jsonl")
    yield from work.made(ExplanationJob(work.job), folder, executor)
    folder.remove()


@dataclass(frozen=True, eq=False, slots=True)
class _RunInShards:
    """A run with all that determines its scores."""

    samples: Samples
    overview: RunOverview
    job: ScoringJob
    report: OnProgress | None

    @classmethod
    def of(
        cls,
        samples: Samples,
        metrics: str | Sequence[str],
        models: ModelSet,
        open_models: Opening,
        on_progress: OnProgress | None,
    ) -> _RunInShards:
        overview = read_overview(samples, metrics, models)
        chosen = overview.choice.metrics
        inputs = StepInputs(chosen, models, MemoryEmbeddings(), samples)
        report = None if on_progress is None else OverallProgress((*stages_of(inputs), SCORE), on_progress)
        names, by = tuple(metric.name for metric in chosen), computed_by(chosen, models)
        job = ScoringJob(names, open_models, by, len(overview.ids), count_word_pieces(inputs))
        return cls(samples, overview, job, report)

    @property
    def about(self) -> dict[str, JsonValue]:
        """The data on which the scores depend: version, run, models and metrics."""
        run: dict[str, JsonValue] = {"version": __version__, "run": self.overview.run_hash}
        return {**run, "computed_by": dict(self.job.computed_by), "metrics": list(self.job.metrics)}

    def made(self, maker: Maker[Sample], folder: ShardFolder, executor: Executor | None) -> Iterator[bytes]:
        return made_of_shards(
            partial(sample_shards, self.samples),
            maker,
            folder=folder,
            executor=executor or LocalExecutor(),
            on_done=self._tell,
            on_progress=self.report,
        )

    def _tell(self, done: int) -> None:
        if self.report is not None:
            self.report(Progress(SCORE, done, self.job.total))


def _table(shards: Sequence[pa.Table], overview: RunOverview, provenance: Provenance) -> ScoreTable:
    """One table of all shards, as `hcat.core.scoring.score_table.score_table` makes it of scores in memory."""
    import pyarrow as pa

    drawn = overview.probabilities
    if not shards:
        empty: dict[str, list[Score]] = {name: [] for name in provenance.metrics}
        return score_table([], empty, provenance, answer_states=(), clusters=(), probabilities=drawn)
    whole = pa.concat_tables(shards)
    index = pd.Index(overview.ids, name="sample_id", dtype="str")
    columns: dict[str, pd.Series] = {}
    for name in provenance.metrics:
        columns[name] = pd.Series(whole[name].to_numpy(), index=index, dtype=np.float64)
        reasons = whole[name + REASON_SUFFIX]
        if reasons.null_count < len(reasons):
            columns[name + REASON_SUFFIX] = reasons.to_pandas().astype("str").set_axis(index)
    return ScoreTable(
        pd.DataFrame(columns, index=index),
        provenance,
        states_of(whole[STATE_COLUMN].to_pandas()),
        tuple(overview.clusters),
        tuple(drawn.get(name, math.nan) for name in overview.ids) if drawn else None,
    )
