"""All slices in one list, the weakest first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_p_value
from hcat.core.records.project import RunInfo
from hcat.core.weakness.same_samples import with_other_names
from hcat.core.weakness.slices import row_slice
from hcat.core.weakness.table import ranked
from hcat.core.wording.weakness import label_rate_text, slice_names
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.loaders.slices import slices_in_view
from hcat.dashboard.panels.weaknesses.beside import beside
from hcat.dashboard.panels.weaknesses.slice_panel import slice_panel
from hcat.dashboard.panels.weaknesses.table_note import table_note

COLUMNS = {
    "Mean": "Mean score of the slice.",
    "Low": "Lower end of the 95% interval of the mean.",
    "High": "Upper end of the 95% interval of the mean.",
    "Difference": "Mean of the slice minus the mean of all other samples.",
    "Effect (g)": "Hedges' g: the difference divided by the standard deviation within slice and rest.",
    "Shrunken": "The mean, pulled towards the mean of the whole run: the fewer the samples, the more. Within a "
    "verdict, slices are ranked by it, so that a small one does not lead by chance.",
    "Selected, low": "Lower end of the 95% interval of a weak slice's mean, wider since the slice was picked (false "
    "coverage rate).",
    "Selected, high": "Upper end of the same interval.",
}
Q_VALUE = "The p-value of the difference (permutation test), adjusted for all slices tested (Benjamini–Hochberg)."


def ranked_panel(run: RunInfo, metric: str, by: list[str]) -> None:
    """All slices of all chosen dimensions and their pairs, the weakest first; one row where several hold the same
    samples."""
    table = slices_in_view(run, [metric], by)
    beside(run, metric, table)
    table_note(run, table, metric)
    rows = with_other_names(ranked(table))
    slices = [row_slice(row) for _, row in rows.iterrows()]
    shown = pd.DataFrame(
        {
            "Slice": [slice_names(row) for _, row in rows.iterrows()],
            "Verdict": rows["verdict"],
            "n": rows["n"],
            "Mean": rows["mean"],
            "Low": rows["low"],
            "High": rows["high"],
            "Pass rate by labels": [label_rate_text(row) for _, row in rows.iterrows()],
            "Difference": rows["difference"],
            "q": [format_p_value(q) for q in rows["q"]],
            "Effect (g)": rows["effect"],
            "Shrunken": rows["shrunken"],
            "Selected, low": rows["selected_low"],
            "Selected, high": rows["selected_high"],
        }
    )
    if not any(shown["Pass rate by labels"]):
        shown = shown.drop(columns="Pass rate by labels")
    event = selectable_table(
        shown,
        key=f"ranked-{metric}",
        hide_index=True,
        selection_mode="single-row",
        height=420,
        column_config={
            "q": st.column_config.TextColumn(help=Q_VALUE),
            **{name: st.column_config.NumberColumn(format="%.3f", help=meaning) for name, meaning in COLUMNS.items()},
        },
        alt="All slices, the weakest first",
    )
    if event.selection.rows:
        position = event.selection.rows[0]
        slice_panel(run, table, metric, slices[position], rows.iloc[position])
    else:
        st.caption("Select a row to see the samples of its slice.")
