"""PDF: text in the order in which the file holds it, its paragraphs by the gaps between lines, headings by their size.

A PDF says where letters stand, and not what is a heading, a paragraph or a table: all that is concluded here. Lines
that stand at the top or bottom of most pages are left out; tables are read line by line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import FileFormatError, LimitError
from core.importers.documents.builder import DocumentBuilder, tidy

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

MOST_PAGES = 5_000
LARGER = 1.12
"""A heading is at least so much larger than the text."""
_GAP = 0.6
"""Lines of a paragraph stand closer than this share of their height."""
_LONGEST_HEADING = 20
_EDGE = 2
"""Running headers and footers are among so many lines at the top and bottom."""
_HYPHENS = "\x02\ufffe"
"""How PDFium writes a hyphen that only divides a word at the end of a line."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–\s]*(?:page\s*)?(?:\d{1,5}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,5})?[-–\s]*", re.I)
_BULLET = re.compile(r"(?:[•▪◦●–]|-)\s+(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    page: int
    top: float
    bottom: float
    height: float


def read_pdf(data: bytes, builder: DocumentBuilder) -> tuple[int, str]:
    """The blocks of a PDF; its number of pages, and a note on those without text.

    FileFormatError where it is broken, encrypted or holds pictures of text only; LimitError for too many pages.
    """
    import pypdfium2

    if b"%PDF" not in data[:1024]:
        raise FileFormatError("it is not a PDF, whatever its name says: save it in the format that it is in")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise FileFormatError("it has a password: save it without one") from None
        raise FileFormatError("the PDF is broken or cut off: export it again") from None
    with closing(document):
        pages = len(document)
        if pages > MOST_PAGES:
            raise LimitError(f"it has {pages:,} pages, and at most {MOST_PAGES:,} are read: split it")
        by_page = [list(_lines(document, number)) for number in range(pages)]
    empty = [number for number, lines in enumerate(by_page, start=1) if not lines]
    if len(empty) == pages:
        raise FileFormatError("it holds no text, only pictures of pages: run text recognition (OCR) on it first")
    _read_blocks([line for lines in _without_edges(by_page) for line in lines], builder)
    return pages, f"no text on {_pages_text(empty)} (scanned?): run text recognition (OCR) on it" if empty else ""


def _lines(document: PdfDocument, number: int) -> Iterator[_Line]:
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


def _line(textpage: PdfTextPage, piece: str, position: int, page: int) -> _Line:
    from pypdfium2 import raw

    letters = [offset for offset, letter in enumerate(piece) if not letter.isspace()]
    boxes = []
    for offset in {letters[0], letters[len(letters) // 2], letters[-1]}:
        index = raw.FPDFText_GetCharIndexFromTextIndex(textpage, position + offset)
        boxes.append(textpage.get_charbox(index, loose=True) if index >= 0 else (0.0, 0.0, 0.0, 0.0))
    heights = sorted(box[3] - box[1] for box in boxes)
    text = piece.rstrip()
    ending = "\x02" if text[-1] in _HYPHENS else ""
    return _Line(
        tidy(text) + ending,
        page,
        max(box[3] for box in boxes),
        min(box[1] for box in boxes),
        heights[len(heights) // 2],
    )


def _without_edges(by_page: Sequence[list[_Line]]) -> Iterator[list[_Line]]:
    """The pages without page numbers, and without what stands at the top or bottom of most of them, or of three at
    least with the page's number in it."""
    edges = Counter(
        mark for lines in by_page for mark in {mark for line in _edge_lines(lines) for mark in _marks(line)}
    )
    for lines in by_page:
        at_edge = {id(line) for line in _edge_lines(lines)} if len(by_page) > 1 else set()
        yield [line for line in lines if id(line) not in at_edge or not _is_running(line, edges, pages=len(by_page))]


def _is_running(line: _Line, edges: Counter[tuple[str, int | None]], *, pages: int) -> bool:
    if _PAGE_NUMBER.fullmatch(line.text):
        return True
    return any(edges[mark] >= 3 and (mark[1] is not None or edges[mark] > pages / 2) for mark in _marks(line))


def _marks(line: _Line) -> Iterator[tuple[str, int | None]]:
    """The line's words, and those with each number's distance from the page's: equal on pages that follow."""
    pattern = _DIGITS.sub("#", line.text)
    yield pattern, None
    for number in {int(digits) for digits in _DIGITS.findall(line.text) if len(digits) < 6}:
        yield pattern, number - line.page


def _edge_lines(lines: list[_Line]) -> list[_Line]:
    return [*lines[:_EDGE], *lines[_EDGE:][-_EDGE:]]


def _read_blocks(lines: Sequence[_Line], builder: DocumentBuilder) -> None:
    body = _body_height(lines)
    levels = _levels(lines, body)
    group: list[_Line] = []
    for line in lines:
        if group and not _continues(group[-1], line, levels):
            _add(group, levels, builder)
            group = []
        group.append(line)
    if group:
        _add(group, levels, builder)


def _body_height(lines: Sequence[_Line]) -> float:
    """The height that most letters have."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[_rounded(line.height)] += len(line.text)
    return weights.most_common(1)[0][0] if weights else 0.0


def _levels(lines: Sequence[_Line], body: float) -> dict[float, int]:
    """The heights of headings, the largest as level 1; none where the heights are not told apart."""
    heights = {_rounded(line.height) for line in lines if line.height >= LARGER * body > 0 and _may_head(line.text)}
    return {height: level for level, height in enumerate(sorted(heights, reverse=True), start=1)}


def _may_head(text: str) -> bool:
    return _LETTER.search(text) is not None and len(text.split()) <= _LONGEST_HEADING


def _rounded(height: float) -> float:
    return round(2 * height) / 2


def _level(line: _Line, levels: dict[float, int]) -> int:
    return levels.get(_rounded(line.height), 0) if _may_head(line.text) else 0


def _continues(before: _Line, line: _Line, levels: dict[float, int]) -> bool:
    """Whether the line belongs to the same block as the one before it."""
    level = _level(line, levels)
    if level != _level(before, levels) or _BULLET.match(line.text):
        return False
    if before.page != line.page or line.top > before.top + line.height:  # the next page, or the next column
        return not level and (line.text[:1].islower() or before.text.endswith("\x02"))
    return before.bottom - line.top <= _GAP * max(line.height, before.height)


def _add(group: Sequence[_Line], levels: dict[float, int], builder: DocumentBuilder) -> None:
    text, page = _joined([line.text for line in group]), group[0].page
    level = _level(group[0], levels)
    if level and len(text.split()) <= _LONGEST_HEADING:
        builder.heading(text, level, page=page)
    elif bullet := _BULLET.match(text):
        builder.item(text[bullet.end() :], page=page)
    else:
        builder.paragraph(text, page=page)


def _joined(texts: Sequence[str]) -> str:
    return " ".join(texts).replace("\x02 ", "").replace("\x02", "")


def _pages_text(numbers: Sequence[int]) -> str:
    """Such as "pages 3, 5–7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    shown = ", ".join(texts[:10]) + (" …" if len(texts) > 10 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
