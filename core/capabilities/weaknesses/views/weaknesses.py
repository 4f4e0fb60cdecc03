"""Slices of a run compared with the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite, nan
from typing import TYPE_CHECKING

from hcat.core.capabilities.weaknesses.wording import label_rate_text, slice_names
from hcat.core.display.messages import say
from hcat.core.figures.heatmap import WeaknessHeatmap
from hcat.core.refusals.state import REFUSALS
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable
from hcat.core.slices.verdicts import LABELS, METRIC, PEOPLE
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Column, Kind, Quantity, Table, Text, Value
from hcat.core.wording.slice_metrics import slice_metric_title

if TYPE_CHECKING:
    import pandas as pd

RESTS_ON = {PEOPLE: "labels", LABELS: "labels and metric", METRIC: "calibrated metric alone"}
"""Basis of the numbers of a slice."""
MACHINE = "verdicts of a machine"
SELECTED = ("selected_low", "selected_high")

NOTE = (
    "q is the p-value of the difference from the rest (permutation test; by PPI++ where labels correct a metric), "
    "adjusted for all slices tested (Benjamini and Hochberg). Effect (g) is Hedges' g: the difference divided by the "
    "standard deviation within slice and rest. Shrunken means are pulled towards the overall mean, more so for slices "
    "with fewer samples (empirical Bayes); within a verdict, slices are ranked by them, so that a small slice does not "
    "come first by chance. The selected interval of a slice that is shown to be worse allows for its having been "
    "picked (Benjamini and Yekutieli 2005). n counts samples with a score, or with a label where the rate is by labels."
)
REFUSALS_NOTE = "Refusals are correct / wrong / of unknown correctness."
APART = "(!): score and labels point in opposite directions."
MACHINE_NOTE = "The mean of a machine's verdicts is what the machine decided, and has no interval."
METRIC_ALONE = (
    "A value that rests on the calibrated metric alone is not corrected by labels: compare it with the rest by its "
    "difference, not with the rate of all samples."
)


def slices_table(table: WeaknessTable, rows: pd.DataFrame, *, title: str, note: Text = ()) -> Table:
    """These rows of the ranked table, with `note` and the meaning of the columns. Columns without any value are left
    out, as is the metric where all rows have the same."""
    kinds, several = {value_kind(metric) for metric in rows["metric"]}, rows["metric"].nunique() > 1
    kind: Kind = "share" if kinds == {"share"} else "estimate"

    def estimate(row: pd.Series, *names: str) -> Value:
        found, own = estimate_of(row, *names), value_kind(row["metric"])
        return found if found is None or own == kind else Quantity(found, own)

    def mean(row: pd.Series) -> Value:
        return estimate(row, "mean", *(() if row["metric"] in table.settings.machine else ("low", "high")))

    def basis(row: pd.Series) -> str:
        return say(MACHINE if row["metric"] in table.settings.machine else RESTS_ON.get(str(row["basis"]), "scores"))

    cells: tuple[tuple[Column, Callable[[pd.Series], Value]], ...] = (
        (column("Slice"), lambda row: slice_names(row) if "also" in row else row_slice(row).title),
        (column("Metric"), lambda row: slice_metric_title(row["metric"], table.settings.labels) if several else None),
        (column("Verdict", "verdict"), lambda row: str(row["verdict"])),
        (column("Value, 95% interval", kind), mean),
        (column("Rests on"), basis),
        (column("Pass rate by labels"), lambda row: label_rate_text(row) or None),
        (column("Unscored", "count"), lambda row: int(row["unscored"])),
        (column("Refusals"), _refusals),
        (column("Difference from the rest", "difference"), lambda row: number_of(row, "difference")),
        (column("q", "p-value"), lambda row: number_of(row, "q")),
        (column("Effect (g)", "difference"), lambda row: number_of(row, "effect")),
        (column("Shrunken, selected interval", kind), lambda row: estimate(row, "shrunken", *SELECTED)),
    )
    slices = [row for _, row in rows.iterrows()]
    given = [(head, [value(row) for row in slices]) for head, value in cells]
    shown = [(head, values) for head, values in given if not values or set(values) != {None}]
    columns, values = zip(*shown, strict=True)
    return Table(title, columns, tuple(zip(*values, strict=True)), (*note, " ".join(_notes(table, rows))))


def cells_table(data: WeaknessHeatmap, *, title: str, notes: Mapping[tuple[str, str], str]) -> Table:
    """The cells of a heatmap, worst first and those that were not compared last; `notes` state the view of people."""
    mean = column("Mean, 95% interval", "estimate")
    columns = (
        *(Column(data.dimension_1), Column(data.dimension_2 + " " * (data.dimension_2 == data.dimension_1))),
        column("Verdict", "verdict"),
        mean if data.against is None else column("Difference, 95% interval", "difference"),
        *(column("q", "p-value"), *([column("People")] if notes else [])),
    )
    rows = tuple(
        (
            *(cell.level_1, cell.level_2, cell.verdict),
            *(replace(cell.mean, low=nan, high=nan) if data.machine else cell.mean, cell.q),
            *([notes.get((cell.level_1, cell.level_2))] if notes else []),
        )
        for cell in (*data.worst_first, *(cell for cell in data.cells if cell.shade is None))
    )
    return Table(title, columns, rows)


def value_kind(metric: str) -> Kind:
    """Rates of passing read in percent."""
    return "share" if metric == CORRECTED or criterion_of(metric) is not None else "estimate"


def estimate_of(row: pd.Series, value: str, *ends: str) -> Estimate | None:
    """A value of a slice with the ends of its interval, where there are any; None where there is no value."""
    number = number_of(row, value)
    low, high = (number_of(row, end) for end in ends) if ends else (None, None)
    if number is None:
        return None
    return Estimate(number, nan if low is None else low, nan if high is None else high, int(row["n"]))


def number_of(row: pd.Series, name: str) -> float | None:
    """A number of a slice; None where there is none."""
    import pandas as pd

    value = row[name]
    return None if pd.isna(value) or not isfinite(value) else float(value)


def _refusals(row: pd.Series) -> str | None:
    """Number of answers that decline: correct, wrong, and of unknown correctness; None where that was not recorded."""
    counts = [number_of(row, state) for state in REFUSALS]
    return None if None in counts else " / ".join(f"{count:.0f}" for count in counts)


def _notes(table: WeaknessTable, rows: pd.DataFrame) -> list[str]:
    given = {
        NOTE: True,
        REFUSALS_NOTE: rows[list(REFUSALS)].notna().all(axis=1).any(),
        APART: (rows["disagreement"] != "").any(),
        MACHINE_NOTE: rows["metric"].isin(table.settings.machine).any(),
        METRIC_ALONE: (rows["basis"] == METRIC).any(),
    }
    return [say(text) for text, there in given.items() if there]
