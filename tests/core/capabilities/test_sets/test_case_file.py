"""Files of test cases: a round trip, and one clear line for each mistake."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.errors import FileFormatError
from hcat.core.records import test_case
from hcat.core.records.test_case import TestCase, case_id


def test_what_is_written_is_read() -> None:
    cases = (
        TestCase("a", "What is “ü”?", "x\ny", ("p", "q"), topic="t", options=("1", "2"), probability=0.25, overlap=0.5),
        TestCase("b", "Why?", None, nearest=("p",), type="unanswerable", metadata={"k": [1, {"m": None}]}),
    )
    assert read_cases(test_case.test_cases_jsonl(cases).encode(), filename="f") == cases


def test_an_id_is_made_of_query_and_passages() -> None:
    [case] = read_cases(b'\xef\xbb\xbf{"query": "What?", "passages": ["p"]}\n\n', filename="f")
    assert case.id == case_id("What?", ["p"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no test case"),
        (b"\n \n", "holds no test case"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"query,reference\n", "line 1 is no JSON"),
        (b"[" * 100_000, "line 1 is no JSON"),
        (b'{"query": "a"}\n{"query": " "}', "line 2: expected an object with query"),
        (b'[{"query": "a"}]', "line 1: expected an object with query"),
        (b'{"query": "a", "type": "riddle"}', "type"),
        (b'{"query": "a", "probability": "high"}', "probability"),
        (b'{"query": "a"}\n{"query": "a"}', "line 2: the id .* occurs twice"),
    ],
)
def test_a_mistake_is_one_line(content: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_cases(content, filename="f.jsonl")
