"""Parquet: nested columns, files that claim or hide too much, files that are broken."""

from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.importers import Limits, read_run
from hcat.core.importers.reading.parquet import read_parquet
from hcat.core.settings import ROOT

LIMITS = Limits()
FIXTURES = Path(__file__).parents[1] / "fixtures"


def written(columns: dict[str, object], **options: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def test_nested_columns_become_contexts_grades_and_dimensions() -> None:
    contexts = [[{"id": "d1", "text": "One.", "score": 0.5}, {"id": "d2", "text": "Two.", "score": float("nan")}], None]
    data = written(
        {
            "query": ["a", "b"],
            "answer": ["x", None],
            "contexts": contexts,
            "relevant_ids": pa.array([[("d1", 2)], None], pa.map_(pa.string(), pa.int64())),
            "dimensions": [{"company": "3M", "year": 2022}, {"company": None, "year": 2023}],
            "trial": [0.0, float("nan")],
            "expected": [1.0, None],
        }
    )
    preview = read_run(data, filename="x.csv")
    assert preview.problems == ()
    first, second = preview.samples
    assert [(p.id, p.text, p.score) for p in first.contexts] == [("d1", "One.", 0.5), ("d2", "Two.", None)]
    assert (first.relevant_ids, first.dimensions) == ({"d1": 2}, {"company": "3M", "year": "2022"})
    assert (second.answer, second.contexts, second.dimensions) == (None, (), {"year": "2023"})
    assert (second.trial, second.expected) == (0, None)


def test_cells_of_other_types_become_plain_values() -> None:
    data = written(
        {
            "at": pa.array([datetime(2025, 3, 1, tzinfo=UTC)], pa.timestamp("us", tz="UTC")),
            "price": [Decimal("1.50")],
            "raw": [b"text"],
            "kind": pa.array(["a"]).dictionary_encode(),
            "list": pa.array([["x", None]], pa.large_list(pa.large_string())),
        }
    )
    assert read_parquet(data, LIMITS).rows[0].cells == {
        "at": "2025-03-01T00:00:00+00:00",
        "price": 1.5,
        "raw": "text",
        "kind": "a",
        "list": ["x", None],
    }


def test_a_pandas_index_is_no_column() -> None:
    import pandas as pd

    out = io.BytesIO()
    pd.DataFrame({"query": ["a", "b"], "answer": ["x", "y"]}, index=[3, 7]).to_parquet(out)
    assert read_parquet(out.getvalue(), LIMITS).columns == ("query", "answer")


def test_a_file_with_too_many_rows_is_refused_by_its_metadata() -> None:
    # 300,000 equal rows pack into a few kilobytes.
    data = written({"query": pa.array(["q"] * 300_000), "answer": pa.array(["a"] * 300_000)})
    assert len(data) < 20_000
    with pytest.raises(LimitError, match="more than 200,000 rows"):
        read_run(data, filename="x")


def test_a_file_that_unpacks_to_too_much_is_refused_by_its_metadata() -> None:
    # One page of 5 million equal letters, 5 MB once unpacked, weighs next to nothing under zstd.
    data = written({"query": ["q" * 5_000_000], "answer": ["a"]}, compression="zstd", use_dictionary=False)
    assert len(data) < 50_000
    with pytest.raises(LimitError, match="unpacks to more than 1 MB"):
        read_run(data, filename="x", limits=Limits(max_file_mb=1))


@pytest.mark.parametrize("nested", [False, True])
def test_a_repeated_text_that_the_metadata_counts_once_is_refused_before_it_fills_memory(nested: bool) -> None:
    # A dictionary holds 100 kB once, and 2,000 rows point at it: 200 MB of text in a small file.
    text = "x" * 100_000
    answers: list[object] = [[text] if nested else text] * 2_000
    column = "contexts" if nested else "answer"
    other = {"answer": ["a"] * 2_000} if nested else {}
    data = written({"query": ["q"] * 2_000, column: answers, **other}, dictionary_pagesize_limit=10_000_000)
    assert len(data) < 200_000
    sizes = pq.ParquetFile(io.BytesIO(data)).metadata
    assert sum(sizes.row_group(i).total_byte_size for i in range(sizes.num_row_groups)) < 1_000_000
    limits = Limits(max_file_mb=20)
    # All rows in one batch, in a process whose peak is that of this file alone.
    program = (
        "import sys, pyarrow as pa; from hcat.core.importers import Limits;"
        "from hcat.core.importers.reading import parquet_process as p; p.BATCH_ROWS = 2_000;"
        "print(p.answer(sys.stdin.buffer.read(), Limits(max_file_mb=20)), pa.default_memory_pool().max_memory())"
    )
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, cwd=ROOT, check=True)
    message, peak = done.stdout.decode().rsplit(maxsplit=1)
    assert "unpacks to more than 20 MB" in message
    assert 0 < int(peak) < 20_000_000
    with pytest.raises(LimitError, match="unpacks to more than 20 MB"):
        read_run(data, filename="x", limits=limits)


