"""Files that are read row by row give what files give that are read whole."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers import Limits, Preview, read_run
from hcat.core.importers import streamed as streaming
from hcat.core.importers.streamed import StreamedRun, stream_run
from hcat.core.records.run_file import content_hash
from hcat.core.types import Sample

FORMS = Path(__file__).parent / "fixtures"
ROWS: list[dict[str, object]] = [
    {"id": "a", "query": "one?", "answer": "1", "contexts": ["x", {"id": "p", "text": "y", "score": 0.5}], "kind": "k"},
    {"id": "b", "query": "two?", "answer": None, "dimensions": {"area": "north"}, "kind": "k", "price": 1.5},
    {"id": "b", "trial": 1, "query": "two?", "answer": "again", "kind": "l"},
    {"query": "no id", "answer": "x", "kind": "l", "metadata": {"a": [1]}},
    {"query": "no id", "answer": "x", "kind": "l"},
    {"id": "c", "query": "", "answer": "x"},
    {"id": "a", "query": "taken", "answer": "x"},
    {"id": "d", "query": "q", "answer": 7, "kind": "k", "expected": 2},
    {"id": "e", "query": "q", "answer": 7, "kind": "k", "expected": 1},
    {"id": "f", "query": "q", "answer": 'with , and " and \n a line', "kind": "k"},
]


def as_jsonl(rows: list[dict[str, object]], path: Path) -> Path:
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join([*lines[:3], "", "{broken", "[1]", *lines[3:]]) + "\n", encoding="utf-8")
    return path


def as_csv(rows: list[dict[str, object]], path: Path) -> Path:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cell: Callable[[object], str] = lambda value: (  # noqa: E731
        "" if value is None else json.dumps(value) if isinstance(value, dict | list) else str(value)
    )
    quoted = [['"' + cell(row.get(name)).replace('"', '""') + '"' for name in columns] for row in rows]
    lines = [";".join(columns), *(";".join(cells) for cells in quoted), "too;few"]
    path.write_bytes("\r\n".join(lines).encode("utf-8-sig"))
    return path


def as_parquet(rows: list[dict[str, object]], path: Path) -> Path:
    usual = [{**row, "answer": str(row["answer"])} | {"contexts": None} for row in rows]
    names = list(dict.fromkeys(name for row in usual for name in row))
    pq.write_table(pa.table({name: pa.array([row.get(name) for row in usual]) for name in names}), path)
    return path


def both(path: Path, **options: object) -> tuple[Preview, StreamedRun, tuple[Sample, ...]]:
    whole = read_run(path, filename=path.name, **options)  # type: ignore[arg-type]
    with stream_run(path, filename=path.name, **options) as streamed:  # type: ignore[arg-type]
        assert streamed is not None
        return whole, streamed, tuple(streamed.samples())


@pytest.mark.parametrize("written", [as_jsonl, as_csv, as_parquet])
@pytest.mark.parametrize(
    "mapping", [{}, {"query": "query", "kind": "kept"}, {"kind": "left out", "price": "dimension"}]
)
def test_row_by_row_gives_what_the_whole_gives(
    tmp_path: Path, written: Callable[[list[dict[str, object]], Path], Path], mapping: dict[str, str]
):
    whole, streamed, samples = both(written(ROWS, tmp_path / "run.x"), mapping=mapping)
    assert samples == whole.samples and content_hash(samples) == content_hash(whole.samples)
    assert whole.problems and streamed.n == len(whole.samples) and streamed.n_problems == len(whole.problems)
    for name in ("format", "samples", "problems", "rows", "columns", "fields", "extras", "bad_rows", "named_cells",
                 "textual", "read_as_text"):  # fmt: skip
        assert getattr(streamed.preview, name) == getattr(whole, name), name
    assert streamed.several == {"b"}


def test_formats_of_tools_are_read_row_by_row_too(tmp_path: Path):
    rows = [{"user_input": f"q{k}", "retrieved_contexts": ["c"], "response": "a", "faithfulness": 0.5} for k in "abc"]
    path = tmp_path / "ragas.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    whole, streamed, samples = both(path)
    assert streamed.preview.format.name == whole.format.name == "ragas"
    assert samples == whole.samples and streamed.preview.named_cells == whole.named_cells


def test_a_column_that_comes_late_is_a_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streaming, "FIRST_ROWS", 2)
    path = tmp_path / "late.jsonl"
    rows = [{"query": f"q{k}", "answer": "a"} | ({"late": "x" if k % 2 else "y"} if k > 4 else {}) for k in range(12)]
    path.write_text("\n".join(map(json.dumps, rows)))
    whole, streamed, samples = both(path)
    assert streamed.preview.columns == whole.columns == ("query", "answer", "late")
    assert samples == whole.samples and samples[-1].dimensions == {"late": "x"}


@pytest.mark.parametrize(
    "content",
    [b'[{"query": "q", "answer": "a"}]', b'{"data":\n[{"query": "q", "answer": "a"}\n]}', b"PK\x03\x04 a workbook"],
)
def test_what_has_to_be_read_whole_is_not_streamed(tmp_path: Path, content: bytes):
    path = tmp_path / "whole"
    path.write_bytes(content)
    with stream_run(path, filename=path.name) as streamed:
        assert streamed is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"query,answer\nq,a\nq,\xe4\n", "late.csv: the file is not UTF-8: byte 0xe4"),
        (b'{"query": "q", "answer": "a"}\n{"query": "\xe4", "answer": "a"}\n', "late.csv: the file is not UTF-8"),
        (b"query\nq\n", "late.csv: the file is no table"),
        (b"query,answer\n", "late.csv: the file has no rows"),
        (b"PAR1" + b"x" * 50 + b"PAR1", "late.csv: the Parquet file can't be read"),
        (b"PAR1" + b"x" * 50, "late.csv: the Parquet file is cut off"),
    ],
)
def test_what_can_not_be_read_is_one_line(tmp_path: Path, content: bytes, message: str):
    path = tmp_path / "late.csv"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message), stream_run(path, filename=path.name):
        pass


@pytest.mark.parametrize("written", [as_jsonl, as_csv, as_parquet])
def test_limits_hold_and_say_how_they_are_raised(
    tmp_path: Path, written: Callable[[list[dict[str, object]], Path], Path]
):
    path = written(ROWS, tmp_path / "run.x")
    with pytest.raises(LimitError, match="HCAT_MAX_ROWS"), stream_run(path, filename="x", limits=Limits(max_rows=5)):
        pass
    small = Limits(max_file_mb=0.0005)
    with pytest.raises(LimitError, match="max-file-mb"), stream_run(path, filename="x", limits=small):
        pass


def test_a_file_twice_as_long_takes_no_more_memory_for_its_texts(tmp_path: Path):
    def peak(count: int) -> int:
        path = tmp_path / "run.jsonl"
        with path.open("w") as file:
            for k in range(count):
                file.write(json.dumps({"id": str(k), "query": f"{k} " * 500, "answer": "a"}) + "\n")
        tracemalloc.start()
        with stream_run(path, filename="x") as streamed:
            assert streamed is not None
            assert sum(1 for _ in streamed.samples()) == count
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(6_000) < 1.5 * peak(3_000)


def test_what_is_kept_is_gone_at_the_end(tmp_path: Path):
    path = as_jsonl(ROWS, tmp_path / "run.jsonl")
    with stream_run(path, filename="x") as streamed:
        assert streamed is not None
        coming: Iterator[Sample] = streamed.samples()
        next(coming)
    with pytest.raises(ValueError, match="closed"):
        next(streamed.samples())
