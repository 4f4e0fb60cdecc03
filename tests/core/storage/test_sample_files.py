from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.errors import StorageError
from hcat.core.records.run_file import content_hash
from hcat.core.records.samples.likely_trials import likely_trials
from hcat.core.records.samples.searched import searched_texts
from hcat.core.slices.sample_columns import LEVELS, NUMBERS, ColumnsOfSamples
from hcat.core.storage import sample_files, sample_rows, sample_writer
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.sample_columns import StoredColumns
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.storage.sample_texts import PlainTexts, StoredTexts, Texts
from hcat.core.storage.sample_writer import FIRST_ROWS, ROWS_A_GROUP
from hcat.core.types import Passage, Sample, Variant

N = 3 * ROWS_A_GROUP + 5
SAMPLES = tuple(Sample(f"q{k}", f"question {k}", f"answer {k}") for k in range(N))
FULL = Sample(
    "b",
    "q\udfff",
    "I don't know.",
    (Passage("p", "first \ud801 text", 0.5), Passage("\ud802", "", None)),
    "a reference",
    ("r", ""),
    {"p": 2, "\ud803": 0},
    {"area.of": "x", "area": "y", "half \ud804": "\ud805", "blank": ""},
    "case",
    3,
    "group",
    Variant("spelling", "q1", 0.25),
    0.75,
    {"probability": 0.5, "\ud806": [None, {"a": 1.5}], "big": 10**30},
)
KINDS = (FULL, Sample("\ud800", "q", None), Sample("\\ud800", "q", ""), Sample('\x01json:"', "", ""))


@pytest.fixture
def files(tmp_path: Path) -> SampleFiles:
    return SampleFiles(ArtifactStore(str(tmp_path)))


def test_samples_come_back_in_order_from_all_groups(files: SampleFiles):
    written = files.write(iter(SAMPLES))
    assert files.all(written.artifact) == SAMPLES
    assert (written.n, written.content_hash) == (N, content_hash(SAMPLES))
    assert written.likely_trials == likely_trials(SAMPLES)


def test_every_field_comes_back_half_surrogate_pairs_among_them(files: SampleFiles):
    written = files.write(KINDS)
    assert files.all(written.artifact) == KINDS
    assert [files.one(written.artifact, sample.id) for sample in KINDS] == [*KINDS]
    assert files.some(written.artifact, ["\ud800", "b", "no"]) == {"\ud800": KINDS[1], "b": FULL}
    assert files.missing(written.artifact, ["\ud800", "x", "\ud80f"]) == ["x", "\ud80f"]
    assert [*files.each_text(written.artifact)] == [(sample.id, searched_texts(sample)) for sample in KINDS]
    assert written.content_hash == content_hash(KINDS)


def test_the_same_samples_are_the_same_bytes_on_any_file_system(files: SampleFiles):
    remote = SampleFiles(ArtifactStore("memory://columns"))
    one, other = files.write(SAMPLES), remote.write(SAMPLES)
    assert one == other
    assert hashlib.sha256(remote.artifacts.get("samples", other.artifact)).hexdigest() == other.artifact
    assert remote.one(other.artifact, "q77") == SAMPLES[77]
    assert [path.name for path in Path(files.artifacts.folder("samples")).iterdir()] == [f"{one.artifact}.parquet"]


def test_no_samples_are_a_file_too(files: SampleFiles):
    artifact = files.write(()).artifact
    columns = files.columns(artifact)
    assert files.all(artifact) == () and columns.ids() == [] and columns.dimension_names() == []
    assert columns.levels("group").texts() == [] and len(columns.numbers("trial")) == 0


