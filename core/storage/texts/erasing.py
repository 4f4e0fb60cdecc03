"""A file of sealed samples with the texts of some erased: the same rows, with what is left of those."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hcat.core.storage.sample_rows import MEASURED, values_of
from hcat.core.storage.sample_texts import StoredTexts
from hcat.core.storage.texts.sealed_form import BOUND, NUMBER, erased_texts
from hcat.core.types import Sample

CONTEXTS = "context_texts"


def key_numbers(file: pq.ParquetFile, rows: Collection[int]) -> tuple[list[int], list[int]]:
    """The keys that go with these rows: of their samples, and of the passages that no other row has."""
    samples, uses, own = [], np.zeros(0, np.int64), np.zeros(0, np.int64)
    for start, group in _groups(file, ["query", CONTEXTS]):
        here = pa.array([row - start for row in rows if start <= row < start + len(group)], pa.int64())
        samples += [int(number) for number in _numbers(group["query"].take(here))]
        uses = _added(uses, _numbers(pc.list_flatten(group[CONTEXTS])))
        own = _added(own, _numbers(pc.list_flatten(group[CONTEXTS].take(here))))
    size = min(len(uses), len(own))
    gone = (own[:size] > 0) & (own[:size] == uses[:size])
    return samples, [int(number) for number in np.flatnonzero(gone)]


def write_erased(file: pq.ParquetFile, left: Mapping[int, Sample], target: BinaryIO) -> None:
    """Rewrite the file with what is `left` of samples in place of their rows' texts; all else stays as it is."""
    said = {name: value for name, value in (file.metadata.metadata or {}).items() if name != b"ARROW:schema"}
    options = {"compression": "zstd", "write_page_checksum": True}
    with pq.ParquetWriter(target, file.schema_arrow, **options) as writer:
        for start, group in _groups(file, None):
            here = {row - start: sample for row, sample in left.items() if start <= row < start + len(group)}
            writer.write_table(_changed(group, here) if here else group, row_group_size=len(group))
        writer.add_key_value_metadata(said)


def _groups(file: pq.ParquetFile, columns: list[str] | None) -> Iterator[tuple[int, pa.Table]]:
    start = 0
    for number in range(file.num_row_groups):
        group = file.read_row_group(number, columns, use_threads=False)
        yield start, group
        start += len(group)


def _changed(group: pa.Table, left: Mapping[int, Sample]) -> pa.Table:
    texts = [erased_texts(sample) for sample in left.values()]
    changed = {name: [stored[place] for stored in texts] for place, name in enumerate(StoredTexts._fields)}
    known = [name for name in MEASURED if name in group.column_names]
    changed |= {name: values_of(name, list(left.values())) for name in known}
    for name, cells in changed.items():
        values = group[name].to_pylist()
        for row, cell in zip(left, cells, strict=True):
            values[row] = cell
        column = group.schema.get_field_index(name)
        field = group.schema.field(column)
        group = group.set_column(column, field, pa.array(values, field.type))
    return group


def _numbers(cells: pa.ChunkedArray) -> NDArray[np.int64]:
    """The numbers of keys at the beginning of sealed cells; of what is erased there is none."""
    sealed = cells.filter(pc.greater(pc.binary_length(cells), NUMBER.size))
    starts = b"".join(pc.binary_slice(sealed, 0, NUMBER.size).to_pylist())
    numbers = np.frombuffer(starts, dtype="<u4").astype(np.int64)
    return numbers[numbers < 2**32 - 1] % BOUND


def _added(counts: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.bincount(numbers, minlength=len(counts)).astype(np.int64)
    found[: len(counts)] += counts
    return found
