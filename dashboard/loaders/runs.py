"""A run: its samples, newest scores, topics and dimensions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from hcat.core.capabilities.samples.answers import kinds_of_trials as kinds_of_answers
from hcat.core.estimates.label_evaluation import ScoredRun
from hcat.core.jobs.forecast import Forecast
from hcat.core.metrics.funnel import RunFunnel, run_funnel
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.project.topics import Source
from hcat.core.records.project import RunInfo
from hcat.core.records.samples.columns import SampleColumns, Trial, trials_in
from hcat.core.refusals.state import ANSWER_STATES, AnswerState
from hcat.core.scoring.bare_texts import BareReferences, bare_among
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.topics.run_topics import RunTopics
from hcat.core.types import Sample
from hcat.dashboard.loaders.keys import scored_as, sliced_as
from hcat.dashboard.loaders.stored import newest_scoring, newest_topics
from hcat.dashboard.loaders.workspace import workspace


def samples(run: RunInfo) -> dict[str, Sample]:
    """The run's samples by id, in order."""
    return _samples(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Reading the run …")
def _samples(artifact: str, _run: RunInfo) -> dict[str, Sample]:
    return {sample.id: sample for sample in workspace().runs.samples(_run)}


def sample_ids(run: RunInfo) -> dict[str, None]:
    """The ids of the run's samples, in order; no text is read for them."""
    return _sample_ids(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _sample_ids(artifact: str, _run: RunInfo) -> dict[str, None]:
    return dict.fromkeys(workspace().runs.columns(_run).ids())


def sample(run: RunInfo, sample_id: str) -> Sample:
    """One sample of the run, without the others, or NotFoundError."""
    return _sample(run.artifact, sample_id, run)


@st.cache_resource(max_entries=64, show_spinner=False)
def _sample(artifact: str, sample_id: str, _run: RunInfo) -> Sample:
    return workspace().runs.sample(_run, sample_id)


def some_samples(run: RunInfo, ids: Sequence[str]) -> dict[str, Sample]:
    """These samples of the run by id, without decoding the others."""
    return _some_samples(run.artifact, tuple(ids), run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _some_samples(artifact: str, ids: tuple[str, ...], _run: RunInfo) -> dict[str, Sample]:
    return workspace().runs.some(_run, ids)


def answer_state_of(run: RunInfo) -> Mapping[str, AnswerState]:
    """The state of each sample's answer."""
    return _answer_state_of(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _answer_state_of(artifact: str, _run: RunInfo) -> Mapping[str, AnswerState]:
    stored = workspace().runs.columns(_run)
    of_name: dict[str | None, AnswerState] = {state: state for state in ANSWER_STATES}
    return dict(zip(stored.ids(), map(of_name.__getitem__, stored.levels("answer_state").texts()), strict=True))


def ids_holding(run: RunInfo, text: str) -> frozenset[str]:
    """The samples with this in a text, whatever its case; the run is read once, a group of rows at a time."""
    return _ids_holding(run.artifact, text.casefold().strip(), run)


@st.cache_resource(max_entries=16, show_spinner="Searching …")
def _ids_holding(artifact: str, text: str, _run: RunInfo) -> frozenset[str]:
    return workspace().run_data.holding(_run, text)


def scores(run: RunInfo) -> ScoreTable | None:
    """The run's newest scores, or None before the first scoring."""
    latest = newest_scoring(run)
    return None if latest is None else _scores(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Reading scores …")
def _scores(artifact: str, _run: RunInfo) -> ScoreTable | None:
    return workspace().scoring.table(_run)


def scoring_forecast(run: RunInfo, metrics: Sequence[str]) -> Forecast | None:
    """Forecast of the resources for scoring the run on these metrics; None for a small run. Raises the errors of
    scoring."""
    return _scoring_forecast(run.artifact, tuple(metrics), run)


@st.cache_resource(max_entries=16, show_spinner="Scoring the first samples …")
def _scoring_forecast(artifact: str, metrics: tuple[str, ...], _run: RunInfo) -> Forecast | None:
    return workspace().scoring.forecast(_run, metrics)


def topics(run: RunInfo, *, on: Source = "query") -> RunTopics | None:
    """The run's topics, or None before they were searched."""
    latest = newest_topics(run, on)
    return None if latest is None else _topics(latest.artifact, run, on)


@st.cache_resource(max_entries=8, show_spinner="Reading topics …")
def _topics(artifact: str, _run: RunInfo, _on: Source) -> RunTopics | None:
    return workspace().topics.read(_run, on=_on)


@dataclass(frozen=True)
class _CachedColumns:
    """The parts of a run as this module caches them."""

    run: RunInfo

    def samples(self) -> tuple[Sample, ...]:
        return tuple(samples(self.run).values())

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        return workspace().runs.samples_at(self.run, rows)

    def columns(self) -> SampleColumns:
        return workspace().runs.columns(self.run)

    def sample(self, sample_id: str) -> Sample:
        return sample(self.run, sample_id)

    def scores(self) -> ScoreTable | None:
        return scores(self.run)

    def topics(self) -> RunTopics | None:
        return topics(self.run)


def columns(run: RunInfo) -> RunColumns:
    """Samples, newest scores and dimensions of the run, each made when it is first asked for. Not to be changed."""
    return _columns((run.artifact, scored_as(run), sliced_as(run)), run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _columns(key: tuple[str, str, str], _run: RunInfo) -> RunColumns:
    return replace(workspace().run_data.columns(_run), source=_CachedColumns(_run))


def dimensions(run: RunInfo) -> pd.DataFrame:
    """Dimensions by which samples are sliced: one row a sample, one column a dimension. Callers must not modify it."""
    return _dimensions((run.artifact, scored_as(run), sliced_as(run)), run)


@st.cache_resource(max_entries=8, show_spinner="Preparing dimensions …")
def _dimensions(key: tuple[str, str, str], _run: RunInfo) -> pd.DataFrame:
    return _columns(key, _run).dimensions


def open_run(run: RunInfo) -> Opened:
    """The run with its present labels."""
    return workspace().run_data.open(run, columns=columns(run))


def scored_run(run: RunInfo) -> ScoredRun | None:
    """Scores, test cases and levels of dimensions of the run's samples; None before the first scoring."""
    return columns(run).scored if scored_as(run) else None


def languages(run: RunInfo) -> dict[str, int]:
    """The number of the run's samples in each language that was determined."""
    return _languages(run.artifact, run)


@st.cache_data(max_entries=8, show_spinner=False)
def _languages(artifact: str, _run: RunInfo) -> dict[str, int]:
    return workspace().runs.columns(_run).levels("language").counts()


def bare_references(run: RunInfo) -> BareReferences:
    """The number of the run's references that state nothing: a number, a date, a few words."""
    return _bare_references(run.artifact, run)


@st.cache_data(max_entries=8, show_spinner=False)
def _bare_references(artifact: str, _run: RunInfo) -> BareReferences:
    return bare_among(workspace().runs.columns(_run).levels("reference_kind"))


def passage_texts(run: RunInfo, ids: Iterable[str]) -> dict[str, str]:
    """The texts of those of these passages that any sample of the run retrieved, by id; of as few samples as have
    them."""
    rows = _rows_with_passage(run.artifact, run)
    wanted = {name: rows[name] for name in ids if name in rows}
    found = dict(zip(places := sorted(set(wanted.values())), workspace().runs.samples_at(run, places), strict=True))
    texts = {row: {passage.id: passage.text for passage in sample.contexts} for row, sample in found.items()}
    return {name: texts[row][name] for name, row in wanted.items()}


def retrieved_passages(run: RunInfo) -> Collection[str]:
    """The ids of the passages that any sample of the run retrieved."""
    return _rows_with_passage(run.artifact, run).keys()


@st.cache_resource(max_entries=8, show_spinner=False)
def _rows_with_passage(artifact: str, _run: RunInfo) -> dict[str, int]:
    """The last row that has each passage, of those whose texts are not erased."""
    stored = workspace().runs.columns(_run)
    erased = (stored.levels("erased").codes >= 0).tolist()
    rows = enumerate(stored.retrieved())
    return {name: row for row, each in rows if not erased[row] for name in each.contexts}


def funnel(run: RunInfo) -> RunFunnel:
    """The run's retrieval: both stages of each query, with what they find and lose."""
    return _funnel(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Measuring retrieval …")
def _funnel(artifact: str, _run: RunInfo) -> RunFunnel:
    return run_funnel(workspace().runs.columns(_run))


def answer_kinds(run: RunInfo, *, alike: float) -> list[str]:
    """The kind of each sample's answer within its test case, by meaning; in the order of the samples."""
    return _answer_kinds(run.artifact, alike, run)


@st.cache_data(max_entries=16, show_spinner="Grouping answers by meaning; the first time, the model is loaded …")
def _answer_kinds(artifact: str, alike: float, _run: RunInfo) -> list[str]:
    encoder, store = workspace().scoring.encoder_and_store()
    return kinds_of_answers(columns(_run), encoder=encoder, store=store, alike=alike)


def trials(run: RunInfo) -> list[Trial]:
    """The samples of the run as trials of test cases."""
    return _trials(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _trials(artifact: str, _run: RunInfo) -> list[Trial]:
    return trials_in(workspace().runs.columns(_run))
