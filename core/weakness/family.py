"""What was tested together: the tables somebody looked at as one family of tests, and what of it is frozen."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from core.types import JsonValue
from core.weakness.table import WeaknessTable, combine
from core.weakness.verdicts import SHOWN, of_today

if TYPE_CHECKING:
    import pandas as pd


def family_table(tables: Sequence[WeaknessTable], *, metric: str, by: Sequence[str]) -> WeaknessTable:
    """The slices of one metric and of these dimensions, with q-values and verdicts over all tables; a slice that
    several of them test counts once."""
    whole = combine(tables)
    frame = whole.frame
    inside = frame["dimension_1"].isin(by) & (frame["dimension_2"].isna() | frame["dimension_2"].isin(by))
    return dataclasses.replace(whole, frame=frame[inside & (frame["metric"] == metric)].reset_index(drop=True))


def frozen_statistics(table: WeaknessTable, row: pd.Series, *, looked_at: datetime) -> dict[str, JsonValue]:
    """A row of the table as plain values, with the family that its q accounts for and when it was looked at."""
    settings = table.settings
    statistics: dict[str, JsonValue] = json.loads(row.to_json())
    family: dict[str, JsonValue] = {
        "metrics": list(settings.overall),
        "dimensions": list(settings.by),
        "pairs": settings.pairs,
        "slices_tested": settings.n_tests,
        "minimum_n": settings.minimum_n,
        "q": settings.q,
        "weak": int(table.frame["verdict"].isin(SHOWN).sum()),
        "looked_at": looked_at.isoformat(),
    }
    return {**statistics, "family": family}


def frozen_verdict(statistics: Mapping[str, JsonValue]) -> str:
    """The verdict on a frozen slice in the words of today; "" where there is none."""
    difference = statistics.get("difference")
    rose = isinstance(difference, int | float) and difference > 0
    direction = "lower" if rose and statistics.get("verdict") in ("weak", "watch") else "higher"
    return of_today(str(statistics.get("verdict") or ""), basis=str(statistics.get("basis") or ""), direction=direction)
