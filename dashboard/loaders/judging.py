"""What judges said of a run, and how far they agree with the labels as they stand."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.agreement.judges.against_people import JudgeAgreement, judge_agreement
from core.agreement.judges.manipulations import ScoreBias
from core.agreement.judges.rubric import Rubric
from core.agreement.judges.verdict import JudgeVerdict, mean_scores
from core.records.clusters import clusters_of
from core.records.judging import JudgeRun
from core.records.project import RunInfo
from core.types import Criterion
from dashboard.loaders.keys import labelled_as
from dashboard.loaders.runs import samples
from dashboard.loaders.workspace import workspace


def verdicts(judged: JudgeRun) -> tuple[JudgeVerdict, ...]:
    """The verdicts of a run or a trial."""
    return _verdicts(judged.artifact, judged)


@st.cache_resource(max_entries=16, show_spinner=False)
def _verdicts(artifact: str, _judged: JudgeRun) -> tuple[JudgeVerdict, ...]:
    return workspace().judges.verdicts(_judged)


def biases(judged: JudgeRun) -> ScoreBias:
    """What a check for bias came to."""
    return _biases(judged.artifact, judged)


@st.cache_resource(max_entries=16, show_spinner=False)
def _biases(artifact: str, _judged: JudgeRun) -> ScoreBias:
    return workspace().judges.biases(_judged)


def beside_people(run: RunInfo, judged: JudgeRun, rubric: Rubric, name: str, people: Criterion) -> JudgeAgreement:
    """The judge's verdicts on one criterion of the rubric beside the labels on one of the project's criteria."""
    key = (judged.artifact, rubric.hash, name, labelled_as(run, people.name), repr(people))
    return _beside_people(key, run, judged, rubric, name, people)


@st.cache_resource(max_entries=32, show_spinner="Comparing with the labels …")
def _beside_people(
    key: tuple[str, ...], _run: RunInfo, _judged: JudgeRun, _rubric: Rubric, _name: str, _people: Criterion
) -> JudgeAgreement:
    project = workspace().projects.of(_run)
    return judge_agreement(
        mean_scores(verdicts(_judged), _name),
        workspace().labels.current(project, _people.name, _run),
        people=_people,
        judge=_rubric.criterion(_name),
        rng=np.random.default_rng(workspace().settings.seed),
        clusters=clusters_of(tuple(samples(_run).values())),
    )
