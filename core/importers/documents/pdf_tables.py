"""Tables of a PDF, inferred from the positions of words: a PDF does not mark tables.

Consecutive lines whose pieces are in the same columns are a table. Others are read line by line: tables whose cells
have several lines, that have cells over several columns, or that the file stores column by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hcat.core.importers.documents.pdf_lines import Cell, Line

FEWEST_ROWS = 3
MOST_WORDS = 6
"""The most words of a cell on average: columns of running text have more."""
_ROW_GAP = 2.0
"""The largest distance of rows, in line heights."""


@dataclass(frozen=True, slots=True)
class PdfTable:
    """The cells of each row, "" for a missing one."""

    rows: tuple[tuple[str, ...], ...]
    page: int


def with_tables(lines: Sequence[Line]) -> Iterator[Line | PdfTable]:
    """The lines in order, with tables in the place of their rows."""
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].cells and (end == start or _is_below(lines[end - 1], lines[end])):
            end += 1
        rows = _rows([line.cells for line in lines[start:end]])
        if rows:
            yield PdfTable(rows, lines[start].page)
        else:
            end = max(end, start + 1)
            yield from lines[start:end]
        start = end


def _is_below(before: Line, line: Line) -> bool:
    height = max(before.height, line.height)
    return before.page == line.page and -height / 2 <= before.bottom - line.top <= _ROW_GAP * height


def _rows(lines: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    """The rows of a table; none if these lines are not one."""
    if len(lines) < FEWEST_ROWS:
        return ()
    cells = [cell for line in lines for cell in line]
    if sum(len(cell.text.split()) for cell in cells) > MOST_WORDS * len(cells):
        return ()
    columns = _columns(lines)
    places = [[_column_of(cell, columns) for cell in line] for line in lines]
    if not columns or any(None in of_line or len(set(of_line)) < len(of_line) for of_line in places):
        return ()
    texts = [dict(zip(of_line, line, strict=True)) for of_line, line in zip(places, lines, strict=True)]
    return tuple(tuple(row[number].text if number in row else "" for number in range(len(columns))) for row in texts)


def _columns(lines: Sequence[Sequence[Cell]]) -> list[tuple[float, float]]:
    """The range of each column, by the lines with most cells; none if columns overlap."""
    most = max(len(line) for line in lines)
    full = [line for line in lines if len(line) == most]
    columns = [
        (min(cell.left for cell in column), max(cell.right for cell in column)) for column in zip(*full, strict=True)
    ]
    apart = all(left[1] < right[0] for left, right in pairwise(columns))
    return columns if apart else []


def _column_of(cell: Cell, columns: Sequence[tuple[float, float]]) -> int | None:
    """The only column that the cell overlaps."""
    reached = [number for number, (left, right) in enumerate(columns) if cell.left <= right and cell.right >= left]
    return reached[0] if len(reached) == 1 else None
