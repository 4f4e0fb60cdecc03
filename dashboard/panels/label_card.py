"""The labelling card: one sample at a time, keys for every action, each label stored at once."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from core.errors import HcatError
from core.labelling.queue import QueueItem
from core.storage.records import RunInfo
from core.types import Criterion
from dashboard.components.links import link_to
from dashboard.components.markdown import plain
from dashboard.components.sample_view import blind_view
from dashboard.loaders import dimensions, samples, workspace

CARD, LIVE = "label-card", "live-calibration"
SKIP_REASONS = ("unclear query", "needs an expert", "damaged text", "other")


@dataclass(frozen=True, slots=True)
class QueueChoice:
    """Which queue the annotator works through."""

    kind: Literal["random", "stratified"]
    dimension: str | None


def annotator_name() -> str:
    """Who labels, kept for the session. Once given it is no field any more: keys are for labels then."""
    known = str(st.session_state.get("annotator", ""))
    if known:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.metric("Annotator", plain(known))
            if st.button("Change", key="change-annotator"):
                del st.session_state["annotator"]
                st.rerun()
        return known
    with st.form("annotator-form", border=False):
        given = st.text_input("Annotator", key="annotator-name", max_chars=80, help="Your name or a pseudonym.").strip()
        if st.form_submit_button("Begin", type="primary", key="begin") and given:
            st.session_state["annotator"] = given
            st.rerun()
    return ""


def pick_queue(run: RunInfo) -> QueueChoice:
    """A random queue, or one that draws the same number from each topic."""
    has_topics = "topic" in dimensions(run)
    options = ["random", "stratified by topic"] if has_topics else ["random"]
    chosen = st.selectbox(
        "Queue",
        options,
        key="queue",
        bind="query-params",
        help="How samples are drawn. The probability with which each was drawn is stored with its label.",
    )
    return QueueChoice("random", None) if chosen == "random" else QueueChoice("stratified", "topic")


@st.fragment(key=CARD)
def label_card(run: RunInfo, criterion: Criterion, annotator: str, queue: QueueChoice) -> None:
    """The next open sample with its buttons, and how far the annotator is."""
    ws = workspace()
    try:
        plan = ws.plan_queue(run, criterion, kind=queue.kind, dimension=queue.dimension)
        item = ws.next_in_queue(plan, annotator)
        progress = ws.queue_progress(plan, annotator)
    except HcatError as error:
        st.error(plain(error))
        return
    share = (progress.done + progress.skipped) / max(progress.planned, 1)
    st.progress(share, text=f"{progress.done} labelled, {progress.skipped} skipped, {progress.open} to go")
    if message := st.session_state.pop("label-error", None):
        st.error(plain(message))
    if item is None:
        st.success("This queue is done. Thank you! Choose another queue above, or see what the labels bought.")
        _undo_button(run, criterion, annotator)
        link_to("calibration", "Open the calibration", icon=":material/show_chart:")
        return
    if st.session_state.get("shown-sample") != item.sample_id:
        st.session_state["shown-sample"] = item.sample_id
        st.session_state["shown-at"] = time.monotonic()
    _buttons(run, criterion, annotator, item)
    blind_view(samples(run)[item.sample_id], key=f"blind-{item.sample_id}")
    with st.expander(f"Guideline, version {criterion.guideline_version}", icon=":material/menu_book:"):
        st.markdown(_guideline(criterion.guideline))


def _guideline(text: str) -> str:
    """The guideline's Markdown with small headings, and without images: nothing is ever loaded from elsewhere."""
    return re.sub(r"(?m)^#{1,6} ", "##### ", text).replace("![", "\\![") or "_This criterion has no guideline yet._"


def _buttons(run: RunInfo, criterion: Criterion, annotator: str, item: QueueItem) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for level, name in enumerate(criterion.levels):
            st.button(
                plain(name),
                key=f"level-{level}",
                shortcut=str(level + 1) if level < 9 else None,
                type="primary" if level >= criterion.passing else "secondary",
                on_click=_save,
                args=(run, criterion, annotator, item, level),
            )
        st.button("Skip", key="skip", shortcut="S", on_click=_skip, args=(run, criterion, annotator, item))
        _undo_button(run, criterion, annotator)
        st.selectbox("Reason to skip", SKIP_REASONS, key="skip-reason", width=180, persist_state="page")
        st.text_input("Rationale (optional)", key="rationale", max_chars=2000, width=320)


def _undo_button(run: RunInfo, criterion: Criterion, annotator: str) -> None:
    st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(run, criterion, annotator))


def _save(run: RunInfo, criterion: Criterion, annotator: str, item: QueueItem, level: int) -> None:
    seconds = time.monotonic() - st.session_state.get("shown-at", time.monotonic())
    try:
        workspace().record_label(
            run,
            criterion,
            item.sample_id,
            level,
            annotator=annotator,
            item=item,
            rationale=st.session_state.get("rationale") or None,
            seconds=round(seconds, 1),
        )
        st.session_state["rationale"] = ""
    except HcatError as error:
        st.session_state["label-error"] = f"The label was not saved: {error}"
    _redraw()


def _skip(run: RunInfo, criterion: Criterion, annotator: str, item: QueueItem) -> None:
    try:
        workspace().skip_sample(
            run,
            criterion,
            item.sample_id,
            annotator=annotator,
            item=item,
            reason=st.session_state.get("skip-reason", SKIP_REASONS[0]),
        )
    except HcatError as error:
        st.session_state["label-error"] = f"The sample was not skipped: {error}"
    _redraw()


def _undo(run: RunInfo, criterion: Criterion, annotator: str) -> None:
    if workspace().undo_label(run, criterion, annotator=annotator) is None:
        st.session_state["label-error"] = "There is nothing to undo."
    _redraw()


def _redraw() -> None:
    """Only the card and the curves; the rest of the page stays as it is."""
    st.rerun([CARD, LIVE] if st.session_state.get("live", True) else [CARD])
