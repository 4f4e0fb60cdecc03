"""Distances of the packaged entailment model on the demo's runs: minutes of work whose result is a small file.

`training/demo_distances.py` recomputes the file. A test recomputes some of it with the model itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.demo.bank import FOLDER, demo_runs
from hcat.core.errors import FileFormatError
from hcat.core.metrics.registry import metrics
from hcat.core.models.cache import EmbeddingStore, MemoryEmbeddings, Rows
from hcat.core.models.encoder.encoder import ENCODER
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.cached import CachedEntailment
from hcat.core.models.nli.loading import ENTAILMENT
from hcat.core.models.verifier import VERIFIER
from hcat.core.records.atomic import new_file
from hcat.core.records.parquet import read_table
from hcat.core.scoring.evaluate import score_samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from hcat.core.types import Progress

FILE = FOLDER / "entailment.parquet"

ROLES = frozenset({ENTAILMENT.name, VERIFIER.name})
"""The roles of the metrics that need these distances: sentences and claims, both verified by entailment."""


@dataclass(frozen=True, eq=False, slots=True)
class DemoDistances:
    """D of each pair as `rows` (n, 1), by `pair_key`, and the revisions of the models that computed them.

    The encoder counts as well: it selects the premises."""

    encoder: str
    entailment: str
    keys: tuple[str, ...]
    rows: Rows

    def are_of(self, models: ModelSet) -> bool:
        """Whether these very models would compute the same."""
        return (self.encoder, self.entailment) == (models[ENCODER].revision, models[ENTAILMENT].revision)


def compute_distances(
    models: ModelSet, store: EmbeddingStore, *, on_progress: Callable[[Progress], None] | None = None
) -> DemoDistances:
    """The distances of all pairs that the metrics need in both runs. `store` has the encoder's embeddings."""
    encoder, entailment = models[ENCODER], models[ENTAILMENT]
    distances = MemoryEmbeddings()
    recording = ModelSet((ENCODER.of(encoder), ENTAILMENT.of(CachedEntailment(entailment, distances))))
    names = [metric.name for metric in metrics() if ROLES & set(metric.models)]
    for run in demo_runs(encoder, store, on_progress=on_progress):
        score_samples(run.samples, metrics=names, models=recording, store=store, on_progress=on_progress)
    keys = tuple(sorted(distances.keys))
    return DemoDistances(encoder.revision, entailment.revision, keys, np.stack([*distances.get(keys).values()]))


def write_distances(distances: DemoDistances, path: Path = FILE) -> None:
    """Write the file: each pair's SHA-256 and its D in 32 bits, in the order of the hashes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    keys = pa.array([bytes.fromhex(key) for key in distances.keys], pa.binary(32))
    table = pa.table({"key": keys, "D": pa.array(distances.rows[:, 0], pa.float32())})
    about = {"encoder": distances.encoder, "entailment": distances.entailment}
    table = table.replace_schema_metadata({"hcat": json.dumps(about)})
    with new_file(path) as file:
        pq.write_table(table, file, compression="zstd", use_dictionary=False)


def read_distances(path: Path = FILE) -> DemoDistances | None:
    """The distances in the file; None if there is no such file. Raises FileFormatError for any other file."""
    from pyarrow import ArrowException

    if not path.is_file():
        return None
    try:
        table = read_table(path)
        about = json.loads((table.schema.metadata or {})[b"hcat"])
        keys = tuple(key.hex() for key in table["key"].to_pylist())
        rows = np.asarray(table["D"].to_numpy(), dtype=np.float32).reshape(-1, 1)
        return DemoDistances(str(about["encoder"]), str(about["entailment"]), keys, rows)
    except (ArrowException, OSError, KeyError, ValueError) as error:
        raise FileFormatError(f"{path} does not hold the demo's distances: {error}. Install hcat again.") from error
