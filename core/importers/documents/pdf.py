"""PDF: text in the order of the file, with paragraphs, headings and tables inferred from the layout.

Paragraphs are inferred from the gaps between lines, headings from their size or because they are bold and on a line of
their own, tables from their columns (`pdf_tables`). A PDF has the positions of letters, and not what is a heading, a
paragraph or a table. Lines at the top or bottom of most pages are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.importers.documents.pdf_lines import SOFT_HYPHEN, Line, lines_of
from hcat.core.importers.documents.pdf_tables import PdfTable, with_tables

MOST_PAGES = 5_000
LARGER = 1.12
"""A heading is at least this much larger than the text."""
_GAP = 0.6
"""Lines of a paragraph are closer than this share of their height."""
_LONGEST_HEADING = 20
_EDGE = 2
"""The number of lines at the top and bottom that may be running headers and footers."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–\s]*(?:page\s*)?(?:\d{1,5}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,5})?[-–\s]*", re.I)
_BULLET = re.compile(r"(?:[•▪◦●–]|-)\s+(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = (".", ",", ";", "!")
_MOST_BOLD = 0.5
"""The share of bold letters above which bold text is not a sign of headings."""


def read_pdf(data: bytes, builder: DocumentBuilder) -> tuple[int, str]:
    """The number of pages of a PDF, and a note on those without text; adds its blocks.

    FileFormatError if it is broken, encrypted or has only pictures of text; LimitError for too many pages."""
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
        by_page = [list(lines_of(document, number)) for number in range(pages)]
    empty = [number for number, lines in enumerate(by_page, start=1) if not lines]
    if len(empty) == pages:
        raise FileFormatError("it holds no text, only pictures of pages: run text recognition (OCR) on it first")
    _read_blocks([line for lines in _without_edges(by_page) for line in lines], builder)
    return pages, f"no text on {_pages_text(empty)} (scanned?): run text recognition (OCR) on it" if empty else ""


def _without_edges(by_page: Sequence[list[Line]]) -> Iterator[list[Line]]:
    """The pages without page numbers, running headers and running footers.

    Those are at the top or bottom of most pages, or of at least three with the page's number in it."""
    edges = Counter(
        mark for lines in by_page for mark in {mark for line in _edge_lines(lines) for mark in _marks(line)}
    )
    for lines in by_page:
        at_edge = {id(line) for line in _edge_lines(lines)} if len(by_page) > 1 else set()
        yield [line for line in lines if id(line) not in at_edge or not _is_running(line, edges, pages=len(by_page))]


def _is_running(line: Line, edges: Counter[tuple[str, int | None]], *, pages: int) -> bool:
    if _PAGE_NUMBER.fullmatch(line.text):
        return True
    return any(edges[mark] >= 3 and (mark[1] is not None or edges[mark] > pages / 2) for mark in _marks(line))


def _marks(line: Line) -> Iterator[tuple[str, int | None]]:
    """The line's words, and those with each number's distance from the page's: equal on consecutive pages."""
    pattern = _DIGITS.sub("#", line.text)
    yield pattern, None
    for number in {int(digits) for digits in _DIGITS.findall(line.text) if len(digits) < 6}:
        yield pattern, number - line.page


def _edge_lines(lines: list[Line]) -> list[Line]:
    return [*lines[:_EDGE], *lines[_EDGE:][-_EDGE:]]


@dataclass(frozen=True, slots=True)
class _Headings:
    """The level of headings by their height, and that of other bold lines; 0 if these are no headings."""

    levels: Mapping[float, int]
    bold_level: int

    def level(self, line: Line) -> int:
        """The level of the heading that the line is or belongs to, 0 for none."""
        if not _may_head(line.text):
            return 0
        by_height = self.levels.get(_rounded(line.height), 0)
        return by_height or (self.bold_level if line.bold and not line.text.endswith(_SENTENCE_END) else 0)


def _read_blocks(lines: Sequence[Line], builder: DocumentBuilder) -> None:
    headings = _headings(lines)
    group: list[Line] = []
    for item in with_tables(lines):
        if group and (isinstance(item, PdfTable) or not _continues(group[-1], item, headings)):
            _add(group, headings, builder)
            group = []
        if isinstance(item, PdfTable):
            builder.table(item.rows, page=item.page)
        else:
            group.append(item)
    if group:
        _add(group, headings, builder)


def _headings(lines: Sequence[Line]) -> _Headings:
    """The largest heights as level 1; none by height if the heights do not differ."""
    body = _body_height(lines)
    heights = {_rounded(line.height) for line in lines if line.height >= LARGER * body > 0 and _may_head(line.text)}
    levels = {height: level for level, height in enumerate(sorted(heights, reverse=True), start=1)}
    bold = sum(len(line.text) for line in lines if line.bold)
    marks = bold <= _MOST_BOLD * sum(len(line.text) for line in lines)
    return _Headings(levels, len(levels) + 1 if marks else 0)


def _body_height(lines: Sequence[Line]) -> float:
    """The height of most letters."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[_rounded(line.height)] += len(line.text)
    return weights.most_common(1)[0][0] if weights else 0.0


def _may_head(text: str) -> bool:
    return _LETTER.search(text) is not None and len(text.split()) <= _LONGEST_HEADING


def _rounded(height: float) -> float:
    return round(2 * height) / 2


def _continues(before: Line, line: Line, headings: _Headings) -> bool:
    """Whether the line belongs to the same block as the one before it."""
    level = headings.level(line)
    if level != headings.level(before) or _BULLET.match(line.text):
        return False
    if before.page != line.page or line.top > before.top + line.height:  # the next page, or the next column
        return not level and (line.text[:1].islower() or before.text.endswith(SOFT_HYPHEN))
    return before.bottom - line.top <= _GAP * max(line.height, before.height)


def _add(group: Sequence[Line], headings: _Headings, builder: DocumentBuilder) -> None:
    text, page = _joined([line.text for line in group]), group[0].page
    level = headings.level(group[0])
    if level and len(text.split()) <= _LONGEST_HEADING:
        builder.heading(text, level, page=page)
    elif bullet := _BULLET.match(text):
        builder.item(text[bullet.end() :], page=page)
    else:
        builder.paragraph(text, page=page)


def _joined(texts: Sequence[str]) -> str:
    return " ".join(texts).replace(f"{SOFT_HYPHEN} ", "").replace(SOFT_HYPHEN, "")


def _pages_text(numbers: Sequence[int]) -> str:
    """Page numbers in words, such as "pages 3, 5–7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    shown = ", ".join(texts[:10]) + (" …" if len(texts) > 10 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
