"""The samples on which people disagree, each one's label beside the others', and the decision over them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.agreement.services.disagreements import Disagreement
from hcat.core.display.numbers import counted
from hcat.core.display.reflow import reflow
from hcat.core.errors import HcatError
from hcat.core.labelling.label_details import EvidenceSpan
from hcat.core.labelling.records import LabelRecord
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Sample
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import annotator_name
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.runs import sample_ids, some_samples
from hcat.dashboard.loaders.workspace import workspace

MOST_SHOWN = 100


def disagreements_panel(run: RunInfo, criterion: Criterion) -> None:
    """The list and the chosen sample, once the viewer is known and the effect on their blindness is clear."""
    disagreements = workspace().disagreements.all(run, criterion)
    if not disagreements:
        st.info(
            "There is no sample with different levels from two people. Disagreements appear here once two people "
            "label the same sample: plan a queue with 2 labels per item."
        )
        link_to("labelling", "Plan a queue with overlap 2", icon=":material/playlist_add:")
        return
    name = annotator_name()
    if not name:
        st.info("Enter your name: you will see other people's labels, and decisions are signed.")
        return
    known = sample_ids(run)
    shown = [item for item in disagreements if item.sample_id in known][:MOST_SHOWN]
    if not _may_look(run, criterion, name, [item.sample_id for item in shown]):
        return
    open_ones = sum(item.decided is None for item in disagreements)
    st.markdown(f"**{counted(len(disagreements), 'sample')} with different levels**, {open_ones} not decided yet")
    if len(disagreements) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} are listed, undecided ones first.")
    by_id = some_samples(run, [item.sample_id for item in shown])
    chosen = _list(shown, criterion, by_id)
    _opened(run, criterion, chosen, by_id[chosen.sample_id], name)


def _may_look(run: RunInfo, criterion: Criterion, name: str, ids: Sequence[str]) -> bool:
    """Whether the list may be shown. An annotator with open items is first warned of the consequence; that they look is
    recorded."""
    ids = sorted(set(ids) - workspace().annotators.unblinded(run, criterion, name))
    if not ids:
        return True
    left = workspace().queues.open_items(run, criterion, name)
    if left:
        st.warning(
            f"{plain(name)}, you have {left} open items on {plain(criterion.name)}. Opening this list shows others' "
            "labels; you will no longer be blind on these samples. Labels that you give or change on them afterwards "
            "are marked as not blind.",
            icon=":material/visibility:",
        )
        st.button("View anyway", key="unblind", on_click=_unblind, args=(run, criterion, name, ids))
        link_to("labelling", "Label first", icon=":material/label:")
        return False
    _unblind(run, criterion, name, ids)
    return True


def _unblind(run: RunInfo, criterion: Criterion, name: str, ids: Sequence[str]) -> None:
    workspace().annotators.unblind(run, criterion, ids, annotator=name)


def _list(disagreements: Sequence[Disagreement], criterion: Criterion, by_id: dict[str, Sample]) -> Disagreement:
    people = sorted({record.annotator for item in disagreements for record in item.labels})
    rows = []
    for item in disagreements:
        levels = {record.annotator: _level(criterion, record.level) for record in item.labels}
        decided = "" if item.decided is None else _level(criterion, item.decided.level)
        query = " ".join(by_id[item.sample_id].query.split())[:160]
        rows.append((query, *(levels.get(person, "") for person in people), decided))
    columns = ["Query", *(f"{person}" for person in people), "Decided"]
    # Two people may have the names of the other columns.
    frame = pd.DataFrame(rows)
    event = selectable_table(
        frame,
        key="disagreements",
        hide_index=True,
        height=min(38 * (len(rows) + 1), 320),
        selection_mode="single-row",
        column_config={
            str(place): st.column_config.TextColumn(title, width="medium" if place == 0 else None)
            for place, title in enumerate(columns)
        },
        alt="Samples on which annotators disagree, with each one's level and the decision",
    )
    picked = event.selection.rows
    return disagreements[picked[0] if picked and picked[0] < len(disagreements) else 0]


def _opened(run: RunInfo, criterion: Criterion, item: Disagreement, sample: Sample, name: str) -> None:
    st.caption("Select a row to open its sample; the first one opens by default.")
    with st.container(border=True):
        places = (
            st.columns(max(len(item.labels), 1)) if len(item.labels) <= 4 else [st.container() for _ in item.labels]
        )
        for place, record in zip(places, item.labels, strict=True):
            with place:
                _label_line(record, criterion, sample)
    explained_view(sample, {}, legend="", dark=is_dark(), key="disagreement-sample")
    _decide(run, criterion, item, name)


def _label_line(record: LabelRecord, criterion: Criterion, sample: Sample) -> None:
    st.markdown(f"{plain(record.annotator)}: **{plain(_level(criterion, record.level))}**")
    notes = [f"{record.at:%Y-%m-%d %H:%M} UTC"]
    if record.details.confidence is not None:
        notes.append(f"confidence {record.details.confidence} of 5")
    if record.details.blind is False:
        notes.append("not blind")
    if record.purpose != "estimate":
        notes.append(record.purpose)
    st.caption(" · ".join(notes))
    st.markdown(plain(record.rationale) if record.rationale else "*no rationale*")
    if record.details.comment:
        st.markdown(f"Flag: {plain(record.details.comment)}")
    for span in record.details.spans:
        st.markdown(f"{plain(_place(span, sample))}: “{plain(_quote(span, sample))}”")


def _decide(run: RunInfo, criterion: Criterion, item: Disagreement, name: str) -> None:
    if item.decided is not None:
        st.success(
            f"Decided by {plain(item.decided.author)} on {item.decided.at:%Y-%m-%d}: "
            f"**{plain(_level(criterion, item.decided.level))}**. {plain(item.decided.rationale)}",
            icon=":material/gavel:",
        )
    if name in {record.annotator for record in item.labels}:
        st.caption("You labelled this sample yourself. A decision by somebody who did not is stronger evidence.")
    with st.form(f"adjudicate-{item.sample_id}"):
        st.markdown("**Decide again**" if item.decided else "**Decide**")
        level = st.radio(
            "Level",
            range(len(criterion.levels)),
            index=None if item.decided is None else item.decided.level,
            format_func=lambda place: plain(criterion.levels[place]),
            horizontal=True,
            key=f"decision-{item.sample_id}",
        )
        reason = st.text_area("Reason", key=f"reason-{item.sample_id}", max_chars=2000, height=80)
        decided = st.form_submit_button("Decide", type="primary", key=f"decide-{item.sample_id}")
        st.caption(
            "All labels stay unchanged, and agreement is still measured on them. Calibrations and estimates use the "
            "decision instead."
        )
    if not decided:
        return
    if level is None or not reason.strip():
        st.error("A decision needs a level and a reason, so that others can understand it.")
        return
    try:
        workspace().disagreements.adjudicate(
            run, criterion, item.sample_id, level, author=name, rationale=reason.strip()
        )
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()


def _level(criterion: Criterion, level: int | None) -> str:
    return "can't judge" if level is None else criterion.levels[level]


def _place(span: EvidenceSpan, sample: Sample) -> str:
    if span.part != "contexts":
        return span.part.capitalize()
    ranks = {passage.id: rank for rank, passage in enumerate(sample.contexts, start=1)}
    return f"Context {ranks.get(span.passage or '', '?')}"


def _quote(span: EvidenceSpan, sample: Sample) -> str:
    contexts = {passage.id: passage.text for passage in sample.contexts}
    texts = {"query": sample.query, "answer": sample.answer, "reference": sample.reference}
    text = contexts.get(span.passage or "") if span.part == "contexts" else texts.get(span.part)
    return reflow(text or "").between(span.start, span.end)
