"""Cells of tables with a header row, as in CSV files and tables of documents: the value of a column for a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hcat.core.records.passages import CorpusPassage

_MOST_NAME_WORDS, _MOST_COLUMN_WORDS, _MOST_VALUE_WORDS = 7, 6, 8
_SEPARATOR = " | "
_PLAIN = re.compile(r"[A-Za-z][\w '’/&%-]*\Z")
_EMPTY = frozenset({"", "-", "–", "—", "n/a", "none", "nan", "null", "?"})


@dataclass(frozen=True, slots=True)
class GridFact:
    """A cell: the row's name, the column's label, the value; `others` are the different values of its column."""

    name: str
    column: str
    value: str
    others: tuple[str, ...]
    start: int
    end: int


def grid_facts(passage: CorpusPassage) -> tuple[GridFact, ...]:
    """The cells of a piece of a table whose first column names its rows, each name once."""
    columns = [label.strip() for label in passage.header.split(_SEPARATOR)]
    if len(columns) < 2 or not all(_is_column(label) for label in columns):
        return ()
    rows = [row for row in _rows(passage) if len(row[0]) == len(columns)]
    names = Counter(cells[0] for cells, _, _ in rows)
    if any(count > 1 or not _is_name(name) for name, count in names.items()):
        return ()
    return tuple(_cells(columns, rows))


def _rows(passage: CorpusPassage) -> Iterator[tuple[list[str], int, int]]:
    start = 0
    for place, line in enumerate(passage.text.split("\n")):
        if place and line.strip():
            yield [cell.strip() for cell in line.split(_SEPARATOR)], start, start + len(line)
        start += len(line) + 1


def _cells(columns: list[str], rows: list[tuple[list[str], int, int]]) -> Iterator[GridFact]:
    for cells, start, end in rows:
        for place in range(1, len(columns)):
            value = cells[place]
            if value.lower() in _EMPTY or len(value.split()) > _MOST_VALUE_WORDS:
                continue
            values = dict.fromkeys(other[place] for other, _, _ in rows)
            others = tuple(text for text in values if text != value and text.lower() not in _EMPTY)
            yield GridFact(cells[0], columns[place], value, others, start, end)


def _is_column(label: str) -> bool:
    return bool(_PLAIN.match(label)) and len(label.split()) <= _MOST_COLUMN_WORDS


def _is_name(name: str) -> bool:
    return len(name.split()) <= _MOST_NAME_WORDS and any(map(str.isalpha, name))
