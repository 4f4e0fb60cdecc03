"""The labelling card: one sample at a time, keys for every action, each label stored at once."""

from __future__ import annotations

import streamlit as st

from hcat.core.display.numbers import counted, format_count
from hcat.core.errors import HcatError
from hcat.core.labelling.queue import QueueItem, QueueProgress
from hcat.core.labelling.records import LabelRecord, QueueInfo
from hcat.dashboard.capabilities.labelling import actions as act
from hcat.dashboard.capabilities.labelling.guideline import GUIDELINE_BUTTON
from hcat.dashboard.capabilities.labelling.picked import picked_item, picked_note
from hcat.dashboard.capabilities.labelling.reveal import reveal_strip
from hcat.dashboard.capabilities.labelling.session import (
    CARD,
    PAUSE,
    QUICK,
    TOOK,
    LabellingSession,
    Shown,
    labelled_elsewhere,
    look_back,
    sample_of,
)
from hcat.dashboard.components.label_keys import KeyTarget, label_keys
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.refresh import trigger_refresh
from hcat.dashboard.components.sample_view import blind_view
from hcat.dashboard.loaders.workspace import workspace

DETAIL_KEYS = {
    **{shortcut.lower(): KeyTarget(f"confidence-{value}") for value, shortcut in act.CONFIDENCE.values()},
    "f": KeyTarget("flag"),
    "r": KeyTarget(act.RATIONALE, "enter"),
}
REASONS = {
    "skip": ("unclear query", "needs an expert", "damaged text", "other"),
    "cannot": ("the texts don't tell", "the query is ambiguous", "needs an expert", "the reference is wrong"),
}


@st.fragment(key=CARD)
def label_card(session: LabellingSession) -> None:
    """The next open item, or an earlier one of the annotator's own, with its buttons and how far they are."""
    ws = workspace()
    try:
        queue = session.queue or ws.queues.plan(session.run, session.criterion)
        item = picked_item(session.run) or ws.queues.next_item(queue, session.annotator)
        progress = ws.queues.progress(queue, session.annotator)
        shown = _shown(session, item)
    except HcatError as error:
        st.error(sentence(error))
        act.card_is_drawn()
        return
    with st.container(gap=None, key="desk-refresh"):
        trigger_refresh(st.session_state.get(act.CHANGES, 0), act.to_refresh(), pause=_pause(), key="follow-labels")
    with st.container(horizontal=True, vertical_alignment="center", key="desk-status"):
        _progress_line(session, queue, progress)
        status = st.container(width="stretch")
    message = st.session_state.pop(act.ERROR, None)
    if message:
        st.error(sentence(message))
    if item is not None and item.purpose == "picked":
        picked_note(session.run, session.criterion, session.annotator)
    elif item is not None:
        _lease(queue, item, session.annotator)
    targets = _through(session, queue, progress) if shown is None else _card(session, shown, progress)
    reveal_strip(session, queue)
    with status:
        label_keys(
            targets | {"g": KeyTarget(GUIDELINE_BUTTON, "open")},
            item="" if shown is None else shown.token,
            pressed=st.session_state.get(act.PRESSED, 0),
            said=st.session_state.get(act.SAID, ""),
            failed=bool(message),
        )
    act.card_is_drawn()


def _pause() -> float:
    """Seconds without a key after which the parts that depend on labels are refreshed."""
    return PAUSE if st.session_state.get(TOOK, 0.0) > QUICK else 0.0


def _through(session: LabellingSession, queue: QueueInfo, progress: QueueProgress) -> dict[str, KeyTarget]:
    """Show that no item is open to the annotator: finally, or while others have the last items. Returns the effects of
    keys."""
    claimed = workspace().queues.held(queue)
    if claimed:
        st.info(f"No item is free right now: others have {claimed} of the last items on their screens.")
    else:
        st.success("This queue is done. Thank you! Choose another queue above, or see what the labels add.")
    with st.container(horizontal=True):
        st.button("Look again", key="look-again", icon=":material/refresh:")
        targets = _moves(session, progress)
    link_to("calibration", "Open the calibration", icon=":material/show_chart:")
    return targets


