"""Passages of the corpus: pieces of documents, each with its place in the document it was cut from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileFormatError
from core.records.codec import Codec
from core.records.hashing import sha256_of_text
from core.types import JsonValue

_CODEC = Codec()


@dataclass(frozen=True, slots=True)
class CorpusPassage:
    """A piece of a document. `start` and `end` are offsets into the document's text; `page` counts from 1 where the
    document has pages; `heading` is the path of headings above it, outermost first.

    A piece of a table is read with the table's `header` row, which may stand far above it: its text is the header, a
    line break, and then what stands from `start` to `end`. Every other text is exactly what stands there.
    """

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
        """SHA-256 of the text: the same passage in another version of its document has the same."""
        return sha256_of_text(self.text)


def passages_jsonl(passages: Iterable[CorpusPassage]) -> str:
    """One passage a line, as `hcat corpus` writes them."""
    return "".join(json.dumps(_CODEC.write(passage), ensure_ascii=False) + "\n" for passage in passages)


def read_passages(path: Path) -> tuple[CorpusPassage, ...]:
    """The passages of a JSON Lines file: each line needs `id` and `text`; `document` is the id where it lacks.

    Raises FileFormatError with the first line that is wrong, and for ids that occur twice.
    """
    return tuple(iterate_passages(path))


def iterate_passages(path: Path) -> Iterator[CorpusPassage]:
    """The same one by one, for who need not have all texts in memory."""
    seen: set[str] = set()
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                passage = _passage(line, f"{path.name}: line {number}")
                if passage.id in seen:
                    raise FileFormatError(f"{path.name}: line {number}: the id {passage.id!r} occurs twice")
                seen.add(passage.id)
                yield passage
    except UnicodeDecodeError:
        raise FileFormatError(f"{path.name} is not UTF-8 text: make it with `hcat corpus`") from None


def _passage(line: str, at: str) -> CorpusPassage:
    try:
        row: JsonValue = json.loads(line)
    except ValueError:
        raise FileFormatError(f"{at} is no JSON") from None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("id", "text")):
        raise FileFormatError(f"{at}: expected an object with id and text")
    if isinstance(row.get("heading"), str):
        row["heading"] = [row["heading"]]
    row.setdefault("document", row["id"])
    row.setdefault("end", len(str(row["text"])))
    return _CODEC.read(CorpusPassage, row, at=at)
