"""Labelling the samples in view: a queue of a slice or selection, or one sample that was picked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.labelling.queue import QueueItem, QueueRules
from hcat.core.labelling.selection import ChosenSamples, SelectionSizes
from hcat.core.project.sampling import HAND_PICKED
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.labelling.actions import PICKED
from hcat.dashboard.components.links import switch_to
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.loaders.runs import sample_ids
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection

PICKED_NOTE = (
    "You picked this sample, so nobody can say how likely it was to be labelled. Its label is stored and shown, and "
    "enters no estimate, calibration or slice. It will come again if a queue draws it."
)

CHANGES_NOTE = (
    "You labelled this sample before. A level changes that label, which counts as it did; the log keeps both."
)


def label_these(
    run: RunInfo, selection: SampleSelection, sample_ids: Sequence[str], *, title: str | None = None
) -> None:
    """A button that plans a queue of these samples and of a few others, and opens the Labelling page at it."""
    with st.popover("Label these", icon=":material/edit_note:", on_change="rerun", key="label-these") as popover:
        if popover.open:
            _planner(run, _chosen(selection, sample_ids, title or selection.title))


def label_this(sample_id: str) -> None:
    """A button that opens the Labelling page at one sample."""
    if st.button("Label this one", icon=":material/edit:", key="label-this", help=PICKED_NOTE):
        st.session_state[PICKED] = sample_id
        switch_to("labelling")


def picked_item(run: RunInfo) -> QueueItem | None:
    """The sample that somebody picked, as an item of no queue; None where it is none of this run."""
    sample_id = st.session_state.get(PICKED)
    if sample_id is None or sample_id not in sample_ids(run):
        return None
    return QueueItem(sample_id, 1.0, queue=HAND_PICKED, purpose="picked")


def picked_note(run: RunInfo, criterion: Criterion, annotator: str) -> None:
    """Explain the use of the label of a picked sample, with a button that leads back to the queue."""
    judged = {record.sample_id for record in workspace().labels.own(run, criterion, annotator)}
    before = st.session_state.get(PICKED) in judged
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(CHANGES_NOTE if before else PICKED_NOTE, icon=":material/edit:")
        if st.button("Back to the queue", key="leave-picked"):
            st.session_state.pop(PICKED, None)
            st.rerun()


def _chosen(selection: SampleSelection, sample_ids: Sequence[str], title: str) -> ChosenSamples:
    """The chosen samples. Lists of samples have no name of their own: a few digits of a hash distinguish them."""
    mark = "" if selection.slice is not None else f" ({sha256_of_text(chr(31).join(sorted(sample_ids)))[:6]})"
    return ChosenSamples(f"{title[:120]}{mark}", tuple(sample_ids))


def _planner(run: RunInfo, chosen: ChosenSamples) -> None:
    criterion = _criterion(run)
    if criterion is None:
        st.info("This project has no criterion yet: add what people judge on the Runs page.")
        return
    sizes = workspace().queues.sizes(run, criterion, chosen)
    if len(chosen.sample_ids) == run.n:
        st.info("This is the whole run: plan a random queue on the Labelling page.")
        return
    if not sizes.open_in_slice:
        st.info(f"People have labelled all of these {counted(len(chosen.sample_ids), 'sample')} already.")
        return
    st.markdown(_sizes_text(sizes, len(chosen.sample_ids)))
    if st.button("Plan and label", type="primary", key="plan-these", icon=":material/play_arrow:"):
        _plan(run, criterion, chosen)


def _criterion(run: RunInfo) -> Criterion | None:
    criteria = {criterion.name: criterion for criterion in workspace().criteria.all(workspace().projects.of(run))}
    if len(criteria) < 2:
        return next(iter(criteria.values()), None)
    return criteria[st.selectbox("Criterion", list(criteria), key="label-these-on")]


def _sizes_text(sizes: SelectionSizes, chosen: int) -> str:
    labelled = chosen - sizes.open_in_slice
    done = (
        f" {counted(labelled, 'sample')} here {'has' if labelled == 1 else 'have'} a label already." if labelled else ""
    )
    return (
        f"**{counted(sizes.total, 'label')}**: {sizes.of_slice} of the {sizes.open_in_slice} samples here without a "
        f"label, and {sizes.of_rest} of the {sizes.open_in_rest} elsewhere, drawn at random.{done} Each label is "
        "weighted by one over the probability of its draw, so that estimates of the slice and of the run stay unbiased."
    )


def _plan(run: RunInfo, criterion: Criterion, chosen: ChosenSamples) -> None:
    queues, rules = workspace().queues, QueueRules(overlap=1)
    try:
        queue = queues.plan(run, criterion, kind="slice", chosen=chosen, rules=rules)
        progress = queues.team_progress(queue)
        if progress.complete >= queue.planned:
            queue = queues.plan(run, criterion, kind="slice", chosen=chosen, rules=rules, new_round=True)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["next-queue"], st.session_state["next-criterion"] = queue.name, criterion.name
    st.session_state.pop(PICKED, None)
    switch_to("labelling")
