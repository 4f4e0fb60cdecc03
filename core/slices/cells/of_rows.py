"""The samples of the rows of a weakness table: the cell of each sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Codes
from hcat.core.records.samples.columns import Levels

if TYPE_CHECKING:
    import pandas as pd

_Row = tuple[int, str, str, str | None, str | None]


def cells_of_rows(
    levels: Mapping[str, Levels], frame: pd.DataFrame
) -> Iterator[tuple[Codes, int, list[tuple[int, int]]]]:
    """The cells of the samples and of the rows of a table, for each of its dimensions or pairs of dimensions. These are
    the cell of each sample (n,), −1 for none; the number of cells; and the rows of the table with the number of each
    row's cell, without rows that no sample can be in."""
    for (one, two), rows in groupby(sorted(_rows(frame), key=_dimensions), key=_dimensions):
        codes, cells = _cells(levels[one], levels[two] if two else None)
        places = [(row, cells.get((first, second))) for row, _, first, _, second in rows]
        yield codes, len(cells), [(row, place) for row, place in places if place is not None]


def _rows(frame: pd.DataFrame) -> Iterator[_Row]:
    names = ("dimension_1", "level_1", "dimension_2", "level_2")
    for row, (one, level, two, other) in enumerate(zip(*(frame[name].tolist() for name in names), strict=True)):
        paired = isinstance(two, str) and isinstance(other, str)
        yield row, one, level, two if paired else None, other if paired else None


def _dimensions(row: _Row) -> tuple[str, str]:
    return row[1], row[3] or ""


def _cells(one: Levels, two: Levels | None) -> tuple[Codes, dict[tuple[str, str | None], int]]:
    """The number of each sample's cell, −1 for none, and that of each level or pair of levels."""
    if two is None:
        return one.codes.astype(np.intp), {(level, None): place for place, level in enumerate(one.names)}
    count = len(two.names)
    joint = one.codes.astype(np.intp) * count + two.codes
    cells: dict[tuple[str, str | None], int] = {}
    for number, level in enumerate(one.names):
        cells |= {(level, other): number * count + place for place, other in enumerate(two.names)}
    return np.where((one.codes < 0) | (two.codes < 0), -1, joint), cells
