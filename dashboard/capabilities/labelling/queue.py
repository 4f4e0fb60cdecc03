"""Choosing a queue, and planning one: the purpose of each kind, and its effect on estimates."""

from __future__ import annotations

from typing import cast

import streamlit as st

from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.labelling.leases import expected_repeats
from hcat.core.labelling.queue import DEFAULT_SIZE, MAX_OVERLAP, OF_SELECTION, Order, QueueKind, QueueRules
from hcat.core.labelling.records import QueueInfo
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.runs import dimensions
from hcat.dashboard.loaders.workspace import workspace

RANDOM = "random"
KINDS: dict[QueueKind, tuple[str, str]] = {
    "random": (
        "random",
        "Each sample is equally likely. Unweighted labels represent the run. Use this if unsure.",
    ),
    "stratified": (
        "stratified by a dimension",
        "The same number from each level of a dimension, so that small slices get labels too. Each label is weighted "
        "by one over its probability, so estimates stay unbiased.",
    ),
    "boundary": (
        "near the decision boundary",
        "More of the samples whose probability of a pass is near ½, where the machine is least sure: good for "
        "setting thresholds. Weights keep estimates unbiased; the interval of the pass rate may be wider than with a "
        "random queue.",
    ),
    "informative": (
        "most informative",
        "More of the samples that shorten the interval of the pass rate most, by the calibration saved last. Weights "
        "keep estimates unbiased.",
    ),
    "slice": (
        "of a slice",
        "More of the samples of one slice or selection, and a few of the rest of the run. Samples that people have "
        "labelled already are not drawn again: their labels count. Weights keep estimates unbiased.",
    ),
    "confirming": (
        "confirming a finding",
        "As many samples of a finding as of the rest of the run, none of which anybody has judged. When all are "
        "labelled, their labels alone say whether the finding is confirmed.",
    ),
    "disagreement": (
        "disagreement",
        "Samples on which annotators gave different levels, for a further opinion. These labels are stored "
        "separately and enter no estimate.",
    ),
}


def pick_queue(run: RunInfo, criterion: Criterion) -> QueueInfo | None:
    """The chosen queue; None means a random one that is planned with its first item."""
    planned = {queue.name: queue for queue in workspace().queues.all(run, criterion)}
    if wanted := st.session_state.pop("next-queue", None):  # what was just planned is chosen next
        st.session_state["queue"] = wanted
    names = [*planned] if RANDOM in planned else [RANDOM, *planned]
    name = st.selectbox(
        "Queue",
        names,
        key="queue",
        bind="query-params",
        help=with_glossary(
            "How samples are drawn. The probability with which each was drawn is stored with its label.",
            "queue",
            "stratified",
        ),
    )
    return planned.get(name)


def queue_line(queue: QueueInfo | None) -> None:
    """One line on the chosen queue: its purpose and its rules."""
    meaning = KINDS["random" if queue is None else queue.kind][1]
    rules = QueueRules() if queue is None else queue.rules
    said = "everybody labels each item" if rules.overlap is None else f"{rules.overlap} labels per item"
    shares = ((rules.repeats, "hidden repeats"), (rules.gold, "gold items"))
    mixed = [f"{share:.0%} {what}" for share, what in shares if share]
    order = "" if rules.order == "queue" else "; each annotator in an order of their own"
    n = 0 if queue is None else workspace().runs.by_id(queue.run_id).n
    drawn = "" if queue is None else f" It holds {queue.planned:,} of the run's {n:,} samples; earlier labels count."
    st.caption(f"{meaning}{drawn} Here {said}{''.join(f', {text}' for text in mixed)}{order}.")


def queue_planner(run: RunInfo, criterion: Criterion) -> None:
    """The form that draws a queue. It is drawn once; its samples and their probabilities never change."""
    with st.expander("Plan a queue", icon=":material/playlist_add:", on_change="rerun", key="queue-planner") as panel:
        if panel.open:
            _planner(run, criterion)


