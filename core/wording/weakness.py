"""What was tested of slices, and what was found of one, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.display.numbers import format_difference, format_estimate, format_p_value
from core.types import Estimate
from core.weakness.table import FINE, INSUFFICIENT, WeaknessTable

if TYPE_CHECKING:
    import pandas as pd


def slice_sentence(row: pd.Series) -> str:
    """The verdict on a slice, a row of the table, with its mean and its difference from the rest."""
    estimate = Estimate(float(row["mean"]), float(row["low"]), float(row["high"]), int(row["n"]))
    text = f"**{str(row['verdict']).capitalize()}** · mean {format_estimate(estimate)}"
    if row["verdict"] == INSUFFICIENT or math.isnan(float(row["q"])):
        return text + " · too few samples to compare with the rest"
    shown = "" if row["verdict"] != FINE else ", which says only that it is not shown to be weak"
    against = f"{format_difference(float(row['difference']))} from the rest · q = {format_p_value(float(row['q']))}"
    return f"{text} · {against}{shown}"


def table_sentence(table: WeaknessTable, metric: str) -> str:
    """The value of the whole run, how many slices were tested, and what each verdict takes."""
    settings = table.settings
    return (
        f"Whole run: {format_estimate(settings.overall[metric])}, {settings.unscored[metric]} unscored. "
        f"{settings.n_tests} slices tested; *weak*: worse than the rest with q ≤ {settings.q:g} "
        f"(Benjamini–Hochberg over all of them); *watch*: p ≤ 0.05 only; below n = {settings.minimum_n} "
        "the evidence is insufficient and nothing is tested."
        + (
            " Samples that depend on one another are one cluster: evidence is counted in clusters."
            if _has_clusters(table)
            else ""
        )
        + (f" Intervals carry the calibration's own error ({settings.refits} refits)." if settings.refits else "")
    )


def _has_clusters(table: WeaknessTable) -> bool:
    return bool((table.frame["cases"] < table.frame["n"]).any())
