"""Actions of the keys of the labelling card. Each is stored at once, by the verbs of the workspace.

They redraw the card first, since their buttons are on it. Where that is quick, the results that depend on labels are
redrawn after it in the same run, without a further request by the browser.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from hcat.core.errors import HcatError
from hcat.core.labelling.label_details import LabelDetails
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.labelling.session import (
    CARD,
    QUICK,
    REFRESH,
    STRIP,
    SUMMARY,
    TOOK,
    LabellingSession,
    Shown,
    sample_of,
)
from hcat.dashboard.components.sample_view import marked_in
from hcat.dashboard.loaders.workspace import workspace

CONFIDENCE = {"Low": (1, "L"), "Medium": (3, "M"), "High": (5, "H")}
"""Degrees of confidence, each as stored on the scale of 1 (a guess) to 5 (certain), and its key."""
RATIONALE, COMMENT, SURE, FLAGGED = "rationale", "flag-comment", "confidence", "flagged"
ASKING, BACK, CHANGES, ERROR, LAST = "asking", "back", "label-changes", "label-error", "last-label"
UNDONE, DRAWN, FOLLOWED = "undone-label", "card-drawn", "label-changes-followed"
PICKED = "picked-sample"
"""In the session: the sample that somebody chose to label, out of any queue."""
PRESSED, SAID, READ = "card-presses", "said-of-label", "guideline-read"
"""In the session: how many buttons of the card were pressed, what the last one did, and the criterion and version of
the guideline that was opened."""
ON_CARD = "shown-token"
"""Session key of the card's item, until something is stored on it: the same press twice stores once."""
SEEN = ("query", "contexts", "answer")
GUIDELINE = ("guideline", "examples")
P = ParamSpec("P")


def _press(action: Callable[P, None]) -> Callable[P, None]:
    """Count the press, by which the keys that wait in the browser know that it arrived; then draw what it changed."""

    @wraps(action)
    def counted(*args: P.args, **kwargs: P.kwargs) -> None:
        state = st.session_state
        state[PRESSED] = state.get(PRESSED, 0) + 1
        before = state.get(CHANGES, 0)
        action(*args, **kwargs)
        if state.get(CHANGES, 0) != before and state.get(TOOK, QUICK) < QUICK:
            _draw_with_calibration()

    return counted


def _draw_with_calibration() -> None:
    """Draw the card, then the parts that depend on labels, if they are on the page and not all of it is drawn
    anyway."""
    state, context = st.session_state, get_script_run_ctx(suppress_warning=True)
    if context is None or not context.fragment_ids_this_run:
        return
    state[FOLLOWED] = state[CHANGES]
    try:
        st.rerun([CARD, SUMMARY, STRIP])
    except StreamlitAPIException:  # one of them is not
        state[FOLLOWED] = None


def to_refresh() -> tuple[str, ...]:
    """Buttons that refresh the parts that the last change has not redrawn with the card."""
    followed = st.session_state.get(FOLLOWED) == st.session_state.get(CHANGES, 0)
    return REFRESH[1:] if followed else REFRESH


def begin_card(shown: Shown) -> None:
    """On a new card, clear the entries and start the clock. An earlier item keeps the entries made before."""
    state = st.session_state
    if state.get(ON_CARD) == shown.token:
        return
    record = shown.entered
    state[ON_CARD], state["shown-at"], state[ASKING] = shown.token, time.monotonic(), None
    state[RATIONALE] = "" if record is None else record.rationale or ""
    state[COMMENT] = "" if record is None else record.details.comment or ""
    state[SURE] = None if record is None else record.details.confidence
    state[FLAGGED] = record is not None and record.details.flagged


@_press
def save(session: LabellingSession, shown: Shown, level: int) -> None:
    """Store the level with all that was entered."""
    if not _is_shown(shown, asking=None):
        return
    try:
        workspace().labels.record(
            session.run,
            session.criterion,
            shown.item.sample_id,
            level,
            annotator=session.annotator,
            item=shown.item,
            rationale=st.session_state.get(RATIONALE) or None,
            seconds=_seconds(),
            details=_details(session, shown),
            supersede=_may_supersede(shown),
        )
    except HcatError as error:
        _failed("The label was not saved", error)
        return
    st.session_state[ON_CARD] = None
    _done(shown, f"Saved: {session.criterion.levels[level]} · {blind_id(shown.item.sample_id)} · U undoes")


@_press
def cannot_judge(session: LabellingSession, shown: Shown, reason: str) -> None:
    """Store that no level fits, and why."""
    if not _is_shown(shown, asking="cannot"):
        return
    try:
        workspace().labels.cannot_judge(
            session.run,
            session.criterion,
            shown.item.sample_id,
            reason,
            annotator=session.annotator,
            item=shown.item,
            seconds=_seconds(),
            details=_details(session, shown),
            supersede=_may_supersede(shown),
        )
    except HcatError as error:
        _failed("That was not saved", error)
        return
    st.session_state[ON_CARD] = None
    _done(shown, f"Saved: can't judge, {reason} · {blind_id(shown.item.sample_id)} · U undoes")


