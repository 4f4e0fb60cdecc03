"""The family of slices that are tested together, whichever part of it is shown, and the part that is frozen with a
finding."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from hcat.core.slices.table import WeaknessTable, judged
from hcat.core.slices.verdicts import SHOWN, of_today
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import pandas as pd


PLANNED = 0.8
"""The part of the error that the planned dimensions of a run have; all others together have the rest."""


def as_planned(table: WeaknessTable) -> WeaknessTable:
    """A table over the planned dimensions, whose q leaves a part of the error to all others."""
    return judged(table.frame, dataclasses.replace(table.settings, share=PLANNED))


def shown_slices(
    planned: WeaknessTable, others: WeaknessTable | None, by: Sequence[str], *, outside: int
) -> WeaknessTable:
    """The slices of the dimensions `by`. Those of the planned dimensions have the q-values of their family; `others`, a
    table over more dimensions, adds those outside the plan, of which the run has `outside`. Each of these, and each
    pair of them, is a family, and all such families that there could be share what the plan leaves of the error: so no
    q depends on what else is in view, and plan and others err together as often as one family."""
    import pandas as pd

    found = as_planned(planned)
    frame, settings = found.frame, found.settings
    if others is not None:
        names = [name for name in others.settings.by if name not in settings.by]
        left, families = 1 - PLANNED, outside * (outside + 1) / 2
        own = dataclasses.replace(others.settings, share=left / outside, pair_share=left / families)
        parts = [judged(rows, own) for rows in _by_outside(others.frame, names)]
        frame = pd.concat([frame, *(part.frame for part in parts)], ignore_index=True)
        settings = dataclasses.replace(
            settings,
            by=(*settings.by, *names),
            n_tests=settings.n_tests + sum(part.settings.n_tests for part in parts),
            outside=outside,
        )
    inside = frame["dimension_1"].isin(by) & (frame["dimension_2"].isna() | frame["dimension_2"].isin(by))
    return WeaknessTable(frame[inside].reset_index(drop=True), settings)


def _by_outside(frame: pd.DataFrame, outside: Sequence[str]) -> list[pd.DataFrame]:
    """The rows that involve a dimension outside the plan, apart by which they involve."""
    firsts = frame["dimension_1"].where(frame["dimension_1"].isin(outside), "")
    seconds = frame["dimension_2"].where(frame["dimension_2"].isin(outside), "")
    involved = firsts + "\0" + seconds.where(firsts != seconds, "")
    names = [key for key in dict.fromkeys(involved) if key != "\0"]
    return [frame[involved == key].reset_index(drop=True) for key in names]


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
        "share": settings.share,
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
