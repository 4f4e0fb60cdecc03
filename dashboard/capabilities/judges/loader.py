"""Verdicts of judges on a run, and their agreement with the present labels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from hcat.core.capabilities.judges.against_people import JudgeAgreement, judge_agreement
from hcat.core.capabilities.judges.manipulations import ScoreBias
from hcat.core.capabilities.judges.panel import panel_of, panel_scores
from hcat.core.capabilities.judges.rubric import Rubric
from hcat.core.capabilities.judges.self_preference import SelfPreference
from hcat.core.capabilities.judges.stored import StoredJudgement
from hcat.core.capabilities.judges.verdict import JudgeVerdict, mean_scores
from hcat.core.records.clusters import clusters_of
from hcat.core.records.judging import JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.loaders.keys import labelled_as
from hcat.dashboard.loaders.runs import samples
from hcat.dashboard.loaders.workspace import workspace

MEAN = "mean of the panel"


def verdicts(judged: JudgeRun) -> tuple[JudgeVerdict, ...]:
    """The verdicts of a run or a trial."""
    return _verdicts(judged.artifact, judged)


@st.cache_resource(max_entries=16, show_spinner=False)
def _verdicts(artifact: str, _judged: JudgeRun) -> tuple[JudgeVerdict, ...]:
    return workspace().judges.verdicts(_judged)


def biases(judged: JudgeRun) -> ScoreBias:
    """The result of a check for bias."""
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


def panel_beside_people(
    project: ProjectInfo, run: RunInfo, metrics: tuple[str, ...], people: Criterion
) -> dict[str, JudgeAgreement]:
    """Agreement of each of these judges, and of their mean, with the labels; those only whose rubric is known."""
    key = (str(run.id), *metrics, labelled_as(run, people.name), repr(people), str(workspace().scoring.latest(run)))
    return _panel_beside_people(key, project, run, metrics, people)


@st.cache_resource(max_entries=16, show_spinner="Comparing with the labels …")
def _panel_beside_people(
    key: tuple[str, ...], _project: ProjectInfo, _run: RunInfo, _metrics: tuple[str, ...], _people: Criterion
) -> dict[str, JudgeAgreement]:
    table = workspace().scoring.required(_run)
    stored = [each for each in workspace().judges.newest(_project, _run) if isinstance(each, StoredJudgement)]
    judged_by = {f"{each.facts.judge}:{name}": each.rubric.criterion(name) for each in stored for name in each.criteria}
    if not set(_metrics) <= set(judged_by):
        return {}
    mean = panel_scores(table, panel_of(table, _metrics), name=MEAN)
    labels = workspace().labels.current(_project, _people.name, _run)
    columns = [(name, table, judged_by[name]) for name in _metrics] + [(MEAN, mean, judged_by[_metrics[0]])]
    return {
        name: judge_agreement(
            {sample_id: of.score(sample_id, name) for sample_id in of.sample_ids},
            labels,
            people=_people,
            judge=criterion,
            rng=np.random.default_rng(workspace().settings.seed),
            clusters=clusters_of(tuple(samples(_run).values())),
        )
        for name, of, criterion in columns
    }


def self_preference(
    project: ProjectInfo, runs: Mapping[str, bool], judge: str, people: Criterion
) -> tuple[SelfPreference, ...]:
    """By how much the judge prefers the runs of its own family (True) to the others, by the present labels and
    verdicts."""
    read = [workspace().runs.get(project, name) for name in runs]
    judged = [each.artifact for run in read for each in workspace().judges.all(run)]
    key = (*map(str, runs.items()), judge, repr(people), *(labelled_as(run, people.name) for run in read), *judged)
    return _self_preference(key, project, runs, judge, people)


@st.cache_resource(max_entries=16, show_spinner="Comparing answers …")
def _self_preference(
    key: tuple[str, ...], _project: ProjectInfo, _runs: Mapping[str, bool], _judge: str, _people: Criterion
) -> tuple[SelfPreference, ...]:
    return workspace().judges.self_preference(_project, _runs, _judge, _people)
