"""The groups behind each number; choosing one opens its samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import pandas as pd
import streamlit as st

from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.group_rows import GroupRow, group_rows
from hcat.core.display.numbers import counted
from hcat.core.records.project import RunInfo
from hcat.core.types import Sample
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.selection import SampleSelection

KINDS: Mapping[str, Callable[[GroupRow], bool]] = {
    "All": lambda row: True,  # noqa: ARG005
    "Gap: nothing right": lambda row: row.kind == "gap",
    "Robust: all right": lambda row: row.kind == "robust",
    "Non-robust: some right": lambda row: row.kind == "non-robust",
    "Wrong by the language model": lambda row: "language_model" in row.modules,
    "Wrong by retrieval": lambda row: "retrieval" in row.modules,
    "Wrong, undecided": lambda row: "undecided" in row.modules,
    "Right without the document": lambda row: row.without_document > 0,
}


def group_table(
    runs: Mapping[str, RunInfo],
    parts: Mapping[str, tuple[RunInfo, Sequence[Sample]]],
    answers: Mapping[str, GroupedAnswers],
) -> None:
    """Which groups a number counts, worst first."""
    st.subheader("Groups behind the numbers")
    left, right = st.columns([1, 2])
    name = left.selectbox("Run", list(parts), key="grammar-part")
    kind = right.selectbox("Groups", list(KINDS), key="grammar-kind")
    run, some = parts[name]
    rows = [row for row in group_rows(some, answers[name]) if KINDS[kind](row)]
    rows.sort(key=lambda row: (row.right / row.n, row.group))
    if not rows:
        st.info("No group is of this kind.")
        return
    st.caption(f"{counted(len(rows), 'group')}. Select a row to open its samples.")
    frame = pd.DataFrame(
        [(row.kind, f"{row.right} of {row.n}", row.query, row.reference, row.without_document) for row in rows],
        columns=["Kind", "Right", "First query", "Right answer", "Right without document"],
    )
    event = selectable_table(
        frame,
        hide_index=True,
        selection_mode="single-row",
        key=f"grammar-groups-{name}-{kind}",
        alt="Semantic groups with their right answers",
    )
    chosen = cast("dict[str, dict[str, list[int]]]", event).get("selection", {}).get("rows", [])
    if chosen:
        st.session_state["next-run"] = runs[run.name].name
        open_samples(SampleSelection(sample_ids=rows[chosen[0]].sample_ids), run=run)
