"""The lines of a PDF's pages with their properties: position, height, weight, gaps."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.importers.documents.builder import tidy

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

SOFT_HYPHEN = "\x02"
_HYPHENS = f"{SOFT_HYPHEN}\ufffe"
"""PDFium's characters for a hyphen that only divides a word at the end of a line."""
_CELL_GAP = 1.0
"""Words further apart than this many line heights are in different cells."""
_WIDE = 0.47
"""The mean letter width, as a share of the height, above which lines may have such gaps."""
_NAME_BYTES = 100
_BOLD = re.compile(rb"bold|black|heavy", re.I)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a line, far from the next one."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `cells` are its pieces if wide gaps divide it, else none; `bold` if its ends are."""

    text: str
    page: int
    top: float
    bottom: float
    height: float
    bold: bool = False
    cells: tuple[Cell, ...] = ()


def lines_of(document: PdfDocument, number: int) -> Iterator[Line]:
    """The lines of the page of this number, counted from 0, in the order of the file."""
    import pypdfium2

    try:
        page = document[number]
        textpage = page.get_textpage()
    except pypdfium2.PdfiumError:
        return  # a page that can't be loaded has no text
    with closing(page), closing(textpage):
        position = 0
        for piece in re.split("(\r\n|\r|\n)", textpage.get_text_range()):
            if tidy(piece):
                yield _line(textpage, piece, position, number + 1)
            position += len(piece)


def _line(textpage: PdfTextPage, piece: str, position: int, page: int) -> Line:
    letters = [offset for offset, letter in enumerate(piece) if not letter.isspace()]
    first, middle, last = letters[0], letters[len(letters) // 2], letters[-1]
    boxes = {offset: _box(textpage, position + offset) for offset in (first, middle, last)}
    heights = sorted(box[3] - box[1] for box in boxes.values())
    height = heights[len(heights) // 2]
    text = piece.rstrip()
    ending = SOFT_HYPHEN if text[-1] in _HYPHENS else ""
    is_wide = boxes[last][2] - boxes[first][0] > _WIDE * height * len(text)
    return Line(
        tidy(text) + ending,
        page,
        max(box[3] for box in boxes.values()),
        min(box[1] for box in boxes.values()),
        height,
        all(_is_bold(textpage, position + offset) for offset in (first, last)),
        _cells(textpage, text, position, gap=_CELL_GAP * height) if is_wide else (),
    )


def _cells(textpage: PdfTextPage, text: str, position: int, *, gap: float) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for word in _WORD.finditer(text):
        left = _box(textpage, position + word.start())[0]
        right = _box(textpage, position + word.end() - 1)[2]
        if cells and left - cells[-1].right <= gap:
            cells[-1] = Cell(f"{cells[-1].text} {tidy(word.group())}", cells[-1].left, right)
        else:
            cells.append(Cell(tidy(word.group()), left, right))
    return tuple(cells) if len(cells) > 1 else ()


def _box(textpage: PdfTextPage, position: int) -> tuple[float, float, float, float]:
    from pypdfium2 import raw

    index = raw.FPDFText_GetCharIndexFromTextIndex(textpage, position)
    return textpage.get_charbox(index, loose=True) if index >= 0 else (0.0, 0.0, 0.0, 0.0)


def _is_bold(textpage: PdfTextPage, position: int) -> bool:
    """Whether text is bold by the name of its font, since few files state the weight."""
    from pypdfium2 import raw

    index = raw.FPDFText_GetCharIndexFromTextIndex(textpage, position)
    name = ctypes.create_string_buffer(_NAME_BYTES)
    size = (
        raw.FPDFText_GetFontInfo(textpage, index, name, _NAME_BYTES, ctypes.byref(ctypes.c_int())) if index >= 0 else 0
    )
    return size > 0 and _BOLD.search(name.value) is not None