@st.fragment
def _planner(run: RunInfo, criterion: Criterion) -> None:
    kind = st.selectbox(
        "Kind",
        [kind for kind in KINDS if kind not in OF_SELECTION],
        format_func=lambda name: KINDS[cast("QueueKind", name)][0],
        key="plan-kind",
    )
    st.caption(KINDS[kind][1])
    dimension = _dimension(run) if kind == "stratified" else None
    planned, rules = _size(run), _rules()
    _what_will_not_come(run, criterion, kind, planned, rules)
    if st.button("Plan the queue", type="primary", key="plan"):
        _plan(run, criterion, kind, dimension, planned, rules)


def _what_will_not_come(
    run: RunInfo, criterion: Criterion, kind: QueueKind, planned: int, shares: tuple[int, str, int, int]
) -> None:
    """Gold items that there are none of, and repeats too few to say anything by."""
    _, _, repeats, gold = shares
    there = len(workspace().gold.items(run, criterion))
    if gold and not there:
        st.warning(
            f"There are no gold items of {plain(criterion.name)} on this run: none will appear until some are added, "
            "under “Criteria: what people judge” on the Runs page."
        )
        link_to("runs", "Add gold items", icon=":material/add:")
    if not repeats or repeats + gold > 50:  # which planning refuses
        return
    rules = QueueRules(repeats=repeats / 100, gold=gold / 100)
    expected = 0 if kind == "disagreement" else expected_repeats(rules, fresh=planned, gold=there)
    if expected < MINIMUM_N:
        st.warning(
            f"Expect {expected} hidden repeats for an annotator who labels all {planned} samples: too few to measure "
            f"consistency, which takes {MINIMUM_N}. Plan more samples, or a larger share."
        )


def _dimension(run: RunInfo) -> str:
    return st.selectbox("Dimension", [str(name) for name in dimensions(run).columns], key="plan-dimension")


def _size(run: RunInfo) -> int:
    return st.number_input("Samples", 1, run.n, min(DEFAULT_SIZE, run.n), key="plan-size")


def _rules() -> tuple[int, str, int, int]:
    first, second, third, fourth = st.columns(4)
    overlap = first.number_input(
        "Labels per item",
        0,
        MAX_OVERLAP,
        1,
        key="plan-overlap",
        help="By different annotators. 0: everybody labels all.",
    )
    order = second.selectbox("Order", ["queue", "annotator"], format_func=ORDERS.__getitem__, key="plan-order")
    repeats = third.number_input(
        "Hidden repeats, %",
        0,
        50,
        0,
        key="plan-repeats",
        help="Share of each annotator's items that repeat an earlier one, to measure consistency. They enter no "
        "estimate.",
    )
    gold = fourth.number_input(
        "Gold items, %",
        0,
        50,
        0,
        key="plan-gold",
        help="Share of each annotator's items whose right level is known (see Criteria on the Runs page). They enter "
        "no estimate.",
    )
    return overlap, order, repeats, gold


ORDERS = {"queue": "the same for all", "annotator": "each annotator's own"}


def _plan(
    run: RunInfo,
    criterion: Criterion,
    kind: QueueKind,
    dimension: str | None,
    planned: int,
    rules: tuple[int, str, int, int],
) -> None:
    overlap, order, repeats, gold = rules
    try:
        queue = workspace().queues.plan(
            run,
            criterion,
            kind=kind,
            dimension=dimension,
            planned=planned,
            rules=QueueRules(overlap or None, cast("Order", order), repeats / 100, gold / 100),
            new_round=any(
                earlier.kind == kind and earlier.dimension == dimension
                for earlier in workspace().queues.all(run, criterion)
            ),
        )
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["next-queue"] = queue.name
    st.toast(f"Planned: {counted(queue.planned, 'sample')}, {plain(queue.name)}.", icon=":material/check:")
    st.rerun()
