"""Both stages of a run's retrieval: their recall, the ceiling between them, and the losses of each query."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.retrieval.view import retrieval_view
from hcat.core.metrics.funnel import RunFunnel, recall_curve
from hcat.core.metrics.retrieval import STAGE_1, STAGE_2
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.retrieval.chart import recall_chart
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.sample_table import part_of_list
from hcat.dashboard.components.tables import selectable_table, stop_page
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import funnel, retrieved_passages, some_samples

ALL, FOUND = "All", "All found"
LOSSES = {"Lost at stage 1": "Lost at 1", "Dropped at stage 2": "Dropped at 2", "Not in the contexts": "Missing"}
"""Losses by which queries are selected, and the column that counts each; without candidates only the last is known."""
SHOWN_CHARACTERS = 140


def required_funnel(run: RunInfo) -> RunFunnel:
    """The run's retrieval. Stops the page with a way forward where nothing is known to be relevant."""
    measured = funnel(run)
    if measured.funnels:
        return measured
    st.info(
        "No sample of this run says which passages are relevant, so retrieval can't be measured. Add `relevant_ids` "
        'to the run file, such as {"handbook#p2": 2}, with the ids that its contexts have, and import it again.'
    )
    link_to("runs", "Import a run", icon=":material/upload_file:")
    stop_page()


def measures_panel(run: RunInfo, measured: RunFunnel) -> None:
    """All measures of the two stages, and recall by rank."""
    _notes(run, measured)
    two_stages = measured.given > 0
    show_view(retrieval_view(measured), key="retrieval-measures", draw={})
    every = list(measured.funnels.values())
    figure = recall_chart(
        first=recall_curve([query.first for query in every if query.stage_1_given]) if two_stages else None,
        second=recall_curve([query.second for query in every], depth=STAGE_2[-1]),
        ceiling=measured.ceiling if two_stages else None,
        cutoffs=STAGE_2,
        dark=is_dark(),
    )
    still_chart(figure, "Mean recall by rank", key="recall")


def queries_panel(run: RunInfo, measured: RunFunnel) -> str | None:
    """Every query with found and lost passages, the worst first; returns the id of the chosen one."""
    st.subheader("Queries")
    rows = _query_rows(measured)
    masks = {
        ALL: rows["Relevant"] > 0,
        **{title: rows[column] > 0 for title, column in LOSSES.items() if column in rows},
        FOUND: rows["In contexts"] == rows["Relevant"],
    }
    view = st.segmented_control(
        "Show",
        list(masks),
        default=ALL,
        required=True,
        key="retrieval-view",
        format_func=lambda name: f"{name} ({int(masks[name].sum())})",
        label_visibility="collapsed",
    )
    chosen = rows[masks[view or ALL]]
    if chosen.empty:
        st.info("No query of this run matches.")
        return None
    shown = part_of_list(list(map(str, chosen["Sample"])), key=f"queries-{view}")
    by_id = some_samples(run, shown)
    chosen = chosen.set_index("Sample", drop=False).loc[shown].reset_index(drop=True)
    chosen.insert(0, "Query", [_short(by_id[sample_id].query) for sample_id in shown])
    event = selectable_table(
        chosen,
        key=f"queries-{view}",
        height=300,
        hide_index=True,
        selection_mode="single-row",
        column_config={
            name: st.column_config.NumberColumn(format="%.2f") for name in chosen.select_dtypes("float").columns
        }
        | {"Query": st.column_config.TextColumn(width=330)},
        alt="Queries with what retrieval found and lost, worst first",
    )
    place = event.selection.rows[0] if event.selection.rows else 0
    return str(chosen["Sample"].iloc[place])


def _notes(run: RunInfo, measured: RunFunnel) -> None:
    if measured.given == 0:
        st.info(
            "The run file has no stage-1 candidates, so only stage 2 (the contexts) is shown. To see "
            'both stages, give each sample the ids of its candidates in rank order as metadata: {"candidates": […]}.'
        )
    known = retrieved_passages(run)
    if not any(name in known for query in measured.funnels.values() for name in query.first.grades):
        st.warning("None of the relevant ids is the id of any context. Do both use the same passage names?")


def _query_rows(measured: RunFunnel) -> pd.DataFrame:
    k = STAGE_2[0]
    rows = [
        {
            "Relevant": len(query.first.grades),
            "Among candidates": query.first.hits(STAGE_1),
            "In contexts": query.second.hits(len(query.second.ids)),
            "Lost at 1": len(query.lost_at_stage_1),
            "Dropped at 2": len(query.lost_at_stage_2),
            f"Recall@{k}": query.second.recall(k),
            f"nDCG@{k}": query.second.ndcg(k),
            "Sample": sample_id,
        }
        for sample_id, query in measured.funnels.items()
    ]
    frame = pd.DataFrame(rows).sort_values([f"Recall@{k}", f"nDCG@{k}"], kind="stable")
    if measured.given:
        return frame
    return frame.drop(columns=["Among candidates", "Dropped at 2"]).rename(columns={"Lost at 1": "Missing"})


def _short(text: str) -> str:
    single = " ".join(text.split())
    return single if len(single) <= SHOWN_CHARACTERS else single[: SHOWN_CHARACTERS - 1] + "…"