@_press
def skip(session: LabellingSession, shown: Shown, reason: str) -> None:
    """Put the item aside for this annotator."""
    if not _is_shown(shown, asking="skip"):
        return
    try:
        workspace().labels.skip(
            session.run,
            session.criterion,
            shown.item.sample_id,
            annotator=session.annotator,
            item=shown.item,
            reason=reason,
            seconds=_seconds(),
            details=_details(session, shown),
            supersede=_may_supersede(shown),
        )
    except HcatError as error:
        _failed("The sample was not skipped", error)
        return
    st.session_state[ON_CARD] = None
    _done(None, f"Skipped: {reason} · {blind_id(shown.item.sample_id)} · U undoes")


@_press
def undo(session: LabellingSession) -> None:
    """Undo the annotator's latest entry: its item returns with the entries that belonged to the label, or if it was a
    change, the label before it is in force again."""
    ws = workspace()
    try:
        undone = ws.labels.undo(session.run, session.criterion, annotator=session.annotator)
    except HcatError as error:
        _failed("Nothing was undone", error)
        return
    _done(None, "" if undone is None else f"Undone: {blind_id(undone.sample_id)}")
    if undone is None:
        st.session_state[ERROR] = "There is nothing to undo."
        return
    place = (undone.sample_id, undone.occurrence)
    own = ws.labels.own(session.run, session.criterion, session.annotator)
    again = next((record for record in own if (record.sample_id, record.occurrence) == place), None)
    if again is None:
        st.session_state[UNDONE] = undone
    else:
        level = "can't judge" if again.level is None else session.criterion.levels[again.level]
        st.session_state[SAID] = f"Your change of {blind_id(undone.sample_id)} is undone. The label is again “{level}”."


@_press
def move(steps: int) -> None:
    """Further back among one's own items, or forth again to the open one."""
    st.session_state[BACK] = max(st.session_state.get(BACK, 0) + steps, 0)


@_press
def ask(what: str | None) -> None:
    """Ask for the reason before skipping, or before saying that no level fits."""
    st.session_state[ASKING] = what


@_press
def set_confidence(level: int) -> None:
    """The same again takes it back."""
    st.session_state[SURE] = None if st.session_state.get(SURE) == level else level


@_press
def toggle_flag() -> None:
    """Ask for somebody's attention, or no longer."""
    st.session_state[FLAGGED] = not st.session_state.get(FLAGGED, False)


def card_is_drawn() -> None:
    """Remember that the card shows what the keys have done so far."""
    st.session_state[DRAWN] = _done_so_far()


def rerun_if_stale() -> None:
    """Draw the whole page where the card does not show what a key has done.

    For the other parts of the page that are drawn on their own. If the browser presses their button and the card's at
    the same moment, it sends both, but names only one of the parts to draw.
    """
    if st.session_state.get(DRAWN, _done_so_far()) != _done_so_far():
        st.rerun()


def _done_so_far() -> tuple[object, ...]:
    return tuple(st.session_state.get(name) for name in (PRESSED, CHANGES, BACK, ASKING, SURE, FLAGGED))


def _details(session: LabellingSession, shown: Shown) -> LabelDetails:
    state = st.session_state
    sample, record = sample_of(session, shown), shown.entered
    return LabelDetails(
        confidence=state.get(SURE),
        spans=marked_in(sample, key=shown.view, marked=() if record is None else record.details.spans),
        flagged=bool(state.get(FLAGGED)),
        comment=(state.get(COMMENT) or None) if state.get(FLAGGED) else None,
        shown=(
            *SEEN,
            *(GUIDELINE if has_read(session.criterion) else ()),
            *(("reference",) if session.reference and sample.reference is not None else ()),
        ),
        # The store knows better where the sample was revealed; one that was picked was looked at before.
        blind=shown.item.purpose != "picked",
    )


def _seconds() -> float:
    now = time.monotonic()
    return round(now - float(st.session_state.get("shown-at", now)), 1)


def _is_shown(shown: Shown, *, asking: str | None) -> bool:
    """A key may reach a button that is on its way out, of the item before or of the other question: it says nothing."""
    return bool(st.session_state.get(ON_CARD) == shown.token and st.session_state.get(ASKING) == asking)


def has_read(criterion: Criterion) -> bool:
    """Whether the present version of the criterion's guideline was opened in this session."""
    return bool(st.session_state.get(READ) == (criterion.name, criterion.guideline_version))


def read_guideline(criterion: Criterion) -> None:
    """Remember that the guideline was on the screen: labels record what was seen."""
    st.session_state[READ] = (criterion.name, criterion.guideline_version)


def _may_supersede(shown: Shown) -> bool:
    """An item of a queue is labelled for the first time; an earlier label is changed only by going back to it."""
    return shown.record is not None or shown.item.lease is None


def blind_id(sample_id: str) -> str:
    """The id without its end after "~", which names a family of variants or an attack and its arm."""
    return sample_id.split("~", 1)[0]


def _done(shown: Shown | None, said: str) -> None:
    state = st.session_state
    state[SAID] = said
    state[CHANGES] = state.get(CHANGES, 0) + 1
    state[LAST] = None if shown is None else shown.item.sample_id
    state[BACK], state[ASKING], state[UNDONE] = 0, None, None
    state.pop(PICKED, None)


def _failed(what: str, error: HcatError) -> None:
    st.session_state[ERROR], st.session_state[SAID] = f"{what}: {error}", ""
    st.session_state[ASKING] = None