def _shown(session: LabellingSession, item: QueueItem | None) -> Shown | None:
    steps = st.session_state.get(act.BACK, 0)
    earlier = look_back(session, item, steps) if steps else None
    if earlier is None and steps:
        st.session_state[act.BACK] = steps - 1  # there is no item so far back
        return _shown(session, item)
    return earlier or (None if item is None else Shown(item, withdrawn=_taken_back(session, item)))


def _taken_back(session: LabellingSession, item: QueueItem) -> LabelRecord | None:
    """The annotator's label of this item that was withdrawn a moment ago, if any; never another person's."""
    undone: LabelRecord | None = st.session_state.get(act.UNDONE)
    if undone is None or undone.kind != "label":
        return None
    asked = (session.annotator, session.run.id, session.criterion.name, item.sample_id, item.occurrence)
    said = (undone.annotator, undone.run_id, undone.criterion, undone.sample_id, undone.occurrence)
    return undone if said == asked else None


def _progress_line(session: LabellingSession, queue: QueueInfo, progress: QueueProgress) -> None:
    """Show the annotator's progress, the queue's share of the run, and the number labelled before the queue was
    planned."""
    said = f"**{progress.done:,} labelled, {progress.skipped:,} skipped, {progress.open:,} to go**"
    if queue.planned < session.run.n:
        said += f" of a queue of {queue.planned:,} (the run has {format_count(session.run.n)} samples)"
    if before := labelled_elsewhere(session, queue):
        said += f"; {before} of them labelled earlier, which count here too"
    st.markdown(said, width="content")


def _card(session: LabellingSession, shown: Shown, progress: QueueProgress) -> dict[str, KeyTarget]:
    """Draw the card; returns the effects of its keys."""
    act.begin_card(shown)
    if shown.record is not None:
        _said_before(session, shown)
    asking = st.session_state.get(act.ASKING)
    with st.container(key="desk-keys", gap="small"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="label-keys-row"):
            if asking in REASONS:
                targets = _reasons(session, shown, asking)
            else:
                targets = _levels(session, shown) | _moves(session, progress)
        _details()
    blind_view(
        sample_of(session, shown),
        key=shown.view,
        marked=() if shown.entered is None else shown.entered.details.spans,
        reference=session.reference,
    )
    return targets | DETAIL_KEYS


def _said_before(session: LabellingSession, shown: Shown) -> None:
    record = shown.record
    if record is None:
        return
    said = "can't judge" if record.level is None else session.criterion.levels[record.level]
    st.info(
        f"Your earlier label, {counted(int(st.session_state[act.BACK]), 'item')} back: **{plain(said)}**. Press a "
        "level to change it (the log keeps both); → moves forward.",
        icon=":material/history:",
    )


def _levels(session: LabellingSession, shown: Shown) -> dict[str, KeyTarget]:
    """Draw the buttons of the levels. Their keys name the item: a press meant for the one before has no effect. None is
    highlighted, except the level given on an earlier item."""
    targets = {"j": KeyTarget("cannot")}
    for level, name in enumerate(session.criterion.levels):
        st.button(
            plain(name),
            key=f"level-{level}-{shown.token}",
            shortcut=str(level + 1) if level < 9 else None,
            type="primary" if shown.record is not None and shown.record.level == level else "secondary",
            on_click=act.save,
            args=(session, shown, level),
        )
        if level < 9:
            targets[str(level + 1)] = KeyTarget(f"level-{level}-{shown.token}")
    st.button("Can't judge", key="cannot", shortcut="J", on_click=act.ask, args=("cannot",))
    if shown.record is None:
        st.button("Skip", key="skip", shortcut="S", on_click=act.ask, args=("skip",))
        targets["s"] = KeyTarget("skip")
    return targets


