"""Reflows texts of filings, which have a number per line and blank lines between, into readable text.

Nothing is rewritten: a reflowed text is the text itself with gaps, stretches that are shown in another way. So offsets
of sentences and marks are those of the text, wherever it is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

CELLS = " | "
"""The text between the cells of a row."""
BLANK_CELL = "·"
"""A blank line among the cells of a row that may be an empty cell."""
LEAST_CELLS, LEAST_SHARE = 4, 0.2
"""The least number of lines with one number, and their least share of all lines, for a table set line by line."""

_LINE = re.compile(r"[^\n]*\n?")
_CELL = re.compile(r"[$€£¥(+\-–—−\s]{0,4}(\d[\d.,]*|#|\*)?[\s)%]{0,4}|n/?[am]", re.IGNORECASE)
_CURRENCY = re.compile(r"(^|\s)[($€£¥\s]+$")
_CLOSING = re.compile(r"[)%\s]+")
_LEADERS = re.compile(r"(?:[ \t]?\.){5,}[ \t]?")
_LEADING = " … "
_GOES_ON = re.compile(r"[a-zà-öø-ÿ]")
_ENDED = re.compile(r"[.:;!?]\s*$")


@dataclass(frozen=True, slots=True)
class Gap:
    """Characters [start, end) of a text, and the text shown in their place."""

    start: int
    end: int
    shown: str


@dataclass(frozen=True, slots=True)
class Reflowed:
    """A text and its gaps, in order and without overlaps. Without gaps it is shown unchanged."""

    text: str
    gaps: tuple[Gap, ...] = ()

    @property
    def shown(self) -> str:
        """The text as shown."""
        return self.between(0, len(self.text))

    def between(self, start: int, end: int) -> str:
        """Characters [start, end) of the text as shown; a gap belongs to the characters before it."""
        return "".join(self._pieces(start, end))

    def _pieces(self, start: int, end: int) -> Iterator[str]:
        for gap in self.gaps:
            if start <= gap.start < end:
                yield self.text[start : gap.start]
                yield gap.shown
            if gap.start < end:
                start = max(start, gap.end)
        yield self.text[start:end]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line from its first to its last non-space character; `blanks` is the number of blank lines before it."""

    start: int
    end: int
    text: str
    blanks: int

    @property
    def is_cell(self) -> bool:
        return len(self.text) <= 24 and _CELL.fullmatch(self.text) is not None


def reflow(text: str) -> Reflowed:
    """The text with gaps that turn lines of numbers into rows, join broken lines, and remove superfluous blank
    lines."""
    lines = _lines(text)
    cells = sum(line.is_cell for line in lines)
    is_table = cells >= LEAST_CELLS and cells >= LEAST_SHARE * len(lines)
    breaks = [*_blank_start(lines), *(_breaks(lines) if is_table else _fewer_blanks(lines))]
    leaders = [Gap(*match.span(), _LEADING) for match in _LEADERS.finditer(text)] if is_table else []
    return Reflowed(text, tuple(_apart(sorted([*breaks, *leaders], key=lambda gap: (gap.start, gap.end)))))


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    blanks = 0
    for match in _LINE.finditer(text):
        said = match.group().strip()
        if said:
            start = match.start() + match.group().index(said)
            lines.append(_Line(start, start + len(said), said, blanks))
            blanks = 0
        elif match.group():
            blanks += 1
    return lines


def _blank_start(lines: Sequence[_Line]) -> Iterator[Gap]:
    """Gaps for blank lines before the first line with text."""
    if lines and lines[0].blanks:
        yield Gap(0, lines[0].start, "")


def _breaks(lines: Sequence[_Line]) -> Iterator[Gap]:
    """One gap between any two lines of a table that is set line by line."""
    padding = _padding(lines)
    for position, (before, line) in enumerate(pairwise(lines), start=1):
        yield Gap(before.end, line.start, _between(before, line, is_padding=line.blanks == padding[position]))


def _between(before: _Line, line: _Line, *, is_padding: bool) -> str:
    if not line.is_cell:
        goes_on = not line.blanks and not before.is_cell and _goes_on(before.text, line.text)
        return " " if goes_on else "\n"
    if line.blanks and not is_padding:
        return CELLS + CELLS.join([BLANK_CELL] * line.blanks) + CELLS
    if _completes(before.text, line.text):
        return ""
    return " " if before.text.endswith(",") else CELLS


def _padding(lines: Sequence[_Line]) -> list[int]:
    """For each line, the number of meaningless blank lines before it: as many as precede every cell of its row.

    In a row of one cell this is unknown, so that a blank line there may be an empty cell."""
    padding = [0] * len(lines)
    for is_row, places in groupby(range(len(lines)), key=lambda place: lines[place].is_cell):
        row = list(places) if is_row else []
        cells = [place for place in row if place and not _completes(lines[place - 1].text, lines[place].text)]
        blanks = {lines[place].blanks for place in cells}
        if len(cells) > 1 and len(blanks) == 1:
            for place in cells:
                padding[place] = lines[place].blanks
    return padding


def _completes(before: str, line: str) -> bool:
    """Whether a cell is only a part of the one before, as a number after its currency, and a % after a number."""
    return _CURRENCY.search(before) is not None or _CLOSING.fullmatch(line) is not None


def _fewer_blanks(lines: Sequence[_Line]) -> Iterator[Gap]:
    """Gaps that leave one blank line for several in prose."""
    for before, line in pairwise(lines):
        if line.blanks > 1:
            yield Gap(before.end, line.start, "\n\n")


def _goes_on(before: str, line: str) -> bool:
    return _GOES_ON.match(line) is not None and _ENDED.search(before) is None


def _apart(gaps: Sequence[Gap]) -> Iterator[Gap]:
    """Adjacent gaps merged into one: leaders at the end of a line give way to the gap between the lines."""
    pending: Gap | None = None
    for gap in gaps:
        if pending is None:
            pending = gap
        elif gap.start > pending.end:
            yield pending
            pending = gap
        else:
            shown = pending.shown if gap.shown == _LEADING else gap.shown
            pending = Gap(pending.start, max(pending.end, gap.end), shown)
    if pending is not None:
        yield pending
