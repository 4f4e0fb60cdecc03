"""Data hidden until one's own label is saved: scores, the calibrated probability, and others' labels."""

from __future__ import annotations

from collections import Counter

import numpy as np
import streamlit as st

from hcat.core.capabilities.agreement.services.disagreements import Revealed
from hcat.core.display.numbers import counted, format_number
from hcat.core.errors import HcatError
from hcat.core.labelling.records import QueueInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import decisions
from hcat.dashboard.capabilities.labelling.actions import LAST
from hcat.dashboard.capabilities.labelling.session import LabellingSession
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import PROBABILITY_TITLE, metric_title
from hcat.dashboard.loaders.runs import sample, sample_ids
from hcat.dashboard.loaders.workspace import workspace


def reveal_strip(session: LabellingSession, queue: QueueInfo) -> None:
    """The strip on the sample labelled last, where the project wants it."""
    sample_id = st.session_state.get(LAST)
    if not session.reveal or sample_id is None or sample_id not in sample_ids(session.run):
        return
    if queue.rules.repeats:
        st.caption("Nothing is revealed in a queue with hidden repeats: they would not be judged afresh.")
        return
    try:
        revealed = workspace().disagreements.reveal(session.run, session.criterion, sample_id, session.annotator)
    except HcatError:
        return  # the label was taken back, or the sample is before the annotator again
    with st.container(border=True, key="revealed"):
        query = sample(session.run, sample_id).query
        st.markdown(f"**Revealed, now that your label is in:** {plain(query[:160])}")
        st.markdown(" · ".join(_revealed_lines(revealed, session.criterion)))
        decided = decisions(session.run)
        cells = [
            f"{metric_title(name)} **{format_number(score.value)}**"
            for name, score in revealed.scores.items()
            if score.value is not None
        ]
        if decided is not None and sample_id in decided.index:
            value = float(decided["probability"][sample_id])
            shown = format_number(value) if np.isfinite(value) else "unscored"
            cells.insert(0, f"{PROBABILITY_TITLE} **{shown}**")
        unscored = sum(score.value is None for score in revealed.scores.values())
        st.caption(
            " · ".join([*cells, *([counted(unscored, "metric") + " unscored"] if unscored else [])]) or "No scores yet."
        )


def _revealed_lines(revealed: Revealed, criterion: Criterion) -> list[str]:
    """Others without their names: it is the level that matters, not whose it is."""
    lines = [f"You: **{_level(criterion, revealed.own.level)}**"]
    others = Counter(_level(criterion, record.level) for record in revealed.others if record.kind != "skip")
    lines += [f"{n} other{'s' if n > 1 else ''}: **{level}**" for level, n in others.items()]
    if not others:
        lines.append("nobody else has labelled it yet")
    if revealed.gold is not None:
        lines.append(
            f"known to be right: **{_level(criterion, revealed.gold.level)}** {plain(revealed.gold.rationale)}"
        )
    if revealed.decided is not None:
        lines.append(f"decided: **{_level(criterion, revealed.decided.level)}** {plain(revealed.decided.rationale)}")
    return lines


def _level(criterion: Criterion, level: int | None) -> str:
    return "can't judge" if level is None else plain(criterion.levels[level])
