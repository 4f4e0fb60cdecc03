"""The samples of a run as one Parquet file: names, numbers and levels in columns of their own, apart from the texts.

A file is written in groups of rows as samples come. A column is read alone, and so are the texts of one sample: its
group is found by the ids. A file is compared with its SHA-256 before any of it is read; one in a bucket, where a part
is read, with the checksums of its pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hcat.core.records.samples.columns import SampleColumns
from hcat.core.records.samples.erased import without_text
from hcat.core.slices.sample_columns import LEVELS, measures_of
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.measured_files import MeasuredFile
from hcat.core.storage.sample_columns import StoredColumns
from hcat.core.storage.sample_rows import DIMENSION, MEASURES, escaped, samples_of, searched_of, told_names, unescaped
from hcat.core.storage.sample_texts import COLUMNS, PlainTexts, TextForm
from hcat.core.storage.sample_writer import LIKELY_TRIALS, WrittenSamples, write_samples
from hcat.core.storage.texts.erasing import key_numbers, write_erased
from hcat.core.storage.texts.sealed_form import ERASED_ROW, SealedTexts
from hcat.core.types import Sample

KIND = "samples"


@dataclass(frozen=True, slots=True)
class ErasedTexts:
    """A file in which texts are erased, and the keys of samples and passages that go with them, by their numbers.
    `gone` are the texts of those passages, which no other sample has."""

    artifact: str
    samples: Sequence[int]
    passages: Sequence[int]
    gone: Sequence[str]


@dataclass(frozen=True)
class SampleFiles:
    """The files with samples in a store of artifacts, by the artifact that names each."""

    artifacts: ArtifactStore
    form: TextForm = field(default_factory=PlainTexts)

    def write(self, samples: Iterable[Sample]) -> WrittenSamples:
        """Store samples as they come; what raises while they come leaves nothing behind."""
        artifact, tally = self.artifacts.put_stream(KIND, lambda file: write_samples(samples, file, self.form))
        return WrittenSamples(artifact, tally.n, tally.content_hash, tally.likely_trials)

    def all(self, artifact: str) -> tuple[Sample, ...]:
        """All samples in order. StorageError when the file is missing or damaged."""
        return tuple(self.each(artifact))

    def each(self, artifact: str) -> Iterator[Sample]:
        """The same one after another: a group of rows is in memory at a time."""
        self.artifacts.check(KIND, artifact)
        with self._open(artifact) as file:
            for group in range(file.num_row_groups):
                yield from samples_of(_told(file, group), self.form)

    def each_text(self, artifact: str) -> Iterator[tuple[str, list[str | None]]]:
        """The id of each sample, and its query, answer, reference and contexts; nothing else is decoded."""
        self.artifacts.check(KIND, artifact)
        with self._open(artifact) as file:
            for group in range(file.num_row_groups):
                yield from searched_of(file.read_row_group(group, ["id", *COLUMNS], use_threads=False), self.form)

    def one(self, artifact: str, sample_id: str) -> Sample | None:
        """The sample of this id, decoded alone; None where the file has none."""
        with self._open(artifact) as file:
            return self._found(file, sample_id)

    def some(self, artifact: str, sample_ids: Iterable[str]) -> dict[str, Sample]:
        """The samples with these ids that are in the file, by id; nothing else is decoded."""
        with self._open(artifact) as file:
            names = list(dict.fromkeys(sample_ids))
            if len(names) == 1:  # without the ids of all
                only = self._found(file, names[0])
                return {} if only is None else {only.id: only}
            wanted = pa.array(map(escaped, names), pa.string())
            rows = pc.index_in(wanted, value_set=file.read(["id"], use_threads=False)["id"].combine_chunks())
            return {sample.id: sample for sample in self._at(file, sorted(rows.drop_null().to_pylist()))}

    def at(self, artifact: str, rows: Iterable[int]) -> Iterator[Sample]:
        """The samples in these rows of the file, in rising order; groups without one are not read."""
        with self._open(artifact) as file:
            yield from self._at(file, rows)

    def with_text(self, artifact: str) -> list[str]:
        """The ids of the samples whose texts are not erased; no text is opened."""
        with self._open(artifact) as file:
            found: list[str] = []
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, ["id", "query"], use_threads=False)
                kept = pc.invert(pc.starts_with(table["query"], ERASED_ROW))
                found += map(unescaped, table["id"].filter(kept).to_pylist())
            return found

    def asks(self, artifact: str, queries: Set[str]) -> bool:
        """Whether a file whose texts are not sealed has one of these queries; False for one that is sealed."""
        with self._open(artifact) as file:
            return any(sample.query in queries for sample in self._unsealed(file))

    def _unsealed(self, file: pq.ParquetFile) -> Iterator[Sample]:
        try:
            for group in range(file.num_row_groups):
                yield from samples_of(_told(file, group), PlainTexts())
        except (UnicodeDecodeError, ValueError):  # sealed texts are no UTF-8
            return

    def erase(self, artifact: str, form: SealedTexts, statements: Mapping[str, str]) -> ErasedTexts:
        """Store a file whose texts are sealed again, with a statement in place of the texts of each of these samples by
        its id. The present file remains."""
        with self._open(artifact) as file:
            wanted = pa.array([escaped(name) for name in statements], pa.string())
            found = pc.index_in(wanted, value_set=file.read(["id"], use_threads=False)["id"].combine_chunks())
            rows = sorted(found.drop_null().to_pylist())
            left = {
                row: without_text(sample, statements[sample.id], measures_of(sample))
                for row, sample in zip(rows, replace(self, form=form)._at(file, rows), strict=True)
                if sample.erased is None
            }
            samples, passages = key_numbers(file, left)
            written, _ = self.artifacts.put_stream(KIND, lambda target: write_erased(file, left, target))
        return ErasedTexts(written, samples, passages, form.opened(passages))

    def missing(self, artifact: str, sample_ids: Iterable[str]) -> list[str]:
        """The given ids that are not in the file."""
        with self._open(artifact) as file:
            ids = file.read(["id"], use_threads=False)["id"].combine_chunks()
        asked = list(sample_ids)
        rows = pc.index_in(pa.array(map(escaped, asked), pa.string()), value_set=ids)
        return [name for name, row in zip(asked, rows.to_pylist(), strict=True) if row is None]

    def columns(self, artifact: str) -> SampleColumns:
        """The columns of the samples, each read when it is asked for; texts are not."""
        with self._open(artifact) as file:
            names, metadata, footer = tuple(file.schema_arrow.names), file.schema_arrow.metadata or {}, file.metadata
        return StoredColumns(
            stored=lambda column: self._column(artifact, column, footer),
            measured=MeasuredFile(self.artifacts, artifact, lambda: self.each(artifact)),
            names=names,
            measures=metadata[MEASURES].decode(),
            likely=(footer.metadata or {})[LIKELY_TRIALS.encode()].decode(),
        )

    def count(self, artifact: str) -> int:
        """Number of samples by the metadata of the file."""
        with self._open(artifact) as file:
            return int(file.metadata.num_rows)

    def _column(self, artifact: str, column: str, footer: pq.FileMetaData) -> pa.ChunkedArray:
        coded = column if column in LEVELS or column.startswith(DIMENSION) else None
        with self._open(artifact, coded=coded, footer=footer) as file:
            return file.read([column], use_threads=False)[column]

    def _found(self, file: pq.ParquetFile, sample_id: str) -> Sample | None:
        """By the least and the greatest id of each group of rows, then by the ids of those groups."""
        name = escaped(sample_id)
        place = file.schema_arrow.get_field_index("id")
        before = 0
        for group in range(file.num_row_groups):
            about = file.metadata.row_group(group)
            bounds = about.column(place).statistics
            if bounds is None or not bounds.has_min_max or bounds.min <= name <= bounds.max:
                row = pc.index(file.read_row_group(group, ["id"], use_threads=False)["id"], name).as_py()
                if row >= 0:
                    return next(self._at(file, [before + row]))
            before += about.num_rows
        return None

    def _at(self, file: pq.ParquetFile, rows: Iterable[int]) -> Iterator[Sample]:
        """The samples in these rows of the file, in rising order."""
        before, wanted = 0, np.fromiter(rows, dtype=np.int64)
        for group in range(file.num_row_groups):
            n = file.metadata.row_group(group).num_rows
            first, last = np.searchsorted(wanted, (before, before + n))
            if first < last:
                inside = pa.array(wanted[first:last] - before)
                yield from samples_of(_told(file, group).take(inside), self.form)
            before += n

    @contextmanager
    def _open(
        self, artifact: str, *, coded: str | None = None, footer: pq.FileMetaData | None = None
    ) -> Iterator[pq.ParquetFile]:
        """The file, to read parts of; a column of texts as codes with their dictionary. The footer of a large file
        takes a while to read: one that was read is not read again."""
        codes = None if coded is None else [coded]
        self.artifacts.check_once(KIND, artifact)
        with (
            self.artifacts.opened(KIND, artifact) as source,
            pq.ParquetFile(
                source, metadata=footer, read_dictionary=codes, pre_buffer=False, page_checksum_verification=True
            ) as file,
        ):
            yield file


def _told(file: pq.ParquetFile, group: int) -> pa.Table:
    """A group of rows without what was measured of them."""
    return file.read_row_group(group, told_names(file.schema_arrow), use_threads=False)
