"""A table of samples in an order that one chooses; choosing a row opens the sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.analysis.sample_filter import SampleFacts
from core.calibration.conformal.level_sets import decision_title
from core.records.project import RunInfo
from core.refusals.state import TITLES, answer_state
from dashboard.components.pickers import metric_direction, metric_title
from dashboard.components.tables import selectable_table
from dashboard.loaders.runs import samples, scores
from dashboard.loaders.slices import values

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ButtonColumnResult, ColumnConfig

SHOWN_CHARACTERS = 160
CHARACTER_WIDTH, NARROWEST_ID, WIDEST_ID = 7.5, 90, 220
"""Pixels: ids are read whole, unless they would take the room of the texts."""
WORST, BEST, IMPORTED = "Score, worst first", "Score, best first", "As imported"
BY_COLUMN: Mapping[str, Callable[[SampleFacts, str], str]] = {
    "Sample": lambda _, sample_id: sample_id,
    "Label": lambda facts, sample_id: facts.label(sample_id),
    "Prediction": lambda facts, sample_id: facts.decisions.get(sample_id, ""),
    "State": lambda facts, sample_id: TITLES[answer_state(facts.samples[sample_id])],
    "Query": lambda facts, sample_id: facts.samples[sample_id].query.casefold(),
    "Answer": lambda facts, sample_id: (facts.samples[sample_id].answer or "").casefold(),
}
"""What the columns other than the score sort by."""
SORTS = (WORST, BEST, *BY_COLUMN, IMPORTED)


def ordered_ids(run: RunInfo, sample_ids: list[str], metric: str, *, best_first: bool = False) -> list[str]:
    """The ids with the worst score first and the unscored last; by length where neither way is better."""
    scored = values(run, metric).reindex(sample_ids)
    ascending = (metric_direction(metric, scores(run)) != "lower") != best_first
    return [str(sample_id) for sample_id in scored.sort_values(ascending=ascending, kind="stable").index]


def sorted_ids(run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts, *, by: str) -> list[str]:
    """The ids in one of `SORTS`; those that are alike keep the order of the run."""
    if by in (WORST, BEST):
        return ordered_ids(run, sample_ids, metric, best_first=by == BEST)
    if by in BY_COLUMN:
        return sorted(sample_ids, key=lambda sample_id: BY_COLUMN[by](facts, sample_id))
    return sample_ids


def sample_table(run: RunInfo, sample_ids: list[str], metric: str, *, key: str, height: int = 260) -> str | None:
    """The samples as rows in this order; gives the id of the chosen one. Texts are shown as text."""
    rows = _rows(run, sample_ids, metric, None)
    event = selectable_table(
        rows,
        key=key,
        height=height,
        hide_index=True,
        selection_mode="single-row",
        column_config=_columns(metric, sample_ids),
        alt="Samples with their scores, worst first",
    )
    chosen = event.selection.rows
    return sample_ids[chosen[0]] if chosen else None


def sortable_table(
    run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts, *, key: str, height: int
) -> tuple[str | None, str | None]:
    """The same with labels and predictions; gives the chosen sample, and the column whose head was clicked: the table
    does not sort itself, so that the page's "Next" goes by what is on screen."""
    event = selectable_table(
        _rows(run, sample_ids, metric, facts),
        key=key,
        height=height,
        hide_index=True,
        selection_mode=("single-row", "single-column"),
        column_config=_columns(metric, sample_ids),
        alt="Samples with their scores and labels, in the order chosen above",
    )
    chosen, heads = event.selection.rows, event.selection.columns
    return sample_ids[chosen[0]] if chosen else None, str(heads[0]) if heads else None


def _rows(run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts | None) -> pd.DataFrame:
    by_id = samples(run)
    judged = {}
    if facts is not None:
        judged["Label"] = [facts.label(sample_id) for sample_id in sample_ids]
        if facts.decisions:
            judged["Prediction"] = [decision_title(facts.decisions.get(sample_id, "")) for sample_id in sample_ids]
    return pd.DataFrame(
        {
            "Sample": sample_ids,
            metric_title(metric): values(run, metric).reindex(sample_ids).to_numpy(),
            **judged,
            "Query": [_short(by_id[sample_id].query) for sample_id in sample_ids],
            "State": [TITLES[answer_state(by_id[sample_id])] for sample_id in sample_ids],
            "Answer": [_short(by_id[sample_id].answer) for sample_id in sample_ids],
        }
    )


def _columns(metric: str, sample_ids: Sequence[str]) -> dict[str, ColumnConfig | ButtonColumnResult | str | None]:
    longest = 16 + int(CHARACTER_WIDTH * max(map(len, sample_ids), default=0))
    return {
        "Sample": st.column_config.TextColumn(width=min(WIDEST_ID, max(NARROWEST_ID, longest)), pinned=True),
        metric_title(metric): st.column_config.NumberColumn(format="%.3f", width=140),
        "Label": st.column_config.TextColumn(width=100, help="What people say; “tie” where they are not agreed."),
        "Prediction": st.column_config.TextColumn(width=110, help="By the calibration saved last."),
        "Query": st.column_config.TextColumn(width="large"),
    }


def _short(text: str | None) -> str:
    if text is None:
        return "(no answer)"
    single = " ".join(text.split())
    return single if len(single) <= SHOWN_CHARACTERS else single[: SHOWN_CHARACTERS - 1] + "…"
