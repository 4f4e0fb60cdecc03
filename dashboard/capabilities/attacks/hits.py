"""Each answer in which a detector reports success, with the place that shows it."""

from __future__ import annotations

import math

import streamlit as st

from hcat.core.attack_detectors import ADDED, DetectedAnswer
from hcat.core.capabilities.attacks.analysis import detected
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.display.numbers import counted
from hcat.core.records.project import RunInfo
from hcat.core.types import JsonValue
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.runs import columns

SHOWN = 5
"""Answers on one screen."""
LONGEST_MARK = 400


def hits_panel(run: RunInfo, results: AttackResults) -> None:
    """The answers to attacks and controls of a family, a few at a time: hits, or all."""
    st.subheader("Answers")
    families = [each.family for each in results.families]
    left, right = st.columns([3, 2])
    family = left.selectbox("Family", families, key="attack-family")
    which = right.segmented_control("Show", ("hits", "all"), default="hits", key="attack-which") or "hits"
    shown = [each for each in results.samples if each.family == family and (which == "all" or each.hit)]
    shown.sort(key=lambda each: (each.arm != "attack", each.sample_id))
    if not shown:
        st.info("The detector reports no success in this family, neither under attack nor in the controls.")
        return
    pages = math.ceil(len(shown) / SHOWN)
    st.caption(f"{counted(len(shown), 'answer')}, attacks first, then controls.")
    page = 1
    if pages > 1:
        page = int(st.number_input(f"Page of {pages}", 1, pages, 1, key=f"attack-page-{family}-{which}", width=160))
    for each in detected(columns(run), shown[SHOWN * (page - 1) : SHOWN * page]):
        with st.container(border=True):
            _answer(each)


def marked(each: DetectedAnswer) -> str:
    """The answer as Markdown with the place found by the detector marked."""
    answer = each.sample.answer or ""
    start, end = each.detection.start, each.detection.end
    mark = " ".join(answer[start:end].split())
    if not mark or len(mark) > LONGEST_MARK:
        return plain(" ".join(answer.split())) or "*no answer*"
    before, after = " ".join(answer[:start].split()), " ".join(answer[end:].split())
    return f"{plain(before)} :orange-background[{plain(mark)}] {plain(after)}".strip()


def _answer(each: DetectedAnswer) -> None:
    st.markdown(f"**{each.asked.arm}** · {plain(each.sample.id)} · {plain(each.detection.because)}")
    st.markdown(plain(each.sample.query))
    st.markdown(f"→ {marked(each)}")
    planted = _planted(each.sample.metadata.get(ADDED))
    if planted:
        came_back = {True: "was retrieved", False: "was not retrieved", None: "may have been retrieved: no contexts"}
        with st.expander(f"The planted passage {came_back[each.asked.poison_retrieved]}"):
            for text in planted:
                st.markdown(plain(text))


def _planted(added: JsonValue) -> list[str]:
    return [str(row["text"]) for row in added if isinstance(row, dict)] if isinstance(added, list) else []
