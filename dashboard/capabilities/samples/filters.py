"""Which samples the Samples page shows, and in which order; all of it is in the URL."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from hcat.core.calibration.conformal.level_sets import decision_title
from hcat.core.opened.sample_filter import TIE, UNLABELLED, SampleFacts, SampleFilter, filter_samples
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import sample_facts
from hcat.dashboard.components.sample_table import BEST, BY_TEXT, WORST, sortable_table, sorted_ids, sorts
from hcat.dashboard.loaders.runs import dimensions, ids_holding, sample_ids
from hcat.dashboard.loaders.stored import criteria_of
from hcat.dashboard.selection import SampleSelection

KEYS = ("text", "label", "prediction", "where", "flagged")
"""Widgets of the filter, and their names in the URL."""
BETWEEN = " = "


def facts_in_view(project: ProjectInfo, run: RunInfo) -> tuple[Criterion | None, SampleFacts]:
    """Labels on the criterion that is chosen, and the other values by which samples are filtered."""
    criteria = {criterion.name: criterion for criterion in criteria_of(project)}
    name = next(iter(criteria), None)
    if len(criteria) > 1:
        name = st.selectbox("Labels on", list(criteria), key="label-criterion", bind="query-params")
    criterion = None if name is None else criteria[name]
    return criterion, sample_facts(run, criterion)


def filter_panel(criterion: Criterion | None, facts: SampleFacts) -> SampleFilter:
    """The filter that is entered."""
    first, second, third, fourth = st.columns([3, 2, 2, 3])
    text = first.text_input("Search in texts", key="text", bind="query-params", type="search")
    levels = () if criterion is None else criterion.levels
    known = dict.fromkeys([*levels, UNLABELLED, TIE, *sorted(set(facts.labels.values()))])
    labels = second.multiselect("Label", list(known), key="label", bind="query-params")
    predictions = third.multiselect(
        "Prediction",
        facts.known_decisions,
        key="prediction",
        bind="query-params",
        format_func=decision_title,
        disabled=facts.decisions is None,
        help="The decision by the prediction sets of the calibration saved last.",
    )
    where = fourth.multiselect(
        "Dimension",
        [f"{name}{BETWEEN}{level}" for name in facts.dimensions for level in facts.dimensions[name].cat.categories],
        key="where",
        bind="query-params",
        help="Several levels of one dimension: any of them. Levels of several dimensions: all of them.",
    )
    flagged = st.toggle("Flagged only", key="flagged", bind="query-params", help="Flagged by somebody while labelling.")
    pairs = [text.split(BETWEEN, 1) for text in where]
    return SampleFilter(
        tuple(labels), tuple(predictions), tuple((name, level) for name, level in pairs), flagged, str(text).strip()
    )


def ids_found(run: RunInfo, selection: SampleSelection, wanted: SampleFilter, facts: SampleFacts) -> list[str]:
    """Ids of the samples that are selected and pass the filter; texts are read only where one is searched for."""
    chosen = list(sample_ids(run)) if selection == SampleSelection() else selection.choose(dimensions(run))
    ids = filter_samples(chosen, facts, replace(wanted, text=""))
    if not wanted.text:
        return ids
    holding = ids_holding(run, wanted.text)
    return [sample_id for sample_id in ids if sample_id in holding]


def title_of(selection: SampleSelection, wanted: SampleFilter) -> str:
    """A short title of the shown samples."""
    whole = selection == SampleSelection()
    return wanted.title if whole and wanted.title else ", ".join(filter(None, (selection.title, wanted.title)))


def show_all() -> None:
    """Take every selection and filter away."""
    for name in ("slice", "ids", "marks", "area", "sample"):
        st.query_params.pop(name, None)
    for name in KEYS:
        st.session_state[name] = False if name == "flagged" else "" if name == "text" else []


def table_panel(run: RunInfo, sample_ids: list[str], metric: str, facts: SampleFacts, *, title: str) -> list[str]:
    """The table in the order that is chosen; gives the ids in that order. A row that is clicked becomes the sample."""
    if wanted := st.session_state.pop("next-sort", None):  # a head of the table was clicked
        st.session_state["sort"] = wanted
    by = st.selectbox("Sort by", sorts(run), key="sort", bind="query-params", width=260)
    ids = sorted_ids(run, sample_ids, metric, facts, by=by)
    clicked, head = sortable_table(run, ids, metric, facts, key=f"samples-{metric}-{title}-{by}", height=230)
    if head is not None:
        st.session_state["next-sort"] = _sort_of(run, head, by)
        st.rerun()
    if clicked is not None and clicked != st.session_state.get("last-clicked"):
        st.session_state["last-clicked"] = clicked
        st.query_params["sample"] = clicked
    return ids


def _sort_of(run: RunInfo, head: str, by: str) -> str:
    """The order that a click on a column's head asks for; the score's turns round."""
    if head in sorts(run):
        return head
    return by if head in BY_TEXT else BEST if by == WORST else WORST
