"""Scores of a run by way of shards: in constant memory, resumed after any kill, by whichever executor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core import __version__
from core.errors import StorageError
from core.models.cache import MemoryEmbeddings
from core.models.opened import OpenModels
from core.scoring import evaluate
from core.scoring.block import OnProgress
from core.scoring.executors import shard as size
from core.scoring.executors.executor import Executor, ScoringJob, computed_by
from core.scoring.executors.local import LocalExecutor
from core.scoring.executors.shard import Shard, read_shard, shards_of
from core.scoring.executors.shard_folder import ShardFolder, prefix
from core.scoring.overall import SCORE, OverallProgress
from core.scoring.overview import RunOverview, Samples, read_overview
from core.scoring.provenance import Provenance
from core.scoring.score_table import REASON_SUFFIX, STATE_COLUMN, ScoreTable, score_table, states_of
from core.scoring.steps.match_tokens import count_word_pieces
from core.scoring.steps.step import StepInputs
from core.scoring.steps.table import stages_of
from core.types import JsonValue, Progress, Score

if TYPE_CHECKING:
    import pyarrow as pa

ATTEMPTS = 5
"""How often shards are scored again that are damaged, or that another process took away."""


@contextmanager
def scored_in_shards(
    samples: Samples,
    *,
    metrics: str | Sequence[str],
    open_models: Callable[[], OpenModels],
    executor: Executor | None = None,
    root: str,
    seed: int = 7,
    on_progress: OnProgress | None = None,
) -> Iterator[ScoreTable]:
    """The table of `score_samples`, bit for bit, of samples that need not be in memory.

    Without an executor this process scores, and what fits into one shard in one go. Else each shard of samples becomes
    a file under `root` (a path or fsspec URL, which the executor's workers reach too), and those that an interrupted
    call left are not computed again. The files are deleted when the block ends without an error: by then the table
    must be kept elsewhere. Raises what `score_samples` and the executor raise.
    """
    models, store = open_models()
    if executor is None and len(samples) <= size.SHARD:
        yield evaluate.score_samples(
            tuple(samples), metrics=metrics, models=models, store=store, seed=seed, on_progress=on_progress
        )
        return
    overview = read_overview(samples, metrics, models)
    chosen = overview.choice.metrics
    by = computed_by(chosen, models)
    about: dict[str, JsonValue] = {"version": __version__, "run": overview.run_hash, "computed_by": by}
    about["metrics"] = [metric.name for metric in chosen]
    folder = ShardFolder.of(root, about)
    inputs = StepInputs(chosen, models, MemoryEmbeddings(), samples)
    report = None if on_progress is None else OverallProgress((*stages_of(inputs), SCORE), on_progress)
    job = ScoringJob(
        tuple(metric.name for metric in chosen),
        open_models,
        by,
        folder,
        len(overview.ids),
        count_word_pieces(inputs),
    )
    yield _table(
        _shard_tables(samples, executor or LocalExecutor(), job, report),
        overview,
        overview.provenance(models, seed=seed),
    )
    folder.remove()


def _shard_tables(
    samples: Samples, executor: Executor, job: ScoringJob, on_progress: OnProgress | None
) -> list[pa.Table]:
    """The scores of every shard in the order of the run, whoever computed them when."""
    for _ in range(ATTEMPTS):
        files = job.folder.manifest()
        if files is None:
            files = _score_missing(samples, executor, job, on_progress)
            job.folder.commit(files)
        payloads = (job.folder.read(file) for file in files)
        tables = [read_shard(payload) for payload in payloads if payload is not None]
        if len(tables) == len(files):
            return tables
        job.folder.withdraw()
    raise StorageError(
        f"The shards of these scores vanish from {job.folder.root} while they are read: score again when no other "
        "process works there."
    )


def _score_missing(samples: Samples, executor: Executor, job: ScoringJob, on_progress: OnProgress | None) -> list[str]:
    """Have those shards scored that no file holds: the files of all, in the order of the run."""
    names: list[str] = []
    done = 0

    def tell(scored: int) -> None:
        nonlocal done
        done += scored
        if on_progress is not None:
            on_progress(Progress(SCORE, done, job.total))

    def pending() -> Iterator[Shard]:
        files = job.folder.files()
        for shard in shards_of(samples):
            names.append(shard.name)
            if prefix(shard.name) in files:
                tell(len(shard.samples))
            else:
                yield shard

    executor.run(job, pending(), tell, on_progress)
    files = job.folder.files()
    return [files.get(prefix(name), name) for name in names]


def _table(shards: Sequence[pa.Table], overview: RunOverview, provenance: Provenance) -> ScoreTable:
    """One table of all shards, as `core.scoring.score_table.score_table` makes it of scores in memory."""
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
        states_of(whole[STATE_COLUMN].to_pylist()),
        tuple(overview.clusters),
        tuple(drawn.get(name, math.nan) for name in overview.ids) if drawn else None,
    )