def _moves(session: LabellingSession, progress: QueueProgress) -> dict[str, KeyTarget]:
    st.button(
        "Undo",
        key="undo",
        shortcut="U",
        on_click=act.undo,
        args=(session,),
        help="Undoes your last label.",
    )
    back = st.session_state.get(act.BACK, 0)
    st.button(
        "Earlier",
        key="earlier",
        shortcut="Left",
        on_click=act.move,
        args=(1,),
        disabled=back >= progress.done,
        help="Your own earlier items: view them, or change a label.",
    )
    st.button("Later", key="later", shortcut="Right", on_click=act.move, args=(-1,), disabled=not back)
    return {"u": KeyTarget("undo"), "ArrowLeft": KeyTarget("earlier"), "ArrowRight": KeyTarget("later")}


def _reasons(session: LabellingSession, shown: Shown, asking: str) -> dict[str, KeyTarget]:
    written = str(st.session_state.get(act.RATIONALE, "")).strip()
    action = act.skip if asking == "skip" else act.cannot_judge
    reasons = [*REASONS[asking], *(["as in the rationale"] if written else [])]
    st.markdown("**Skip: why?**" if asking == "skip" else "**Can't judge: why?**", width="content")
    for number, reason in enumerate(reasons, start=1):
        st.button(
            reason,
            key=f"reason-{number}-{shown.token}",
            shortcut=str(number),
            on_click=action,
            args=(session, shown, written if reason == "as in the rationale" else reason),
        )
    st.button("Back", key="reason-back", shortcut="Esc", on_click=act.ask, args=(None,))
    numbers = range(1, len(reasons) + 1)
    return {"Escape": KeyTarget("reason-back")} | {
        str(number): KeyTarget(f"reason-{number}-{shown.token}") for number in numbers
    }


def _details() -> None:
    """Draw the fields that belong to the level and are entered before it: confidence, a flag, a rationale."""
    with st.container(horizontal=True, vertical_alignment="center", key="label-details"):
        st.markdown("How sure?", width="content")
        for name, (value, shortcut) in act.CONFIDENCE.items():
            st.button(
                name,
                key=f"confidence-{value}",
                shortcut=shortcut,
                type="primary" if st.session_state.get(act.SURE) == value else "tertiary",
                on_click=act.set_confidence,
                args=(value,),
            )
        flagged = bool(st.session_state.get(act.FLAGGED))
        st.button(
            "Flagged" if flagged else "Flag",
            key="flag",
            shortcut="F",
            icon=":material/flag:",
            type="primary" if flagged else "secondary",
            on_click=act.toggle_flag,
            help="Asks the team to look at this sample; goes with your label.",
        )
        if flagged:
            st.text_input(
                "Comment to the flag",
                key=act.COMMENT,
                max_chars=2000,
                width=260,
                placeholder="What should be looked at?",
                label_visibility="collapsed",
            )
        st.text_input(
            "Rationale",
            key=act.RATIONALE,
            max_chars=2000,
            width=300,
            placeholder="Rationale (R); Enter or Esc leaves the field",
            label_visibility="collapsed",
        )


def _lease(queue: QueueInfo, item: QueueItem, annotator: str) -> None:
    """Hold the item while the card is open; a third of the lease is early enough."""
    every = min(max(queue.rules.lease_seconds / 3, 1.0), 60.0)
    st.fragment(_hold, run_every=every)(queue, item, annotator)


def _hold(queue: QueueInfo, item: QueueItem, annotator: str) -> None:
    if st.session_state.get("held-claim") != item.lease:  # taken this moment
        st.session_state["held-claim"] = item.lease
        return
    try:
        still_held = workspace().queues.hold(queue, item, annotator)
    except HcatError as error:
        st.error(sentence(error))
        return
    if not still_held:
        st.warning("You had this item open too long without any input: somebody else may have it now.")
        st.button("Take the next item", key="take-next", on_click=lambda: st.rerun([CARD]))
