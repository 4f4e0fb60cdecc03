"""Files of passages that are wrong are refused with one line that says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from hcat.core.errors import HcatError
from hcat.core.records.passages import read_passages

GOOD = b'{"id": "p1", "text": "The fee is 5 euros."}\n'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[" * 100_000, "p.jsonl: line 2 is no JSON"),
        (b"id,text", "p.jsonl: line 2 is no JSON"),
        (b'{"id": "p2"}', "line 2: expected an object with id and text"),
        (b'{"id": "p2", "text": " "}', "line 2: expected a text"),
        (GOOD.strip(), "line 2: the id 'p1' occurs twice"),
        (b'{"id": "p2", "text": "\xff"}', "p.jsonl is not UTF-8 text"),
    ],
)
def test_a_wrong_line_is_named(line: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(GOOD + line + b"\n")
    with pytest.raises(HcatError, match=message):
        read_passages(path)


def test_a_passage_without_a_document_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(GOOD)
    [passage] = read_passages(path)
    assert (passage.document, passage.start, passage.end) == ("p1", 0, len(passage.text))
