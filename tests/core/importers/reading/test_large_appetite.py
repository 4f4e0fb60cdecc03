"""Small files that would take much memory or time are refused in one line before they do."""

from __future__ import annotations

import io
import json
import tracemalloc
from dataclasses import replace
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.limits import Limits
from hcat.core.importers.mapping import read_columns
from hcat.core.importers.preview import read_run
from hcat.core.records.file_limits import count_values
from tests.line_counts import lines_run

LIMITS = Limits()


def parquet(**columns: list[object]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def read(data: bytes, limits: Limits = LIMITS) -> object:
    return read_run(data, filename="run", limits=limits)


def test_a_parquet_file_of_a_kilobyte_with_a_million_contexts() -> None:
    data = parquet(query=["q"], answer=["a"], contexts=[["x"] * 1_000_000])
    assert len(data) < 4_000
    preview = read_run(data, filename="run", limits=LIMITS)
    assert [(p.column, p.found) for p in preview.problems] == [("contexts", "a list of 1,000,000 items")]


def test_lists_within_structures_of_parquet_count_too() -> None:
    for field, problems in (("contexts", ["1,001 items"]), ("meta", [])):
        data = parquet(query=["q"], answer=["a"], **{field: [[{"inner": ["x"] * 1_001}]]})
        preview = read_run(data, filename="run", limits=LIMITS)
        assert [p.found for p in preview.problems] == problems
        assert not any("meta" in sample.metadata for sample in preview.samples)


def test_a_parquet_file_of_many_short_lists() -> None:
    few = replace(LIMITS, max_values=100)
    rows = 60
    data = parquet(query=["q"] * rows, answer=["a"] * rows, contexts=[["x"]] * rows)
    with pytest.raises(LimitError, match=r"more than 100 cells|more than 5,000,000 cells"):
        read_json_like(data, few)


def read_json_like(data: bytes, limits: Limits) -> object:
    """Parquet is read by a process with limits of its own, so the same rows go through JSON."""
    rows = pq.read_table(io.BytesIO(data)).to_pylist()
    return read(json.dumps(rows).encode(), limits)


@pytest.mark.parametrize(
    "line",
    [
        '{"query": "q", "answer": "a", "contexts": [' + ", ".join(['"x"'] * 1_001) + "]}",
        '{"query": "q", "answer": "a", "dimensions": {' + ", ".join(f'"k{i}": 1' for i in range(1_001)) + "}}",
    ],
    ids=["contexts", "fields"],
)
def test_a_list_too_long_is_a_problem_of_its_row(line: str) -> None:
    preview = read_run(f'{{"query": "q", "answer": "a"}}\n{line}'.encode(), filename="run", limits=LIMITS)
    assert len(preview.samples) == 1
    assert preview.problems[0].expected == "at most 1,000 items in a list"


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl", "parquet"])
def test_too_many_columns(kind: str) -> None:
    names = ["query", "answer", *(f"c{number}" for number in range(2_000))]
    record = dict.fromkeys(names, "x")
    data = {
        "csv": (",".join(names) + "\n" + ",".join("x" * len(names))).encode(),
        "json": json.dumps([record]).encode(),
        "jsonl": json.dumps(record).encode(),
        "parquet": parquet(**{name: ["x"] for name in names}) if kind == "parquet" else b"",
    }[kind]
    with pytest.raises(LimitError, match="more than 2,000 columns"):
        read(data)


def test_rows_with_a_column_of_their_own_each_take_work_in_proportion() -> None:
    lines = [f'{{"query": "q{n}", "answer": "a", "own{n}": "x"}}' for n in range(400)]
    few, many = (lines_run(partial(look_through, "\n".join(lines[:count]))) for count in (100, 400))
    assert few > 100
    assert many < 5 * few, "four times the rows, and columns, take more than four times the steps"


def look_through(text: str) -> None:
    read_columns(text.encode(), filename="run", limits=LIMITS)
    read(text.encode())


@pytest.mark.parametrize("text", ["[" + "[]," * 50_001 + "[]]", '{"a":[' + "0," * 50_001 + "0]}"])
def test_json_of_millions_of_small_values_is_refused_before_it_is_parsed(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="more than 50,000 cells"):
            read(text.encode(), replace(LIMITS, max_values=50_000))
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()


def test_signs_within_texts_are_no_values() -> None:
    text = '{"query": "a, b, [c], {d} and \\", e", "answer": "x"}'
    assert count_values(text, most=100) >= 2
    assert count_values(text, most=4) == 2  # one brace and one comma stand outside of texts
    assert count_values('{"a": "broken\n{"b": 1, "c": 2}', most=1) == 2  # counting ends once it is too many


def test_a_cell_of_csv_as_long_as_the_file_is_a_problem_of_its_row() -> None:
    data = ("query,answer\nq,a\nq," + "x" * 3_000_000 + "\nr,b\n").encode()
    preview = read_run(data, filename="run", limits=LIMITS)
    assert [sample.query for sample in preview.samples] == ["q", "r"]
    assert "not longer" in preview.problems[0].expected


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_always_did(ends: str) -> None:
    data = ends.join(["query,answer", f'"two{ends}lines",a', "q,b"]).encode()
    queries = [sample.query for sample in read_run(data, filename="run", limits=LIMITS).samples]
    assert queries == [f"two{ends}lines", "q"]


@pytest.mark.parametrize("digits", [40, 41, 4_000])
def test_whole_numbers_of_any_length_are_read(digits: int) -> None:
    rows = [f'{{"query": "q{n}", "answer": "a", "row_size": {"1" * digits}}}' for n in range(5)]
    preview = read_run("\n".join(rows).encode(), filename="run", limits=LIMITS)
    assert len(preview.samples) == 5
    assert preview.extras["row_size"] == ("dimension" if digits == 40 else "metadata")


@pytest.mark.parametrize("name", ["\\ud800", "\\udfff"])
def test_half_a_surrogate_pair_as_a_name_is_told_in_one_line(name: str) -> None:
    data = f'{{"query": "q", "answer": "a", "{name}": "x"}}'.encode()
    with pytest.raises(FileFormatError, match="no proper Unicode") as refused:
        read_columns(data, filename="run", limits=LIMITS)
    assert str(refused.value).encode()
    [sample] = read_run(data, filename="run", limits=LIMITS).samples
    assert sample.metadata == {}
