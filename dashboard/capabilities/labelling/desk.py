"""The thin bar above the card with everything that is chosen once, and the strip that shows the results of the
labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from hcat.core.capabilities.calibration.wording.calibration import need_review_term
from hcat.core.display.numbers import format_estimate, format_with_interval
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.live import LIVE_SPEC, evaluate_now
from hcat.dashboard.capabilities.labelling.actions import PICKED, card_is_drawn, rerun_if_stale
from hcat.dashboard.capabilities.labelling.files import label_files_panel
from hcat.dashboard.capabilities.labelling.guideline import guideline_popover, show_guideline
from hcat.dashboard.capabilities.labelling.queue import pick_queue, queue_line, queue_planner
from hcat.dashboard.capabilities.labelling.session import STRIP, LabellingSession, card_options
from hcat.dashboard.capabilities.labelling.team import team_panel
from hcat.dashboard.components.account import reads_results
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.person import annotator_name, person_name
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.loaders.runs import sample_ids, scored_run
from hcat.dashboard.loaders.stored import labels_of

STYLE = Path(__file__).with_suffix(".css")


@dataclass(frozen=True, slots=True)
class _Linked:
    """The queue and the sample that the page's address names."""

    queue: str | None
    sample: str | None


@dataclass(frozen=True, slots=True)
class _Moved:
    """The pass rate by so many labels, and how far the last of them moved it."""

    labels: str
    value: float
    change: float | None = None


def desk_bar(project: ProjectInfo, run: RunInfo) -> LabellingSession:
    """One line: who labels, at which queue, by which guideline, and further panels."""
    linked = _linked(run)
    card_is_drawn()  # with the page, below; or a part above it would ask for the page again and again
    st.html(STYLE)
    shows_results = reads_results(project)
    with st.container(horizontal=True, vertical_alignment="center", key="desk-bar"):
        st.title("Labelling", width="content")
        with st.popover("Queue", icon=":material/playlist_add_check:", key="desk-queue"):
            criterion = pick_criterion(project)
            queue = pick_queue(run, criterion)
            queue_line(queue)
            if shows_results:
                queue_planner(run, criterion)
                team_panel(queue)
        guideline_popover(project, criterion)
        with st.popover("More", icon=":material/tune:", key="desk-more"):
            reference, reveal = card_options(criterion, shows_results=shows_results)
            if shows_results:
                label_files_panel(project, run, criterion)
        if person_name():
            with st.popover(plain(person_name()), icon=":material/person:", key="desk-person"):
                annotator_name()
    if linked.queue and linked.queue != ("random" if queue is None else queue.name):
        st.warning(f"There is no queue “{plain(linked.queue)}” on {plain(criterion.name)} here.")
    if linked.sample and linked.sample not in sample_ids(run):
        st.warning(f"There is no sample “{plain(linked.sample)}” in this run. The queue goes on.")
    return LabellingSession(run, criterion, person_name(), queue, reference, reveal)


def _linked(run: RunInfo) -> _Linked:
    """The queue and the sample requested by the address of the page. A sample is treated as a picked one, once."""
    sample = st.query_params.pop("sample", None)
    if sample is not None and sample in sample_ids(run):
        st.session_state[PICKED] = sample
    return _Linked(None if "queue" in st.session_state else st.query_params.get("queue"), sample)


def begin(project: ProjectInfo, criterion: Criterion) -> None:
    """Before the first sample: who labels, and by which guideline."""
    annotator_name()
    st.info("Enter your name or a pseudonym to begin. Every label is stored with its annotator and time.")
    st.markdown(f"**Guideline on {plain(criterion.name)}, version {criterion.guideline_version}**")
    show_guideline(project, criterion)


@st.fragment(key=STRIP)
def live_strip(run: RunInfo, criterion: Criterion, queue: QueueInfo | None) -> None:
    """One line: the labels and the pass rate, the undecided share, and how far the last label moved it."""
    rerun_if_stale()
    spec = st.session_state.get(LIVE_SPEC) if st.session_state.get("live", True) else None
    chosen = f"**{plain(criterion.name)}** · {'random' if queue is None else plain(queue.name)} queue"
    if spec is None or spec.criterion != criterion or scored_run(run) is None:
        st.caption(chosen)
        return
    labels = labels_of(run, criterion.name)
    now = evaluate_now(run, spec, labels)
    rate = now.estimates.ppi
    cells = [chosen, f"pass rate (PPI++) {format_estimate(rate, percent=True)}"]
    checked = None if now.calibration is None else now.calibration.diagnostics
    if checked is not None:
        share = format_with_interval(checked.undecided, percent=True)
        cells.append(f"{need_review_term(checked).title.lower()} {share}")
    change = _change(f"{run.id} {spec!r}", now.judged.hash, rate.value)
    if change is not None:
        cells.append(f"last change {100 * change:+.1f} points".replace("-", "−"))
    st.caption(" · ".join(cells))


def _change(place: str, labels: str, value: float) -> float | None:
    """The change of the value by the last label; None before a label changed anything."""
    moved: dict[str, _Moved] = st.session_state.setdefault("live-moved", {})
    before = moved.get(place)
    if before is None:
        moved[place] = _Moved(labels, value)
    elif before.labels != labels:
        change = value - before.value
        moved[place] = _Moved(labels, value, change if math.isfinite(change) else None)
    return moved[place].change
