"""A run in shards: blocks of samples that are scored together, and the Parquet file of their scores."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.core.executors.shard import Shard, shards_of
from hcat.core.records.parquet import read_table
from hcat.core.records.run_file import content_hash
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.block import BLOCK
from hcat.core.scoring.overview import Samples
from hcat.core.scoring.score_table import REASON_SUFFIX, STATE_COLUMN
from hcat.core.types import Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

SHARD = 2 * BLOCK
"""Samples per shard: whole blocks, so that the same samples are computed together as without shards."""


def sample_shards(samples: Samples) -> Iterator[Shard[Sample]]:
    """The run in shards, in its order; only one is in memory at a time if the samples are read from a file."""
    return shards_of(samples, SHARD, content_hash)


def shard_bytes(samples: Sequence[Sample], scores: Mapping[str, Sequence[Score]]) -> bytes:
    """The Parquet file of these samples' scores: each metric's numbers and reasons, and the states of the answers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"sample_id": pa.array([sample.id for sample in samples], pa.string())}
    for name, given in scores.items():
        columns[name] = pa.array([score.value for score in given], pa.float64())
        columns[name + REASON_SUFFIX] = pa.array([score.reason for score in given], pa.string())
    columns[STATE_COLUMN] = pa.array([answer_state(sample) for sample in samples], pa.string())
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, compression="zstd")
    return sink.getvalue()


def read_shard(payload: bytes) -> pa.Table:
    """The inverse of `shard_bytes`. Raises FileFormatError for anything else."""
    import pyarrow as pa

    try:
        return read_table(io.BytesIO(payload))
    except (pa.ArrowException, OSError) as error:
        raise FileFormatError(f"A shard of scores can't be read: {error}") from error
