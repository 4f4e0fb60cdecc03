"""The order of the levels of a dimension in figures: decided here for pages and reports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hcat.core.slices.slices import MISSING, OTHER
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd

_LEADING_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def levels_in_order(table: WeaknessTable, dimension: str, *, among: Iterable[str] | None = None) -> tuple[str, ...]:
    """The levels of a dimension in its own order, which is that of the table's rows.

    Ranges increase, names are sorted, "(other)" and "(none)" come last. `among` leaves only these."""
    frame = table.frame
    marginal = frame[(frame["dimension_1"] == dimension) & frame["dimension_2"].isna()]
    levels = dict.fromkeys(str(level) for level in marginal["level_1"])
    kept = set(levels) if among is None else set(among)
    return tuple(level for level in levels if level in kept) + tuple(sorted(kept - set(levels)))


def are_ranges(levels: Sequence[str]) -> bool:
    """Whether the levels are numbers or ranges in increasing order, such as "7–23 words", "24–31 words"."""
    starts = [_LEADING_NUMBER.match(level) for level in levels if level not in (MISSING, OTHER)]
    numbers = [float(start[0]) for start in starts if start is not None]
    return len(numbers) == len(starts) > 1 and all(one < two for one, two in pairwise(numbers))


def row_mean(row: pd.Series) -> Estimate:
    """The mean of a row of a weakness table."""
    return Estimate(float(row["mean"]), float(row["low"]), float(row["high"]), int(row["n"]))