def test_columns_say_what_samples_say(files: SampleFiles):
    """Also of dimensions that no sample of the first rows has."""
    later = Sample("late", "q", "a", dimensions={"new.one": "v", "area": "z"})
    samples = (*KINDS, *SAMPLES, *(Sample(f"s{k}", "q", "a") for k in range(FIRST_ROWS)), later)
    stored, at_hand = files.columns(files.write(samples).artifact), ColumnsOfSamples(samples)
    assert isinstance(stored, StoredColumns)
    assert stored.ids() == at_hand.ids()
    assert stored.dimension_names() == at_hand.dimension_names()
    assert stored.likely_trials() == at_hand.likely_trials()
    for name in [*at_hand.dimension_names(), "unknown"]:
        assert stored.dimension(name).texts() == at_hand.dimension(name).texts()
    for level in LEVELS:
        assert stored.levels(level).texts() == at_hand.levels(level).texts()
    for number in NUMBERS:
        np.testing.assert_array_equal(stored.numbers(number), at_hand.numbers(number))


def test_what_another_version_measured_is_measured_anew(files: SampleFiles, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as before:
        before.setitem(LEVELS, "answer_state", lambda sample: "answered")
        before.setitem(NUMBERS, "query_length", lambda sample: 7.0)
        before.setattr(sample_rows, "MEASURES_VERSION", 0)
        artifact = files.write(KINDS).artifact
    stored, at_hand = files.columns(artifact), ColumnsOfSamples(KINDS)
    assert stored.levels("answer_state").texts() == at_hand.levels("answer_state").texts()
    np.testing.assert_array_equal(stored.numbers("query_length"), at_hand.numbers("query_length"))
    assert stored.likely_trials() == at_hand.likely_trials()


@dataclass
class CountedTexts(PlainTexts):
    """Counts the rows whose texts are decoded."""

    decoded: int = 0

    def texts(self, sample_id: str, stored: StoredTexts) -> Texts:
        self.decoded += 1
        return super().texts(sample_id, stored)


@pytest.mark.parametrize("row", [0, ROWS_A_GROUP - 1, ROWS_A_GROUP, N - 1])
def test_one_sample_is_decoded_alone(tmp_path: Path, row: int):
    files = SampleFiles(ArtifactStore(str(tmp_path)), form=CountedTexts())
    artifact = files.write(SAMPLES).artifact
    assert files.one(artifact, f"q{row}") == SAMPLES[row]
    assert files.one(artifact, "q") is None
    assert files.form == CountedTexts(1)


class CountedFile:
    """A file that counts the bytes read of it."""

    def __init__(self, path: Path) -> None:
        self.file, self.bytes = path.open("rb"), 0
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        block = self.file.read(size)
        self.bytes += len(block)
        return block

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[CountedFile]:
    opened: list[CountedFile] = []

    @contextmanager
    def counted(store: ArtifactStore, kind: str, digest: str) -> Iterator[pa.NativeFile]:
        opened.append(CountedFile(Path(store.folder(kind)) / f"{digest}.parquet"))
        with pa.PythonFile(opened[-1], mode="r") as file:
            yield file

    monkeypatch.setattr(ArtifactStore, "opened", counted)
    return opened


def test_columns_and_one_sample_are_read_without_the_texts(files: SampleFiles, bytes_read: list[CountedFile]):
    """Of a file that is nearly all texts: random words, so that nothing of it is compressed away."""
    rng = np.random.default_rng(0)
    texts = [" ".join(map(str, rng.integers(10**9, size=20))) for _ in range(N)]
    samples = [Sample(f"{k:05}", text, text[::-1], dimensions={"d": str(k % 3)}) for k, text in enumerate(texts)]
    artifact = files.write(samples).artifact
    size = (Path(files.artifacts.folder("samples")) / f"{artifact}.parquet").stat().st_size
    columns = files.columns(artifact)
    for read in (lambda: columns.dimension("d"), lambda: columns.numbers("query_length"), columns.likely_trials):
        bytes_read.clear()
        read()
        assert sum(file.bytes for file in bytes_read) < size / 15
    bytes_read.clear()
    assert files.one(artifact, "03000") == samples[3000]
    assert sum(file.bytes for file in bytes_read) < size / 2  # one of four groups


@pytest.mark.parametrize("rows", [ROWS_A_GROUP // 8, pytest.param(ROWS_A_GROUP, marks=pytest.mark.slow)])
def test_samples_are_written_and_read_a_group_at_a_time(files: SampleFiles, rows: int, monkeypatch: pytest.MonkeyPatch):
    """A run twice as long takes no more memory for its texts."""
    monkeypatch.setattr(sample_writer, "ROWS_A_GROUP", rows)
    monkeypatch.setattr(sample_writer, "FIRST_ROWS", 4 * rows)

    def made(count: int) -> Iterator[Sample]:
        # Texts come again, so that what is remembered of texts, a bounded number of them, is the same in both.
        yield from (Sample(str(k), f"{k % rows} " * 300, "a", test_case="c") for k in range(count))

    def peak(count: int) -> int:
        tracemalloc.start()
        artifact = files.write(made(count)).artifact
        assert sum(len(sample.query) > 0 for sample in files.each(artifact)) == count
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    short, long = peak(8 * rows), peak(16 * rows)
    assert long < 1.2 * short


def test_what_breaks_off_leaves_nothing(files: SampleFiles):
    def broken() -> Iterator[Sample]:
        yield from SAMPLES
        raise StorageError("no more")

    with pytest.raises(StorageError, match="no more"):
        files.write(broken())
    assert list(Path(files.artifacts.folder("samples")).iterdir()) == []


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9, 0.999])
def test_damage_is_one_line_that_names_the_file(files: SampleFiles, place: float):
    artifact = files.write(SAMPLES).artifact
    path = Path(files.artifacts.folder("samples")) / f"{artifact}.parquet"
    content = bytearray(path.read_bytes())
    at = int(place * len(content))
    content[at] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"is damaged .*import the run again"):
        files.all(artifact)
    path.write_bytes(content[:at])
    with pytest.raises(StorageError, match="is damaged"):
        files.one(artifact, "q1")
    path.unlink()
    with pytest.raises(StorageError, match="is missing"):
        files.columns(artifact)


