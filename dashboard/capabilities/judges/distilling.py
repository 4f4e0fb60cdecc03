"""A rubric distilled from people's rationales, and its gain on held-out answers."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from hcat.core.capabilities.judges.distil import LEAST_CRITIQUES, RubricGain
from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion
from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest
from hcat.core.capabilities.judges.wording.verdicts import (
    ABOUT_DISTILLING,
    forecast_sentence,
    gain_sentence,
    stored_usage_sentence,
)
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.judging import JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.judges.asking import has_model
from hcat.dashboard.capabilities.judges.results import judged_criteria
from hcat.dashboard.capabilities.judges.rubric_editor import editor_key
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import downloadable
from hcat.dashboard.loaders.workspace import workspace


def distilling_panel(project: ProjectInfo, run: RunInfo, rubric: Rubric, version: int, people: Criterion) -> None:
    """Ask for a new wording, or test the newest version against an earlier one; then show the result."""
    st.markdown(ABOUT_DISTILLING)
    under_way = is_under_way(job_panel(project, kinds=("distil",)))
    names = [criterion.name for criterion in rubric.criteria]
    name = st.selectbox(
        "Criterion of the rubric", names, format_func=lambda each: rubric.criterion(each).title, key="distil-criterion"
    )
    if has_model():
        _ask(project, run, RubricRequest(run.id, rubric.name, name, people.name), version, busy=under_way)
    _results(project, run, rubric, version)


def _ask(project: ProjectInfo, run: RunInfo, request: RubricRequest, version: int, *, busy: bool) -> None:
    most = st.number_input(
        "Held-out answers at most", 10, None, None, placeholder="all", key="distil-most",
        help="Each is judged twice. Fewer cost less and make the interval of the gain wider.",
    )  # fmt: skip
    request = replace(request, most=None if most is None else int(most))
    critiques = len(workspace().rubric_gains.labelled(project, run, request).critiques)
    with st.container(border=True):
        st.markdown(
            f"**Distil a rubric**  \n{counted(critiques, 'label')} of people on the part to write from "
            f"{'says' if critiques == 1 else 'say'} why; at most 60 are sent."
        )
        if critiques < LEAST_CRITIQUES:
            st.info(
                f"At least {LEAST_CRITIQUES} labels with a reason are needed on that part, which is about one half. "
                "Write the reason into the field of that name when you label."
            )
            link_to("labelling", "Label with reasons", icon=":material/edit_note:")
        else:
            _start(project, run, request, "Distil a rubric", busy=busy)
    if version:
        with st.container(border=True):
            st.markdown("**Test the newest version**  \nWhat people changed in the rubric, tested on held-out answers.")
            earlier = st.selectbox("Against version", list(range(version))[::-1], key="gain-against")
            _start(project, run, replace(request, against=earlier), "Measure the gain", busy=busy)


def _start(project: ProjectInfo, run: RunInfo, request: RubricRequest, label: str, *, busy: bool) -> None:
    try:
        ahead = workspace().rubric_gains.forecast(project, run, request)
    except HcatError as error:
        st.error(sentence(error))
        return
    if not ahead.requests:
        st.info(
            "No answer of the held-out part has a label of people and what the criterion needs: label more answers."
        )
        return
    st.caption(f"{forecast_sentence(ahead)} {counted(ahead.samples, 'held-out answer')}, each judged twice.")
    if st.button(label, icon=":material/science:", disabled=busy):
        workspace().jobs.start(project, request)
        st.rerun()


def _results(project: ProjectInfo, run: RunInfo, rubric: Rubric, version: int) -> None:
    stored = [each for each in workspace().rubric_gains.all(run) if each.rubric == rubric.name]
    st.subheader("What was distilled and tested")
    if not stored:
        st.caption("Nothing yet.")
        return
    chosen = st.selectbox("Result", stored, format_func=_title, key="distil-result")
    measured = workspace().rubric_gains.result(chosen)
    st.markdown(plain(gain_sentence(measured.gain)))
    if measured.critiques:
        st.markdown(
            f"Written by {plain(str(chosen.settings.get('model')))} from {counted(measured.critiques, 'critique')}. "
            "It is a proposal: no judge uses it before somebody has read it, edited it and saved it as a version."
        )
    rows = [("Question", measured.first.question, measured.second.question)]
    rows += [
        (f"Score {score}", before, after)
        for score, before, after in zip(
            measured.first.scores, measured.first.levels, measured.second.levels, strict=False
        )
    ]
    frame = pd.DataFrame(rows, columns=["", "First", "Second"]).set_index("")
    st.table(downloadable(frame, "Both wordings of the criterion", with_index=True))
    if measured.critiques:
        st.button(
            "Take it into the editor", icon=":material/edit:", key="distil-take", on_click=_take,
            args=(project, rubric, version, measured),
        )  # fmt: skip
    st.caption(stored_usage_sentence(chosen))


def _take(project: ProjectInfo, rubric: Rubric, version: int, measured: RubricGain) -> None:
    """Fill the editor with the second wording; nothing is saved."""
    criterion: RubricCriterion = measured.second
    key = editor_key(project, rubric, version, criterion)
    st.session_state["judges-view"] = "Rubric"
    st.session_state["rubric-criterion"] = criterion.name
    st.session_state[f"rubric-question-{key}"] = criterion.question
    for score, text in zip(criterion.scores, criterion.levels, strict=True):
        st.session_state[f"rubric-level-{key}-{score}"] = text
    st.session_state[f"rubric-note-{key}"] = f"distilled from {counted(measured.critiques, 'critique')}, edited"


def _title(stored: JudgeRun) -> str:
    criterion = ", ".join(judged_criteria(stored))
    what = "distilled from" if stored.work == "distil" else f"version {stored.settings.get('against')} against"
    return f"{criterion}: {what} version {stored.rubric_version}, {stored.created_at:%Y-%m-%d %H:%M}"
