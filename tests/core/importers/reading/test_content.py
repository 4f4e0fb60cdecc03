"""Bytes into rows: content is sniffed, encodings and limits are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers import Limits, read_run
from hcat.core.importers.reading.content import decode, looks_like_json, read_bytes, read_table
from hcat.core.importers.reading.delimited import read_delimited, sniff_delimiter
from hcat.core.importers.reading.json_records import read_json

LIMITS = Limits()
RECORD = {"query": "What is due?", "answer": "Nothing."}
LINES = "".join(json.dumps({**RECORD, "id": f"q{index}"}) + "\n" for index in range(3))


def never(fields: object) -> bool:
    return False


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("query,answer\nWhat?,That.\n", "csv"),
        ("query;answer\nWhat?;That, too.\n", "csv"),
        ("query\tanswer\nWhat?\tThat.\n", "csv"),
        (json.dumps([RECORD]), "json"),
        (json.dumps({"made": "today", "rows": [RECORD]}), "json"),
        (LINES, "jsonl"),
        ("\n\n" + LINES, "jsonl"),
    ],
)
def test_the_content_and_not_the_name_says_what_a_file_is(text: str, kind: str) -> None:
    assert read_table(text.encode(), LIMITS, is_record=never).kind == kind
    assert read_run(text.encode(), filename="misleading.parquet", limits=LIMITS).problems == ()


def test_a_byte_order_mark_is_no_part_of_the_first_column() -> None:
    table = read_table(b"\xef\xbb\xbfquery,answer\r\nWhat?,That.\r\n", LIMITS, is_record=never)
    assert table.columns == ("query", "answer")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("query,answer\nx,y\n".encode("utf-16"), "UTF-16"),
        ("query,answer\nx,y\n".encode("utf-16-le"), "UTF-16"),
        ("query,answer\nx,y\n".encode("utf-32"), "UTF-32"),
        ("query,answer\nx,caf\xe9 noir\n".encode("latin-1"), "byte 0xe9 in line 2"),
        (b"PK\x03\x04 sheet", "a zip archive that holds no Excel workbook"),
        (b"Dear Ms Lee, thank you.", "the file has no rows: a table has a header"),
        (b"Dear Ms Lee.", "the file is no table: it needs a header with at least two columns"),
        (b"Dear Ms Lee\nthank you\n", "the file is no table"),
        (b"\x1f\x8b\x08 packed", "gzip"),
        (b"", "empty"),
        (b" \n \n", "empty"),
        (b"query,answer\n", "no rows"),
        (b"[]", "no rows"),
        (b"PAR1 and then nothing PAR1", "Parquet"),
        (b"PAR1", "Parquet"),
        (b'[{"query": "x", "answer": }]', "line 1, column 27"),
        (b'{"query": "x"', "neither JSON nor JSON Lines"),
        (b"query,query,answer\na,b,c\n", 'two columns are called "query"'),
        (
            b'{"a": [{"x": 1}], "b": [{"x": 1}, {"x": 2}]}',
            'one list of records was expected in the JSON object; .*"a", "b"',
        ),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        read_run(data, filename="folder/upload.csv", limits=LIMITS)
    assert str(caught.value).startswith("upload.csv: ")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="can't be opened: No such file"):
        read_run(tmp_path / "absent.csv", filename="absent.csv", limits=LIMITS)


def test_a_path_reads_as_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(LINES)
    assert read_bytes(path, LIMITS) == LINES.encode()
    assert len(read_run(path, filename=path.name).samples) == 3


def test_limits_on_size_and_rows_are_refused_whole() -> None:
    with pytest.raises(LimitError, match=r"HCAT_MAX_FILE_MB"):
        read_run(LINES.encode(), filename="x", limits=Limits(max_file_mb=0.0001))
    for text in (LINES, json.dumps([RECORD] * 3), "query,answer\na,b\nc,d\ne,f\n"):
        with pytest.raises(LimitError, match="more than 2 rows"):
            read_run(text.encode(), filename="x", limits=Limits(max_rows=2))
        assert read_run(text.encode(), filename="x", limits=Limits(max_rows=3)).rows == 3


def test_a_cell_over_the_limit_is_a_problem_of_its_row_only() -> None:
    limits = Limits(max_cell_characters=10)
    preview = read_run(b"query,answer\nshort,fine\nshort," + b"x" * 11 + b"\n", filename="x", limits=limits)
    assert len(preview.samples) == 1
    assert [(p.row, p.column, p.expected, p.found) for p in preview.problems] == [
        (2, "answer", "at most 10 characters", "11 characters")
    ]


def test_a_list_in_a_csv_cell_counts_item_by_item() -> None:
    limits = Limits(max_cell_characters=20)
    rows = "query,answer,contexts\nq,a,\"['0123456789', '0123456789']\"\nq,b,\"['" + "x" * 21 + "']\"\n"
    preview = read_run(rows.encode(), filename="x", limits=limits)
    assert [sample.answer for sample in preview.samples] == ["a"]
    assert [(p.row, p.column, p.found) for p in preview.problems] == [(2, "contexts", "21 characters")]


def test_limits_come_from_the_settings() -> None:
    assert Limits.from_settings() == Limits()


def test_the_delimiter_is_the_one_that_cuts_the_header() -> None:
    assert sniff_delimiter("a;b;c,d\n") == ";"
    assert sniff_delimiter('"a;b;c",d\n') == ","
    assert sniff_delimiter("a\tb\n") == "\t"
    assert sniff_delimiter("alone\n") == ","


def test_csv_rows_of_the_wrong_length_and_open_quotes_are_reported_and_passed_over() -> None:
    text = 'query,answer\nq1,a1\nq2,a2,more\n\nq3\nq4,"a4\nstill a4"\n"q5"x,a5\nq6,a6\nq7,"open\n'
    table = read_delimited(text, LIMITS)
    assert [(row.number, row.cells["query"], row.cells["answer"]) for row in table.rows] == [
        (1, "q1", "a1"),
        (4, "q4", "a4\nstill a4"),
        (6, "q6", "a6"),
    ]
    assert [(item.problem.row, item.problem.found) for item in table.unreadable[:2]] == [(2, "3 cells"), (3, "1 cells")]
    assert [item.bad.record for item in table.unreadable] == [
        {"query": "q2", "answer": "a2", "surplus_cells": ["more"]},
        {"query": "q3"},
        '"q5"x,a5\n',
        'q7,"open\n',
    ]


def test_a_csv_cell_longer_than_the_parsers_own_default_is_read() -> None:
    text = "query,answer\nq," + "x" * 150_000 + "\n"
    assert len(str(read_delimited(text, LIMITS).rows[0].cells["answer"])) == 150_000


def test_a_written_out_index_is_no_column() -> None:
    assert read_delimited(",query,answer\n0,q,a\n", LIMITS).columns == ("query", "answer")
    assert read_json('[{"Unnamed: 0": 0, "query": "q"}]', LIMITS, is_record=never).columns == ("query",)


def test_a_broken_line_of_json_lines_is_reported_with_its_line_number() -> None:
    text = '{"query": "a", "answer": "b"}\n\n{"query": "broken\n[1, 2]\n{"query": "c", "answer": null}\n'
    preview = read_run(text.encode(), filename="x.jsonl")
    assert [sample.query for sample in preview.samples] == ["a", "c"]
    assert [(p.row, p.column, p.expected) for p in preview.problems] == [
        (3, None, "a JSON object"),
        (4, None, "a JSON object"),
    ]
    assert preview.problems[1].found == "a list"
    assert preview.rows == 4


def test_json_lines_with_a_broken_first_line_are_still_json_lines() -> None:
    preview = read_run(b"oops\n" + LINES.encode(), filename="x")
    assert (len(preview.samples), [p.row for p in preview.problems]) == (3, [1])
    assert not looks_like_json("query,answer\n{a},b\n{c},d\n{e},f\n")


def test_one_record_alone_is_a_record_and_not_a_wrapper_around_its_contexts() -> None:
    line = json.dumps({**RECORD, "contexts": [{"id": "d1", "text": "Nothing is due."}]})
    preview = read_run(line.encode(), filename="x")
    assert [sample.contexts[0].id for sample in preview.samples] == ["d1"]


@pytest.mark.parametrize(
    "document",
    [
        {"query": ["a", "b"], "answer": ["x", None]},
        {"query": {"0": "a", "1": "b"}, "answer": {"0": "x", "1": None}},
    ],
)
def test_columns_side_by_side_are_read_as_rows(document: object) -> None:
    preview = read_run(json.dumps(document).encode(), filename="x")
    assert [(sample.query, sample.answer) for sample in preview.samples] == [("a", "x"), ("b", None)]


def test_nan_is_null_and_infinity_a_problem() -> None:
    lines = (
        '{"query": "a", "answer": NaN}',
        '{"query": "b", "answer": "x", "expected": Infinity}',
    )
    preview = read_run("\n".join(lines).encode(), filename="x")
    assert [(sample.query, sample.answer) for sample in preview.samples] == [("a", None)]
    assert [(p.row, p.column, p.expected) for p in preview.problems] == [
        (2, "expected", "finite numbers"),
    ]


def test_deep_nesting_and_endless_numbers_are_problems_not_crashes() -> None:
    deep = '{"query": "a", "answer": "b", "dimensions": ' + '{"x": ' * 40 + "1" + "}" * 41
    endless = '{"query": "a", "answer": "b", "trial": ' + "9" * 5_000 + "}"
    bottomless = '{"query": ' + "[" * 100_000
    text = "\n".join((json.dumps(RECORD), deep, endless, bottomless))
    preview = read_run(text.encode(), filename="x")
    assert len(preview.samples) == 1
    assert [p.row for p in preview.problems] == [2, 3, 4]
    assert preview.problems[0].expected == "at most 32 lists within lists"


def test_decode_takes_utf8_only() -> None:
    assert decode("\ufeffDürr €".encode()) == "Dürr €"
    with pytest.raises(FileFormatError, match="Windows-1252"):
        decode("Dürr €".encode("cp1252"))
