"""The samples of a run as one Parquet file: a column of ids, and a column of records, one JSON object a sample.

A file is written in groups of rows, so that one sample is read without decoding the run.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from core.records.run_file import from_record, to_record
from core.storage.artifacts import ArtifactStore
from core.types import Sample

KIND = "samples"
ROWS_A_GROUP = 128
"""Of so many rows the records are decompressed to read one of them."""


@dataclass(frozen=True)
class SampleFiles:
    """The files with samples in a store of artifacts, by the artifact that names each."""

    artifacts: ArtifactStore

    def write(self, samples: Sequence[Sample]) -> str:
        """Store samples, and give the name of their file."""
        return self.artifacts.write_table(KIND, _table(samples), rows_a_group=ROWS_A_GROUP)

    def all(self, artifact: str) -> tuple[Sample, ...]:
        """All samples in order. StorageError when the file is missing or damaged."""
        records = self.artifacts.read_table(KIND, artifact, columns=["record"])["record"].to_pylist()
        return tuple(from_record(json.loads(record)) for record in records)

    def one(self, artifact: str, sample_id: str) -> Sample | None:
        """The sample of this id, decoded alone; None where the file has none."""
        with pq.ParquetFile(io.BytesIO(self.artifacts.get(KIND, artifact)), pre_buffer=False) as file:
            for record in _records(file, _escaped(sample_id)):
                sample = from_record(json.loads(record))
                if sample.id == sample_id:
                    return sample
        return None

    def missing(self, artifact: str, sample_ids: Iterable[str]) -> list[str]:
        """Those of the ids that the file does not have."""
        stored = set(self.artifacts.read_table(KIND, artifact, columns=["id"])["id"].to_pylist())
        return [sample_id for sample_id in sample_ids if _escaped(sample_id) not in stored]


def _records(file: pq.ParquetFile, escaped_id: str) -> Iterator[str]:
    """The records beside this id, of each group of rows that has it."""
    for group in range(file.num_row_groups):
        ids = file.read_row_group(group, columns=["id"], use_threads=False)["id"].to_pylist()
        if escaped_id not in ids:
            continue
        records = file.read_row_group(group, columns=["record"], use_threads=False)["record"]
        yield from (records[row].as_py() for row, stored_id in enumerate(ids) if stored_id == escaped_id)


def _table(samples: Sequence[Sample]) -> pa.Table:
    # Escaped, since a text may hold half a surrogate pair, which Parquet's UTF-8 does not take.
    records = [json.dumps(to_record(sample), ensure_ascii=True) for sample in samples]
    ids = [_escaped(sample.id) for sample in samples]
    return pa.table({"id": pa.array(ids, pa.string()), "record": pa.array(records, pa.string())})


def _escaped(sample_id: str) -> str:
    return sample_id.encode("utf-8", "backslashreplace").decode()
