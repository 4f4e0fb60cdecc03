"""Samples in a file: each form holds the same, and a larger run takes no more memory for its texts."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from hcat.core.errors import LimitError
from hcat.core.importers.reading import spreadsheet
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.opened.sample_filter import SampleFilter, filter_samples, sample_facts
from hcat.core.opened.sample_rows import SampleRows
from hcat.core.project.exporting import sample_export
from hcat.core.project.exporting.sample_export import FORMS, Form, write_samples
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.types import Passage, Sample, Score

TEXT = 4_000
"""Characters of each text, so that texts are nearly all of a run."""


def made_up(n: int, characters: int = 20) -> Iterator[Sample]:
    rng = np.random.default_rng(1)
    for k in range(n):
        text = rng.bytes(characters // 2).hex()  # nothing to compress
        contexts = (Passage("p", f"passage {k}"), Passage("q", "Straße"))
        yield Sample(f"s{k}", f"Query {k}?", text, contexts, dimensions={"area": "nsew"[k % 4]})


class StoredRun:
    """A run in a file, with scores."""

    def __init__(self, folder: Path, samples: Iterator[Sample], n: int) -> None:
        self.files = SampleFiles(ArtifactStore(str(folder)))
        self.artifact = self.files.write(samples).artifact
        values = [Score(None, "made up") if k % 10 == 3 else Score(k / n) for k in range(n)]
        self.table = score_table(
            [f"s{k}" for k in range(n)], {"answer_f1": values}, Provenance("0", "", ("answer_f1",))
        )

    def samples(self) -> Sequence[Sample]:
        raise AssertionError("all samples at once")

    def samples_at(self, rows: Sequence[int]) -> Iterator[Sample]:
        return self.files.at(self.artifact, rows)

    def columns(self) -> object:
        return self.files.columns(self.artifact)

    def sample(self, sample_id: str) -> Sample:
        raise AssertionError("one after another")

    def scores(self) -> ScoreTable:
        return self.table

    def topics(self) -> None:
        return None


def rows_of(run: StoredRun, ids: Sequence[str] | None = None) -> SampleRows:
    columns = RunColumns("r", run)  # type: ignore[arg-type]
    facts = sample_facts(Opened(columns, None), None, [], None)  # type: ignore[arg-type]
    return SampleRows(columns.sample_ids if ids is None else ids, facts, run.table, None)


def written(rows: SampleRows, form: Form) -> bytes:
    file = io.BytesIO()
    write_samples(rows, file, form)
    return file.getvalue()


def test_the_forms_hold_the_same(tmp_path: Path) -> None:
    rows = rows_of(StoredRun(tmp_path, made_up(5_000), 5_000))
    plain = list(csv.reader(io.StringIO(written(rows, "csv").decode("utf-8-sig"))))
    table = pq.read_table(io.BytesIO(written(rows, "parquet")))
    lines = [json.loads(line) for line in written(rows, "jsonl").splitlines()]
    book = load_workbook(io.BytesIO(written(rows, "xlsx")), read_only=True)
    sheet = list(book.active.iter_rows(values_only=True))
    assert plain[0] == table.column_names == list(lines[0]) == list(sheet[0])
    assert len(plain) == len(sheet) == 5_001 and table.num_rows == len(lines) == 5_000
    assert lines == table.to_pylist()
    assert [tuple(cell or "" for cell in row)[:4] for row in sheet] == [tuple(row[:4]) for row in plain]
    assert lines[3]["answer_f1"] is None and lines[4]["answer_f1"] == 4 / 5_000
    assert lines[4]["contexts"] == ["passage 4", "Straße"] and lines[4]["dimension:area"] == "n"
    assert table.schema.field("answer_f1").type == pa.float64()


def test_samples_come_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    run = StoredRun(tmp_path, made_up(5_000), 5_000)
    for step in (1, -1, 7):
        ids = [f"s{k * step % 5_000}" for k in range(5_000)]
        assert [row[:2] for row in rows_of(run, ids)] == [[name, f"Query {name[1:]}?"] for name in ids]


def test_a_text_is_looked_for_in_those_samples_alone_that_fit_otherwise(tmp_path: Path) -> None:
    facts = rows_of(StoredRun(tmp_path, made_up(3_000), 3_000)).facts
    wanted = SampleFilter(levels=(("area", "n"),), text="QUERY 100")
    assert filter_samples(tuple(facts.samples), facts, wanted) == ["s100", "s1000", "s1004", "s1008"]


def test_more_rows_than_a_sheet_holds_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of(StoredRun(tmp_path, made_up(100), 100))
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 101)
    assert written(rows, "xlsx")
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 100)
    file = io.BytesIO()
    with pytest.raises(LimitError, match=r"a sheet of Excel holds 100 rows .* these are 101 .*: write .csv"):
        write_samples(rows, file, "xlsx")
    assert not file.getvalue()


@pytest.mark.parametrize("form", FORMS)
def test_memory_does_not_grow_with_the_texts(tmp_path: Path, form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of rows are small here, so that both runs have several."""
    monkeypatch.setattr("hcat.core.storage.sample_writer.ROWS_A_GROUP", 64)
    monkeypatch.setattr(sample_export, "ROWS_A_GROUP", 64)
    monkeypatch.setattr(spreadsheet, "ROWS_AT_A_TIME", 64)
    small, large = (peak(tmp_path / str(n), n, form) for n in (300, 1_200))
    more_texts = 900 * TEXT
    assert large - small < more_texts / 4


def peak(folder: Path, n: int, form: Form) -> int:
    """The most bytes that Python and Arrow hold more than before while a run of n samples is written."""
    rows = rows_of(StoredRun(folder, made_up(n, TEXT), n))
    assert len(rows.head) and rows.facts.dimensions.shape == (n, 1)
    with (folder / f"samples.{form}").open("wb") as opened:
        file = Watched(opened)
        tracemalloc.start()
        write_samples(rows, file, form)  # type: ignore[arg-type]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most + file.most


class Watched:
    """A file that notes what Arrow has in memory whenever something is written."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.before, self.most = file, pa.total_allocated_bytes(), 0
        self.closed = False

    def write(self, block: bytes) -> int:
        self.most = max(self.most, pa.total_allocated_bytes() - self.before)
        return self.file.write(block)

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)