def test_damage_of_a_page_is_found_by_who_reads_that_page_alone(files: SampleFiles):
    artifact = files.write(SAMPLES).artifact
    path = Path(files.artifacts.folder("samples")) / f"{artifact}.parquet"
    content = path.read_bytes()
    with files.artifacts.opened("samples", artifact) as source, sample_files.pq.ParquetFile(source) as file:
        place = file.schema_arrow.get_field_index("id")
        start = file.metadata.row_group(0).column(place).data_page_offset
        size = file.metadata.row_group(0).column(place).total_compressed_size
    path.write_bytes(content[: start + size // 2] + b"\xff" * 4 + content[start + size // 2 + 4 :])
    with pytest.raises(StorageError, match="is damaged"):
        files.columns(artifact).ids()


def test_texts_that_were_exchanged_are_not_shown(files: SampleFiles):
    """The file has checksums of pages that fit, and is of the same size: its name tells."""
    artifact, column = files.write(SAMPLES).artifact, "query"
    assert files.one(artifact, "q0") == SAMPLES[0]
    path = Path(files.artifacts.root) / "samples" / f"{artifact}.parquet"
    table = pq.read_table(path, use_threads=False)
    changed = [table[column][1], table[column][0], *table[column][2:]]
    other = table.set_column(table.column_names.index(column), column, pa.array([each.as_py() for each in changed]))
    pq.write_table(other, path, compression="zstd", write_page_checksum=True)
    for read in (
        lambda: files.one(artifact, "q0"),
        lambda: files.some(artifact, ["q0", "q1"]),
        lambda: list(files.at(artifact, [0])),
        lambda: files.columns(artifact),
    ):
        with pytest.raises(StorageError, match="is damaged"):
            read()
