"""Labels played again in order of time, and how q̂, coverage, AUC and the pass rate moved meanwhile."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from hcat.core.estimates.label_evaluation import FIRST, CalibrationSpec, in_order
from hcat.core.records.project import RunInfo
from hcat.core.types import Label
from hcat.dashboard.capabilities.labelling.chart import label_history as history_chart
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.labels import label_history

PLAYING = "replay-playing"
SECONDS_A_STEP = 1.0
STEPS = 20


def pick_label_count(labels: Sequence[Label]) -> tuple[Label, ...]:
    """The labels up to the position of the slider or the replay; all of them unless somebody moves it."""
    ordered = in_order(labels)
    first, last, key = min(FIRST, len(ordered)), len(ordered), f"replay-{len(ordered)}"
    if last <= first:
        st.session_state[PLAYING] = False
        return ordered
    if is_playing():
        _step(key, first, last)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.slider(
            "Number of labels used (oldest first)",
            first,
            last,
            None if key in st.session_state else last,
            key=key,
            help="Everything below is computed from the oldest labels only. A label that was changed later counts "
            "once, at the time of the change.",
        )
        if is_playing():
            st.button("Stop", icon=":material/stop:", key="replay-stop", on_click=_stop)
        else:
            st.button("Play", icon=":material/play_arrow:", key="replay-play", on_click=_play, args=(key, first, last))
    if at < last:
        newest = ordered[at - 1].at
        when = "" if newest is None else f", up to {newest:%d %B %Y at %H:%M}"
        st.info(f"The first {at} of {last} labels{when}. Saving uses all present labels.", icon=":material/history:")
    return ordered[:at]


def is_playing() -> bool:
    """Whether the labels are being replayed."""
    return bool(st.session_state.get(PLAYING, False))


def history_panel(run: RunInfo, spec: CalibrationSpec, labels: Sequence[Label], *, at: int) -> None:
    """Four small charts of estimates over the number of labels."""
    st.markdown("**As labels came**")
    points = label_history(run, spec, in_order(labels))
    here = at if at < len(labels) else None
    st.plotly_chart(
        history_chart(points, alpha=spec.alpha, at=here, dark=is_dark()),
        key="label-history",
        alt="Threshold, coverage, AUC and pass rate over the number of labels",
        config={"displayModeBar": False},
    )
    st.caption(
        "Evaluated at 10, 14, 20, 28 … labels. Bands are 95% intervals of each point alone, not of the whole "
        "curve; a hollow q̂ (the threshold of the "
        f"prediction sets) had too few labels for α; dashed: the {1 - spec.alpha:.0%} promised, and an AUC of chance. "
        "Repeated looks make intervals too optimistic: decide by a plan, or at the end."
    )


def _step(key: str, first: int, last: int) -> None:
    """One step on; at the end the replay stops, and with it the page's timer."""
    at = min(int(st.session_state.get(key, first)) + math.ceil((last - first) / STEPS), last)
    st.session_state[key] = at
    if at == last:
        st.session_state[PLAYING] = False
        st.rerun()


def _play(key: str, first: int, last: int) -> None:
    st.session_state[PLAYING] = True
    if int(st.session_state.get(key, last)) >= last:
        st.session_state[key] = first
    st.rerun()


def _stop() -> None:
    st.session_state[PLAYING] = False
    st.rerun()
