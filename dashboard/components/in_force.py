"""The calibration in force, stated wherever it is used: one sentence, the same on every page."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.calibration.wording.in_force import in_force_sentence
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.calibration.loader import read_calibration, saved_calibration
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.outdated import outdated_note


def calibration_in_force(run: RunInfo, criterion: str | None = None) -> None:
    """Which calibration acts on the run, or on this criterion, with its verdict; nothing where none is saved."""
    record = saved_calibration(run, criterion)
    if record is None:
        return
    calibration = read_calibration(record)
    sentence = plain(in_force_sentence(calibration, saved_at=record.created_at)) + outdated_note(run)
    if calibration.is_fit:
        st.info(sentence, icon=":material/tune:")
    else:
        st.warning(sentence, icon=":material/tune:")
