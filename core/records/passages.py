"""Passages of the corpus: pieces of documents, each with its position in the document."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.records.codec import Codec
from hcat.core.records.file_limits import (
    MOST_BYTES,
    SPLIT,
    SPLIT_OR_RAISE,
    check_bytes,
    check_values,
    parse_document,
)
from hcat.core.records.hashing import sha256_of_text

_CODEC = Codec()
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CorpusPassage:
    """A piece of a document. `start` and `end` are offsets into the document's text; `page` counts from 1 and is None
    without pages; `heading` is the path of headings above it, outermost first.

    A piece of a table is read with the table's `header` row, which may be far above it. Its text is the header, a line
    break, and then the document's text from `start` to `end`. Every other passage's text equals the document's text
    between these offsets."""

    id: str
    text: str
    document: str
    page: int | None = None
    heading: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    header: str = ""

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text; equal for the same passage in another version of its document."""
        return sha256_of_text(self.text)


def passages_jsonl(passages: Iterable[CorpusPassage]) -> str:
    """One passage a line, as `hcat corpus` writes them."""
    return "".join(json.dumps(_CODEC.write(passage), ensure_ascii=False) + "\n" for passage in passages)


def read_passages(
    path: Path, *, most_bytes: int = MOST_BYTES, most_values: int | None = None
) -> tuple[CorpusPassage, ...]:
    """The passages of a JSON Lines file. Each line needs `id` and `text`; `document` defaults to the id.

    Raises FileFormatError with the first wrong line, and for duplicate ids."""
    check_bytes(path.stat().st_size, most=most_bytes, advice=SPLIT_OR_RAISE)
    return _whole(path.read_bytes(), path.name, most=most_values, advice=SPLIT_OR_RAISE)


def iterate_passages(path: Path) -> Iterator[CorpusPassage]:
    """The passages of the file one by one, if they need not all be in memory."""
    with path.open("rb") as lines:
        yield from _passages(lines, path.name)


def passages_in(data: bytes, *, name: str) -> tuple[CorpusPassage, ...]:
    """The passages in the bytes of a file with this name, as by `read_passages`."""
    check_bytes(len(data))
    return _whole(data, name)


def _whole(data: bytes, name: str, *, most: int | None = None, advice: str = SPLIT) -> tuple[CorpusPassage, ...]:
    try:
        check_values(data, most=most, advice=advice)
    except LimitError as error:
        raise LimitError(f"{name}: {error}") from None
    return tuple(_passages(io.BytesIO(data), name))


def _passages(lines: Iterable[bytes], name: str) -> Iterator[CorpusPassage]:
    seen: set[str] = set()
    for number, encoded in enumerate(lines, start=1):
        try:
            line = encoded.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise FileFormatError(f"{name} is not UTF-8 text: make it with `hcat corpus`") from None
        if not line.strip():
            continue
        passage = _passage(line, f"{name}: line {number}")
        if passage.id in seen:
            raise FileFormatError(f"{name}: line {number}: the id {passage.id!r} occurs twice")
        seen.add(passage.id)
        yield passage


def _passage(line: str, at: str) -> CorpusPassage:
    try:
        row = parse_document(line)
    except ValueError:
        raise FileFormatError(f"{at} is no JSON") from None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("id", "text")):
        raise FileFormatError(f"{at}: expected an object with id and text")
    if not str(row["text"]).strip() or _SURROGATE.search(json.dumps(row, ensure_ascii=False)):
        raise FileFormatError(f"{at}: expected a text of proper Unicode that is not blank")
    if isinstance(row.get("heading"), str):
        row["heading"] = [row["heading"]]
    row.setdefault("document", row["id"])
    row.setdefault("end", len(str(row["text"])))
    return _CODEC.read(CorpusPassage, row, at=at)
