"""Builds a document's text block by block, so that every block knows its position in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from hcat.core.records.documents import Block, BlockKind

CELL = " | "
"""The text between the cells of a row."""
_SPACES = re.compile(r"\s+")
_BREAKS = re.compile("[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
"""Characters that end a line or a page without a line feed: words on both sides are separate."""
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]")
"""Controls, soft hyphens, zero-width spaces, half surrogate pairs: nobody sees them, and no file can store some."""


@dataclass
class DocumentBuilder:
    """The text so far, and its blocks. White space within a block becomes single spaces."""

    _parts: list[str] = field(default_factory=list)
    _blocks: list[Block] = field(default_factory=list)
    _length: int = 0
    _in_list: bool = False

    def heading(self, text: str, level: int, *, page: int | None = None) -> None:
        """A heading; level 1 is the outermost."""
        self._add("heading", tidy(text), level=max(1, min(level, 9)), page=page)

    def paragraph(self, text: str, *, page: int | None = None) -> None:
        """A paragraph; blank ones are left out."""
        self._add("paragraph", tidy(text), page=page)

    def item(self, text: str, *, page: int | None = None) -> None:
        """A list item, on a line of its own right below the one before it."""
        text = tidy(text)
        if text:
            self._add("paragraph", f"- {text}", page=page, is_item=True)

    def preformatted(self, text: str) -> None:
        """Text with significant lines, such as code."""
        lines = [_SPACES.sub(" ", visible(line)).rstrip() for line in text.strip("\n").split("\n")]
        self._add("paragraph", "\n".join(line for line in lines if line.strip()))

    def table(self, rows: Sequence[Sequence[str]], *, page: int | None = None) -> None:
        """A table whose first row is its header. Rows of empty cells are left out."""
        texts = [CELL.join(tidy(cell) for cell in row) for row in rows if any(tidy(cell) for cell in row)]
        for number, text in enumerate(texts):
            self._add("header" if number == 0 and len(texts) > 1 else "row", text, page=page)

    def result(self) -> tuple[str, tuple[Block, ...]]:
        """The text and its blocks."""
        return "".join(self._parts), tuple(self._blocks)

    def _add(
        self, kind: BlockKind, text: str, *, level: int = 0, page: int | None = None, is_item: bool = False
    ) -> None:
        if not text:
            return
        before = self._blocks[-1].kind if self._blocks else None
        close = (kind == "row" and before in ("header", "row")) or (is_item and self._in_list)
        gap = "" if before is None else "\n" if close else "\n\n"
        start = self._length + len(gap)
        self._parts += [gap, text]
        self._length = start + len(text)
        self._blocks.append(Block(kind, start, self._length, level, page))
        self._in_list = is_item


def tidy(text: str) -> str:
    """The text on one line, composed (NFC), without invisible characters."""
    return " ".join(visible(text).split())


def visible(text: str) -> str:
    """The text without controls, soft hyphens, zero-width spaces and half surrogate pairs, composed (NFC)."""
    if text.isascii():
        return text if text.isprintable() else _INVISIBLE.sub("", _BREAKS.sub(" ", text))
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _BREAKS.sub(" ", text)))
