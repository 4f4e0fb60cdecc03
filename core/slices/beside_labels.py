"""The pass rate by labels of each slice next to its score, and the slices where the two point in opposite
directions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hcat.core.slices.table import WeaknessTable
from hcat.core.slices.verdicts import INSUFFICIENT, POSSIBLE, SHOWN
from hcat.core.types import Verdict

if TYPE_CHECKING:
    import pandas as pd

OBSERVED, DISAGREEMENT_SHOWN = "observed", "shown"
"""Disagreement of a slice that scores worse but passes more by labels than the rest: observed in the labelled samples,
or with q as small as a verdict requires. "" elsewhere, and where too few samples have labels."""
DISAGREEMENT = Verdict(
    name="score and labels disagree",
    words=(DISAGREEMENT_SHOWN,),
    claim="People pass more answers of the slice than of the rest, though its score is worse.",
    error=0.05,
    family="all slices of a metric in one table",
    decides="hcat.core.slices.beside_labels:beside_labels",
    carried_by="hcat.core.capabilities.weaknesses.wording:disagreement_sentence",
)
_SLICE = ["dimension_1", "level_1", "dimension_2", "level_2"]
_FROM_LABELS = {
    "mean": "label_pass_rate",
    "low": "label_low",
    "high": "label_high",
    "labels": "labels",
    "disagreement": "disagreement",
}


def beside_labels(table: WeaknessTable, by_labels: WeaknessTable) -> WeaknessTable:
    """The table of a metric with the rates of `by_labels`, a table of the pass rate by labels over the same slices."""
    if not len(table.frame):
        return table
    rates = by_labels.frame.assign(disagreement=_higher(by_labels.frame, q=by_labels.settings.q))
    wanted = rates[[*_SLICE, *_FROM_LABELS]].rename(columns=_FROM_LABELS)
    own = table.frame.drop(columns=list(_FROM_LABELS.values()))
    merged = own.merge(wanted, on=_SLICE, how="left")[list(table.frame.columns)]
    merged["disagreement"] = merged["disagreement"].where(merged["verdict"].isin([*SHOWN, *POSSIBLE]), "").fillna("")
    return replace(table, frame=merged.astype(table.frame.dtypes))


def _higher(frame: pd.DataFrame, *, q: float) -> list[str]:
    """Whether each slice passes more by labels than the rest, and how sure that is: one of the two words, or ""."""
    tested = frame["verdict"] != INSUFFICIENT
    rows = zip(tested & (frame["difference"] > 0), frame["q"] <= q, strict=True)
    return [DISAGREEMENT_SHOWN if more and sure else OBSERVED if more else "" for more, sure in rows]
