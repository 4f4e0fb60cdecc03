"""Widths of the columns of a printed table, and the size of its letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.view.renderers.pdf.pieces import Piece

PAGE_WIDTH, PAGE_HEIGHT = 493.0, 722.0
"""Points between the margins of a page, upright and on its side."""

SIZES = (9.0, 8.2, 7.6, 7.0)
LETTER, PADDING = 0.52, 7.5
"""The mean width of a letter as a part of its size, and the space around a column's text in points."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """`widths` and `size` are in points, a width a column; `sideways` asks for a page of its own, on its side."""

    widths: list[float]
    size: float
    sideways: bool


def table_layout(rows: Sequence[Sequence[Sequence[Piece]]]) -> TableLayout:
    """The largest letters at which each word has its place; on a page on its side where there are none upright.

    `rows` are those of the table with its head, each cell as pieces. Columns get what their longest word needs, and of
    the rest what their longest text asks for.
    """
    texts = [["".join(map(str, _flat(cell))) for cell in column] for column in zip(*rows, strict=True)]
    most = [max(map(len, column), default=1) + 1.0 for column in texts]
    least = [max((_longest_word(cell) for cell in column), default=1) + 1.0 for column in zip(*rows, strict=True)]
    for page, sideways in ((PAGE_WIDTH, False), (PAGE_HEIGHT, True)):
        for size in SIZES:
            letters = (page - PADDING * len(most)) / (LETTER * size)
            if sum(least) <= letters:
                return TableLayout(_widths(most, least, letters, LETTER * size), size, sideways)
    return TableLayout(_widths(least, least, sum(least), LETTER * SIZES[-1]), SIZES[-1], True)


def _widths(most: list[float], least: list[float], letters: float, letter: float) -> list[float]:
    if sum(most) <= letters:
        shares = most
    else:
        # Long texts ask for more by the root of their length, else one column of sentences would starve the others.
        wishes = [(large - small) ** 0.5 for large, small in zip(most, least, strict=True)]
        spare, asked = letters - sum(least), sum(wishes) or 1.0
        shares = [small + spare * wish / asked for small, wish in zip(least, wishes, strict=True)]
    return [round(share * letter + PADDING, 1) for share in shares]


def _longest_word(cell: Sequence[Piece]) -> int:
    return max((len(word) for chunk in _flat(cell) for word in chunk.split(" ")), default=0)


def _flat(cell: Sequence[Piece]) -> list[str]:
    return [chunk for piece in cell for chunk in piece.strings]
