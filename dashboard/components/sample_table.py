"""A table of samples in an order that one chooses; choosing a row opens the sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from hcat.core.calibration.conformal.level_sets import decision_title
from hcat.core.display.numbers import format_count
from hcat.core.opened.sample_filter import SampleFacts
from hcat.core.records.project import RunInfo
from hcat.core.refusals.state import TITLES
from hcat.core.types import Sample
from hcat.dashboard.capabilities.weaknesses.loader import ids_by_value, values
from hcat.dashboard.components.pickers import metric_direction, metric_title
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.loaders.runs import answer_state_of, scores, some_samples

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ButtonColumnResult, ColumnConfig

SHOWN_CHARACTERS = 160
CHARACTER_WIDTH, NARROWEST_ID, WIDEST_ID = 7.5, 90, 220
"""Pixels: ids are read whole, unless they would take the room of the texts."""
WORST, BEST, IMPORTED = "Score, worst first", "Score, best first", "As imported"
BY_COLUMN: Mapping[str, Callable[[SampleFacts, Sequence[str]], Sequence[str]]] = {
    "Sample": lambda _, sample_ids: sample_ids,
    "Label": lambda facts, sample_ids: list(map(facts.label, sample_ids)),
    "Prediction": lambda facts, sample_ids: facts.decided(sample_ids),
}
BY_TEXT: Mapping[str, Callable[[Sample], str]] = {
    "Query": lambda sample: sample.query.casefold(),
    "Answer": lambda sample: (sample.answer or "").casefold(),
}
"""Sort keys of the columns other than the score and the state."""
STATE = "State"
MOST_SORTED_TEXTS = 100_000
"""Larger runs are not sorted by their texts, all of which would have to be read."""
MOST_ROWS = 500
"""Of a longer list a part is shown at a time: no more rows than these go to the browser, and no more texts are read."""


def sorts(run: RunInfo) -> tuple[str, ...]:
    """Keys by which the samples of a run can be sorted."""
    by_text = BY_TEXT if run.n <= MOST_SORTED_TEXTS else ()
    return (WORST, BEST, *BY_COLUMN, *by_text, STATE, IMPORTED)


def ordered_ids(run: RunInfo, sample_ids: list[str], metric: str, *, best_first: bool = False) -> list[str]:
    """The ids with the worst score first and the unscored last; by length where neither way is better."""
    ascending = (metric_direction(metric, scores(run)) != "lower") != best_first
    if len(sample_ids) == run.n:
        return list(ids_by_value(run, metric, ascending=ascending))
    scored = values(run, metric).reindex(sample_ids)
    return list(map(str, scored.sort_values(ascending=ascending, kind="stable").index.to_numpy()))


def sorted_ids(run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts, *, by: str) -> list[str]:
    """The ids in one of the orders of `sorts`; those that are alike keep the order of the run."""
    if by in (WORST, BEST):
        return ordered_ids(run, sample_ids, metric, best_first=by == BEST)
    if by == STATE:
        states = answer_state_of(run)
        return sorted(sample_ids, key=lambda sample_id: TITLES[states[sample_id]])
    if by in BY_TEXT:
        text_of = {sample.id: BY_TEXT[by](sample) for sample in facts.each_of(sample_ids)}
        return sorted(sample_ids, key=text_of.__getitem__)
    if by in BY_COLUMN:
        keys = BY_COLUMN[by](facts, sample_ids)
        return [sample_ids[place] for place in sorted(range(len(keys)), key=keys.__getitem__)]
    return sample_ids


def sample_table(run: RunInfo, sample_ids: list[str], metric: str, *, key: str, height: int = 260) -> str | None:
    """The samples as rows in this order; gives the id of the chosen one. Texts are shown as text."""
    sample_ids = part_of_list(sample_ids, key=key)
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
    """The same with labels and predictions; returns the chosen sample, and the column whose head was clicked. The table
    does not sort itself, so that the page's "Next" follows the order on screen."""
    sample_ids = part_of_list(sample_ids, key=key)
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


def part_of_list(sample_ids: list[str], *, key: str) -> list[str]:
    """As many of the ids as a table shows at a time; where there are more, a field says which."""
    parts = -(-len(sample_ids) // MOST_ROWS)
    if parts < 2:
        return sample_ids
    part = st.number_input(
        f"Part of the list, 1 to {parts:,}",
        1,
        parts,
        key=f"part-{key}",
        width=260,
        help=f"{format_count(len(sample_ids))} samples in this order, {MOST_ROWS} in each part.",
    )
    return sample_ids[(part - 1) * MOST_ROWS : part * MOST_ROWS]


def _rows(run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts | None) -> pd.DataFrame:
    by_id, states = some_samples(run, sample_ids), answer_state_of(run)
    judged = {}
    if facts is not None:
        judged["Label"] = [facts.label(sample_id) for sample_id in sample_ids]
        if facts.decisions is not None:
            judged["Prediction"] = list(map(decision_title, facts.decided(sample_ids)))
    return pd.DataFrame(
        {
            "Sample": sample_ids,
            metric_title(metric): values(run, metric).reindex(sample_ids).to_numpy(),
            **judged,
            "Query": [_short(by_id[sample_id].query) for sample_id in sample_ids],
            "State": [TITLES[states[sample_id]] for sample_id in sample_ids],
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