def test_runs_of_nothing_are_counted_too() -> None:
    # 20 million nulls in one list take a few bytes in the file and 80 MB or more as values.
    values = pa.ListArray.from_arrays(pa.array([0, 20_000_000], pa.int32()), pa.nulls(20_000_000, pa.string()))
    data = written({"query": ["q"], "answer": ["a"], "metadata": values})
    assert len(data) < 200_000
    with pytest.raises(LimitError, match="unpacks to more than 50 MB"):
        read_run(data, filename="x", limits=Limits(max_file_mb=50))


def test_a_file_that_makes_the_library_abort_is_only_a_broken_file() -> None:
    # Two bytes of its footer were changed. Read in this process, pyarrow 26 would end it with SIGABRT.
    with pytest.raises(FileFormatError, match="Parquet file can't be read"):
        read_run(FIXTURES / "aborts_the_library.parquet", filename="x")


@pytest.mark.parametrize(
    ("outcome", "error", "message"),
    [
        (subprocess.CompletedProcess([], -6, b"", b"terminate called"), FileFormatError, "it is broken"),
        (subprocess.CompletedProcess([], 0, b"{}", b""), FileFormatError, "it is broken"),
        (subprocess.CompletedProcess([], -11, b'{"rows": []}', b""), FileFormatError, "it is broken"),
        (subprocess.TimeoutExpired([], 300), LimitError, "more than 300 seconds"),
        (OSError(12, "Cannot allocate memory"), FileFormatError, "Cannot allocate memory"),
    ],
)
def test_whatever_becomes_of_the_reading_process_is_told(
    monkeypatch: pytest.MonkeyPatch,
    outcome: subprocess.CompletedProcess[bytes] | Exception,
    error: type[HcatError],
    message: str,
) -> None:
    def run(*args: object, **options: object) -> subprocess.CompletedProcess[bytes]:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(error, match=message):
        read_parquet(written({"query": ["q"], "answer": ["a"]}), LIMITS)


def test_the_reading_process_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}

    def run(*args: object, env: dict[str, str], **options: object) -> subprocess.CompletedProcess[bytes]:
        seen.update(env)
        return subprocess.CompletedProcess([], 0, b'{"rows": []}', b"")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("HCAT_LLM_API_KEY", "secret")
    read_parquet(written({"query": ["q"], "answer": ["a"]}), LIMITS)
    assert "PATH" in seen
    assert not any(name.startswith("HCAT_") for name in seen)


def test_broken_files_raise_nothing_but_hcat_errors() -> None:
    data = written({"query": ["a", "b"], "answer": ["x", None], "contexts": [["One."], ["Two.", "Three."]]})
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(8):
        broken = bytearray(data)
        for position in rng.integers(4, len(data) - 4, size=3):
            broken[position] = int(rng.integers(0, 256))
        try:
            read_run(bytes(broken), filename="x", limits=Limits(max_file_mb=5))
        except HcatError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused >= 4
    with pytest.raises(FileFormatError, match="cut off"):
        read_run(data[: len(data) // 2], filename="x")
    with pytest.raises(FileFormatError, match="no rows"):
        read_run(written({"query": pa.array([], pa.string()), "answer": pa.array([], pa.string())}), filename="x")
