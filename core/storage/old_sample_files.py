"""Sample files as hcat wrote them at first: a column of ids, and a column of records, one JSON object a sample."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hcat.core.records.run_file import from_record
from hcat.core.types import Sample

if TYPE_CHECKING:
    import pyarrow.parquet as pq

COLUMNS = ["id", "record"]


def is_old(file: pq.ParquetFile) -> bool:
    """Whether the file is of this kind."""
    return list(file.schema_arrow.names) == COLUMNS


def old_samples(file: pq.ParquetFile) -> Iterator[Sample]:
    """All samples in order."""
    for batch in file.iter_batches(columns=["record"], use_threads=False):
        for record in batch["record"].to_pylist():
            yield from_record(json.loads(record))


def old_sample(file: pq.ParquetFile, sample_id: str) -> Sample | None:
    """The sample of this id, decoded alone; None where the file has none."""
    escape = escaped_as_before(sample_id)
    for group in range(file.num_row_groups):
        ids = file.read_row_group(group, columns=["id"], use_threads=False)["id"].to_pylist()
        if escape not in ids:
            continue
        records = file.read_row_group(group, columns=["record"], use_threads=False)["record"]
        for row in (row for row, stored in enumerate(ids) if stored == escape):
            sample = from_record(json.loads(records[row].as_py()))
            if sample.id == sample_id:
                return sample
    return None


def escaped_as_before(sample_id: str) -> str:
    """The id as the column of ids has it: half a surrogate pair as its escape, which may be another sample's id."""
    return sample_id.encode("utf-8", "backslashreplace").decode()
