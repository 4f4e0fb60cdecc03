"""Everything that pages read, and all caches. Keys are content hashes; what is cached is never changed.

Labels, jobs and the lists of projects and runs are read from the database each time: they are small, and others
may have changed them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.ratings import Ratings, ratings
from core.agreement.summary import Agreement, LevelAgreement, agreement, agreement_by_level
from core.analysis.agreement import Policy
from core.analysis.agreement import policies as annotators_alone
from core.analysis.answers import answer_kinds as kinds_of_answers
from core.analysis.calibrate import (
    check_exchangeability,
    compare_methods,
    evaluate_labels,
    predict,
    sample_probabilities,
)
from core.analysis.estimate import (
    errors_of_verdicts,
    estimate_by_calibration,
    predicting_method,
    ties_of_pass_rate,
)
from core.analysis.evidence import labels_by_kind
from core.analysis.fitness import MetricFitness
from core.analysis.run_data import RunColumns, RunData
from core.analysis.sample_filter import SampleFacts
from core.analysis.sample_filter import sample_facts as facts_of_samples
from core.analysis.slice_metrics import default_dimension as dimension_to_begin_with
from core.analysis.slice_metrics import most_labelled
from core.analysis.weaknesses import CALIBRATED, find_weaknesses
from core.calibration.calibration import Calibration
from core.calibration.checks.comparison import Comparison
from core.calibration.checks.exchangeability import ExchangeabilityCheck
from core.estimates.label_evaluation import (
    CalibrationSpec,
    HistoryPoint,
    LabelEvaluation,
    ScoredRun,
    history_point,
    history_sizes,
)
from core.estimates.verdict_errors import VerdictErrors
from core.importers import FileColumns, Preview, read_columns, read_run
from core.importers.reading.excel import is_workbook, sheet_csv, sheet_names
from core.importers.scores.read_scores import read_scores
from core.labelling.consensus import ConsensusLabels, is_hash_of, labels_hash, resolve_labels
from core.labelling.ties import TieBounds
from core.metrics.funnel import RunFunnel, run_funnel
from core.metrics.registry import Metric, metrics
from core.records.project import CalibrationRecord, RunInfo
from core.report.evidence.records import LabelEvidence
from core.scoring.languages import languages_of
from core.scoring.score_file import ScoreFile
from core.scoring.score_table import MetricSummary, ScoreTable
from core.statistics.rank_correlation import RankCorrelations, rank_correlations
from core.topics.run_topics import RunTopics
from core.types import Criterion, Estimate, JsonValue, Label, Sample
from core.weakness.beside_labels import beside_labels
from core.weakness.keys import criterion_of, pass_rate_key
from core.weakness.paired import PairedSlices
from core.weakness.table import WeaknessTable
from core.workspace import Workspace
from core.workspace.topics import Source
from dashboard.preload import AFTER_FIRST_PAGE, preload_models

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


class Upload(Protocol):
    """A file that was uploaded, or one sheet of it."""

    @property
    def file_id(self) -> str: ...

    @property
    def name(self) -> str: ...

    def getvalue(self) -> bytes:
        """Its content."""
        ...


@st.cache_resource(show_spinner="Opening the workspace …")
def workspace() -> Workspace:
    """The workspace of this server process. The encoder, which takes seconds to load, follows the first page."""
    opened = Workspace.open(actor="dashboard")
    encoder = threading.Timer(AFTER_FIRST_PAGE, preload_models, (opened.settings,))
    encoder.daemon = True
    encoder.start()
    return opened


@st.cache_resource(show_spinner=False)
def component(name: str, *, js: Sequence[Path], css: Sequence[Path] = ()) -> ComponentRenderer:
    """A component of our own from these files, registered once."""
    code, style = ("".join(path.read_text("utf-8") for path in paths) for paths in (js, css))
    return st.components.v2.component(name, js=code, css=style or None)


def registered_metrics() -> dict[str, Metric]:
    """Every metric by name, in the registry's order."""
    return {metric.name: metric for metric in metrics()}


def _scored_as(run: RunInfo) -> str:
    """Names the run's newest scores in cache keys."""
    latest = workspace().scoring.latest(run)
    return "" if latest is None else latest.artifact


def _sliced_as(run: RunInfo) -> str:
    """Names the run's newest topics of queries in cache keys."""
    latest = workspace().topics.latest(run)
    return "" if latest is None else latest.artifact


def _labelled_as(run: RunInfo, criterion: str) -> str:
    """Names the present labels on a criterion in cache keys."""
    return labels_hash(workspace().labels.current(workspace().projects.of(run), criterion, run))


def _identity(record: RunInfo | CalibrationRecord) -> str:
    """Names a row in cache keys: the database may give the id of a deleted one anew, not its time too."""
    return f"{record.id} {record.created_at.isoformat()}"


def uploaded_sheets(uploaded: Upload) -> tuple[str, ...]:
    """The sheets of an uploaded workbook; none of another file. Raises HcatError where it can't be read."""
    return _uploaded_sheets(uploaded.file_id, uploaded) if is_workbook(uploaded.getvalue()) else ()


@st.cache_resource(max_entries=4, show_spinner="Reading the workbook …")
def _uploaded_sheets(file_id: str, _uploaded: Upload) -> tuple[str, ...]:
    return sheet_names(_uploaded.getvalue())


def uploaded_sheet(uploaded: Upload, sheet: str) -> bytes:
    """One sheet of an uploaded workbook, as CSV. Raises HcatError where it can't be read."""
    return _uploaded_sheet(uploaded.file_id, sheet, uploaded)


@st.cache_resource(max_entries=4, show_spinner="Reading the sheet …")
def _uploaded_sheet(file_id: str, sheet: str, _uploaded: Upload) -> bytes:
    return sheet_csv(_uploaded.getvalue(), sheet=sheet).encode()


def uploaded_columns(uploaded: Upload) -> FileColumns:
    """The columns of an uploaded file. Raises HcatError where it can't be read."""
    return _uploaded_columns(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, show_spinner="Reading the file …")
def _uploaded_columns(file_id: str, _uploaded: Upload) -> FileColumns:
    return read_columns(_uploaded.getvalue(), filename=_uploaded.name)


def uploaded_run(uploaded: Upload, mapping: Mapping[str, str]) -> Preview:
    """The samples of an uploaded run file, and what is wrong in it. Raises HcatError where it can't be read."""
    return _uploaded_run(uploaded.file_id, tuple(sorted(mapping.items())), uploaded)


@st.cache_resource(max_entries=4, show_spinner="Reading the file …")
def _uploaded_run(file_id: str, mapping: tuple[tuple[str, str], ...], _uploaded: Upload) -> Preview:
    return read_run(_uploaded.getvalue(), filename=_uploaded.name, mapping=dict(mapping))


def uploaded_scores(uploaded: Upload) -> ScoreFile:
    """The scores in an uploaded file. Raises HcatError where it can't be read."""
    return _uploaded_scores(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, show_spinner="Reading the file …")
def _uploaded_scores(file_id: str, _uploaded: Upload) -> ScoreFile:
    return read_scores(_uploaded.getvalue(), filename=_uploaded.name)


def samples(run: RunInfo) -> dict[str, Sample]:
    """The run's samples by id, in order."""
    return _samples(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Reading the run …")
def _samples(artifact: str, _run: RunInfo) -> dict[str, Sample]:
    return {sample.id: sample for sample in workspace().runs.samples(_run)}


def scores(run: RunInfo) -> ScoreTable | None:
    """The run's newest scores, or None before the first scoring."""
    latest = workspace().scoring.latest(run)
    return None if latest is None else _scores(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Reading scores …")
def _scores(artifact: str, _run: RunInfo) -> ScoreTable | None:
    return workspace().scoring.table(_run)


def score_summary(run: RunInfo) -> dict[str, MetricSummary]:
    """The mean of each of the run's metrics and what it left unscored; nothing before the first scoring."""
    latest = workspace().scoring.latest(run)
    return {} if latest is None else _score_summary(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Averaging scores …")
def _score_summary(artifact: str, _run: RunInfo) -> dict[str, MetricSummary]:
    table = _scores(artifact, _run)
    return {} if table is None else table.summary(columns(_run).clusters, samples=samples(_run).values())


def correlations(run: RunInfo) -> RankCorrelations:
    """Rank correlations of all pairs of the run's metrics; of none before the first scoring."""
    latest = workspace().scoring.latest(run)
    return RankCorrelations((), {}) if latest is None else _correlations(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Correlating metrics …")
def _correlations(artifact: str, _run: RunInfo) -> RankCorrelations:
    table = _scores(artifact, _run)
    if table is None:
        return rank_correlations({})
    of_sample = columns(_run).clusters or {}
    clusters = [of_sample.get(sample_id, sample_id) for sample_id in table.sample_ids]
    return rank_correlations({name: table.values(name) for name in table.metrics}, clusters=clusters)


def funnel(run: RunInfo) -> RunFunnel:
    """The run's retrieval: both stages of each query, with what they find and lose."""
    return _funnel(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Measuring retrieval …")
def _funnel(artifact: str, _run: RunInfo) -> RunFunnel:
    return run_funnel(list(_samples(artifact, _run).values()))


def languages(run: RunInfo) -> dict[str, int]:
    """How many of the run's samples are in each language that is told."""
    return _languages(run.artifact, run)


@st.cache_data(max_entries=8, show_spinner=False)
def _languages(artifact: str, _run: RunInfo) -> dict[str, int]:
    return languages_of(_samples(artifact, _run).values())


def passage_texts(run: RunInfo) -> dict[str, str]:
    """The text of each passage that any sample of the run retrieved, by id."""
    return _passage_texts(run.artifact, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _passage_texts(artifact: str, _run: RunInfo) -> dict[str, str]:
    all_samples = _samples(artifact, _run).values()
    return {passage.id: passage.text for sample in all_samples for passage in sample.contexts}


def topics(run: RunInfo, *, on: Source = "query") -> RunTopics | None:
    """The run's topics, or None before they were searched."""
    latest = workspace().topics.latest(run, on=on)
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

    def sample(self, sample_id: str) -> Sample:
        return samples(self.run)[sample_id]

    def scores(self) -> ScoreTable | None:
        return scores(self.run)

    def topics(self) -> RunTopics | None:
        return topics(self.run)


def columns(run: RunInfo) -> RunColumns:
    """Samples, newest scores and dimensions of the run, each made when it is first asked for. Not to be changed."""
    return _columns((run.artifact, _scored_as(run), _sliced_as(run)), run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _columns(key: tuple[str, str, str], _run: RunInfo) -> RunColumns:
    return replace(workspace().run_data.columns(_run), source=_CachedColumns(_run))


def open_run(run: RunInfo) -> RunData:
    """The run with its labels as they stand now."""
    return workspace().run_data.open(run, columns=columns(run))


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """A PPI++ pass rate, and between what it lies once ties are decided; None without any."""

    rate: Estimate
    tied: TieBounds | None


def corrected_pass_rate(run: RunInfo, record: CalibrationRecord) -> CorrectedRate:
    """The pass rate by the labels as they stand now and the scores that the calibration reads (PPI++)."""
    return _corrected_pass_rate((_labelled_as(run, record.criterion), _scored_as(run), _identity(record)), run, record)


@st.cache_resource(max_entries=16, show_spinner="Estimating the pass rate …")
def _corrected_pass_rate(key: tuple[str, ...], _run: RunInfo, _record: CalibrationRecord) -> CorrectedRate:
    criterion = workspace().criteria.get(workspace().projects.of(_run).name, _record.criterion)
    opened, fitted = open_run(_run), read_calibration(_record)
    rate = estimate_by_calibration(opened, fitted, criterion).ppi
    method = predicting_method(fitted)
    return CorrectedRate(rate, ties_of_pass_rate(opened, criterion, metrics=fitted.metrics, method=method))


def pass_rate_ties(run: RunInfo, criterion: Criterion, metrics: Sequence[str], method: str) -> TieBounds | None:
    """Between what the PPI++ rate by these metrics lies once ties are decided; None without any."""
    key = (_labelled_as(run, criterion.name), _scored_as(run), method, str(criterion.passing), *metrics)
    return _pass_rate_ties(key, run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Deciding ties both ways …")
def _pass_rate_ties(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> TieBounds | None:
    return ties_of_pass_rate(open_run(_run), _criterion, metrics=key[4:], method=key[2])


def people_labels(run: RunInfo, criterion: Criterion) -> LabelEvidence | None:
    """The pass rate by people's labels as they stand now; None without any."""
    return _people_labels((_labelled_as(run, criterion.name), run.artifact, str(criterion.passing)), run, criterion)


@st.cache_resource(max_entries=32, show_spinner=False)
def _people_labels(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> LabelEvidence | None:
    by_kind = labels_by_kind(open_run(_run), [_criterion])
    return next((evidence for evidence in by_kind if evidence.kind == "people"), None)


def verdict_errors(run: RunInfo, criterion: Criterion, metrics: Sequence[str]) -> tuple[VerdictErrors, ...]:
    """The machine verdicts among these metrics against the labels on the criterion as they stand now."""
    return _verdict_errors((_labelled_as(run, criterion.name), _scored_as(run), *metrics), run, criterion)


@st.cache_resource(max_entries=32, show_spinner="Comparing machine verdicts with labels …")
def _verdict_errors(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> tuple[VerdictErrors, ...]:
    return errors_of_verdicts(open_run(_run), _criterion, metrics=key[2:])


def dimensions(run: RunInfo) -> pd.DataFrame:
    """What samples are sliced by: one row a sample, one column a dimension. Not to be changed."""
    return _dimensions((run.artifact, _scored_as(run), _sliced_as(run)), run)


@st.cache_resource(max_entries=8, show_spinner="Preparing dimensions …")
def _dimensions(key: tuple[str, str, str], _run: RunInfo) -> pd.DataFrame:
    return _columns(key, _run).dimensions


def saved_calibration(run: RunInfo, criterion: str | None = None) -> CalibrationRecord | None:
    """The calibration of the run that was kept last, on this criterion or on any."""
    records = workspace().calibrations.all(run)
    return next((record for record in records if criterion is None or record.criterion == criterion), None)


def read_calibration(record: CalibrationRecord) -> Calibration:
    """The calibration of a kept document."""
    return _calibration(_identity(record), record)


@st.cache_resource(max_entries=32, show_spinner=False)
def _calibration(identity: str, _record: CalibrationRecord) -> Calibration:
    return workspace().calibrations.read(_record)


def is_outdated(run: RunInfo, record: CalibrationRecord) -> bool:
    """Whether labels on the criterion were given or changed since the calibration was kept."""
    labels = workspace().labels.current(workspace().projects.of(run), record.criterion, run)
    return not is_hash_of(read_calibration(record).inputs.get("labels"), labels)


def sample_facts(run: RunInfo, criterion: Criterion | None) -> SampleFacts:
    """What samples are filtered by, with their labels on a criterion as they stand now."""
    judged = [] if criterion is None else workspace().labels.judgements(run, criterion)
    return facts_of_samples(open_run(run), criterion, judged, decisions(run))


def decisions(run: RunInfo) -> pd.DataFrame | None:
    """Probability, prediction set and decision of each sample by the calibration kept last; indexed by sample id."""
    record = saved_calibration(run)
    if record is None or scores(run) is None:
        return None
    return predict(columns(run), read_calibration(record)).set_index("sample_id")


def probability_intervals(run: RunInfo, record: CalibrationRecord) -> Mapping[str, Estimate]:
    """By sample id the probability of a pass by a saved calibration, with the interval of refits to its labels."""
    key = (_labelled_as(run, record.criterion), _scored_as(run), str(record.id))
    return _probability_intervals(key, run, record)


@st.cache_resource(max_entries=8, show_spinner="Fitting the calibration again to reweighted labels …")
def _probability_intervals(key: tuple[str, ...], _run: RunInfo, _record: CalibrationRecord) -> Mapping[str, Estimate]:
    criterion = workspace().criteria.get(workspace().projects.of(_run).name, _record.criterion)
    return sample_probabilities(open_run(_run), read_calibration(_record), criterion)


def exchangeability(run: RunInfo, criterion: Criterion) -> ExchangeabilityCheck:
    """Whether the labelled samples are like the run, by its newest scores and its dimensions."""
    return _exchangeability(_labelled_as(run, criterion.name), _scored_as(run), run, criterion)


@st.cache_resource(max_entries=16, show_spinner=False)
def _exchangeability(labels: str, scores: str, _run: RunInfo, _criterion: Criterion) -> ExchangeabilityCheck:
    return check_exchangeability(open_run(_run), _criterion, seed=workspace().settings.seed)


def scored_run(run: RunInfo) -> ScoredRun | None:
    """Scores, test cases and levels of dimensions of the run's samples; None before the first scoring."""
    return columns(run).scored if _scored_as(run) else None


def label_evaluation(
    run: RunInfo, spec: CalibrationSpec, labels: Sequence[Label], *, replicates: int = 0, repeats: int = 0
) -> LabelEvaluation:
    """What these labels of a scored run say to the spec; computed anew only where one of them changed.

    Without `replicates` there is no bootstrap, without `repeats` no verdict."""
    artifacts = (run.artifact, _scored_as(run), _sliced_as(run))
    previous = _judged_last()
    place = (_identity(run), spec.criterion.name)
    judged = previous[place] = resolve_labels(labels, spec.criterion, before=previous.get(place))
    return _standing(artifacts, judged.hash, repr(spec), (replicates, repeats), run, spec, judged)


@st.cache_resource(show_spinner=False)
def _judged_last() -> dict[tuple[str, str], ConsensusLabels]:
    """What the labels of a run and criterion came to when they were last asked for; of the next, the new ones are."""
    return {}


@st.cache_resource(max_entries=64, show_spinner=False)
def _standing(
    artifacts: tuple[str, str, str],
    labels: str,
    spec: str,
    work: tuple[int, int],
    _run: RunInfo,
    _question: CalibrationSpec,
    _judged: ConsensusLabels,
) -> LabelEvaluation:
    replicates, repeats = work
    return evaluate_labels(open_run(_run), _question, labels=_judged, replicates=replicates, repeats=repeats)


def label_history(run: RunInfo, spec: CalibrationSpec, ordered: Sequence[Label]) -> tuple[HistoryPoint, ...]:
    """How things stood after the first of these labels, which are in order of time."""
    sizes, alone = history_sizes(len(ordered)), workspace().labels.as_first_sampled
    return tuple(history_point(n, label_evaluation(run, spec, alone(run, ordered[:n]))) for n in sizes)


def comparison(run: RunInfo, criterion: Criterion, metrics: Sequence[str]) -> Comparison:
    """All methods on each of these metrics and on all together, by the present labels."""
    return _comparison((_labelled_as(run, criterion.name), _scored_as(run), *metrics), run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Comparing methods by cross-validation …")
def _comparison(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> Comparison:
    return compare_methods(open_run(_run), _criterion, metrics=key[2:], seed=workspace().settings.seed)


def agreement_of(
    run: RunInfo, criterion: Criterion, dimension: str | None = None
) -> tuple[Agreement, tuple[LevelAgreement, ...]]:
    """How far the annotators agree by the labels that hold now, and within each level of a dimension."""
    labels = workspace().annotators.independent_labels(run, criterion)
    table = annotator_ratings(run, criterion, labels)
    levels = {} if dimension is None else {str(i): str(x) for i, x in dimensions(run)[dimension].dropna().items()}
    key = (f"{_identity(run)} {labels_hash(labels)}", criterion.passing, dimension)
    return _agreement(key, table, levels, criterion)


def annotator_ratings(run: RunInfo, criterion: Criterion, labels: Sequence[Label]) -> Ratings:
    """The table of these labels, which knows the trials of one test case."""
    return ratings(labels, criterion=criterion, test_cases=columns(run).shared_clusters)


@st.cache_resource(max_entries=32, show_spinner="Measuring agreement …")
def _agreement(
    key: tuple[str, int, str | None], _table: Ratings, _levels: dict[str, str], _criterion: Criterion
) -> tuple[Agreement, tuple[LevelAgreement, ...]]:
    rng = np.random.default_rng(workspace().settings.seed)
    whole = agreement(_table, criterion=_criterion, rng=rng)
    return whole, agreement_by_level(_table, _levels, criterion=_criterion, rng=rng)


def policies(run: RunInfo, criterion: Criterion, metrics: Sequence[str], method: str) -> tuple[Policy, ...]:
    """What each annotator's labels alone, and the consensus, say of the run; by its newest scores."""
    key = (f"{_identity(run)} {_labelled_as(run, criterion.name)}", _scored_as(run), criterion.passing)
    return _policies(key, tuple(metrics), method, run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Estimating by each annotator's labels …")
def _policies(
    key: tuple[str, str, int], metrics: tuple[str, ...], method: str, _run: RunInfo, _criterion: Criterion
) -> tuple[Policy, ...]:
    return annotators_alone(open_run(_run), _criterion, metrics=metrics, method=method)


def values(run: RunInfo, metric: str) -> pd.Series:
    """A metric's scores, the calibrated probability of a pass, or of a pass rate by labels whether each sample passes
    (1 or 0), by sample id; NaN = unscored, or unlabelled."""
    table = scores(run)
    if (name := criterion_of(metric)) is not None:
        labels = open_run(run).labels(workspace().criteria.get(workspace().projects.of(run), name))
        passes = (labels.levels >= labels.criterion.passing).astype(np.float64)
        return pd.Series(passes, index=pd.Index(labels.sample_ids)).reindex(dimensions(run).index)
    if metric == CALIBRATED:
        decided = decisions(run)
        return pd.Series(dtype=np.float64) if decided is None else decided["probability"]
    if table is None or metric not in table.metrics:
        return pd.Series(dtype=np.float64)
    return pd.Series(table.values(metric), index=pd.Index(table.sample_ids))


def weaknesses(run: RunInfo, metric: str, by: Sequence[str], *, pairs: bool, with_labels: bool = True) -> WeaknessTable:
    """Marginal rows of the dimensions, and with `pairs` every pair of their levels.

    Those of the corrected pass rate carry its error, by refits to the labels: they follow both. Those of a pass rate by
    labels follow the labels; `with_labels` it stands beside the scores of metrics, which do not change with it.
    """
    record = saved_calibration(run) if metric == CALIBRATED else None
    criterion = criterion_of(metric) if record is None else record.criterion
    labelled = "" if criterion is None else _labelled_as(run, criterion)
    rests_on = f"{'' if record is None else _identity(record)} {labelled}"
    key = (run.artifact, _scored_as(run), rests_on, _sliced_as(run))
    table = _weaknesses(key, metric, tuple(by), pairs, run)
    beside = _most_labelled(run) if with_labels and criterion is None else None
    if beside is None:
        return table
    return beside_labels(table, weaknesses(run, pass_rate_key(beside), by, pairs=pairs))


def _most_labelled(run: RunInfo) -> str | None:
    """The criterion on which most samples have a label."""
    criteria = workspace().criteria.all(workspace().projects.of(run))
    return _criterion_of_labels(tuple(_labelled_as(run, criterion.name) for criterion in criteria), run)


@st.cache_resource(max_entries=16, show_spinner=False)
def _criterion_of_labels(key: tuple[str, ...], _run: RunInfo) -> str | None:
    chosen = most_labelled(open_run(_run), workspace().criteria.all(workspace().projects.of(_run)))
    return None if chosen is None else chosen.name


def paired_slices(run: RunInfo, against: RunInfo, metric: str, by: Sequence[str]) -> PairedSlices:
    """The run less another in each slice, by the scores or labels of both as they stand. HcatError where they can't be
    compared on this metric."""
    criterion = criterion_of(metric)
    labelled = () if criterion is None else (_labelled_as(run, criterion), _labelled_as(against, criterion))
    key = (run.artifact, against.artifact, _scored_as(run), _scored_as(against), _sliced_as(run), *labelled)
    return _paired_slices(key, metric, tuple(by), run, against)


@st.cache_resource(max_entries=16, show_spinner="Comparing runs …")
def _paired_slices(
    key: tuple[str, ...], metric: str, by: tuple[str, ...], _run: RunInfo, _against: RunInfo
) -> PairedSlices:
    return workspace().weaknesses.compare(_run, _against, metric, by=by, columns=(columns(_run), columns(_against)))


def slice_metrics(run: RunInfo) -> tuple[str, ...]:
    """By what the slices of the run can be compared, rates of passing first."""
    return workspace().weaknesses.metrics(run, columns=columns(run))


def fitness(run: RunInfo, metric: str) -> MetricFitness | None:
    """How far the metric stands in for people on the criterion with most labels; None where it is what they say."""
    project = workspace().projects.of(run)
    labelled = " ".join(_labelled_as(run, criterion.name) for criterion in workspace().criteria.all(project))
    record = saved_calibration(run) if metric == CALIBRATED else None
    saved = "" if record is None else _identity(record)
    return _fitness((run.artifact, _scored_as(run), _sliced_as(run), labelled, str(saved)), metric, run)


@st.cache_resource(max_entries=128, show_spinner="Comparing the metric with labels …")
def _fitness(key: tuple[str, ...], metric: str, _run: RunInfo) -> MetricFitness | None:
    return workspace().weaknesses.fitness(_run, metric, columns=columns(_run))


def default_slice_metric(run: RunInfo) -> str:
    """By what they are compared at first. NotFoundError where there are neither labels nor scores."""
    return workspace().weaknesses.default_metric(run, columns=columns(run))


def default_dimension(run: RunInfo, criterion: Criterion) -> str | None:
    """The dimension to begin with on a page that looks at one: that with most levels with enough labels."""
    return dimension_to_begin_with(open_run(run), criterion)


def default_dimensions(run: RunInfo, metric: str) -> list[str]:
    """Over which dimensions: those with most levels that this metric can test."""
    return workspace().weaknesses.default_dimensions(run, metric, columns=columns(run))


@st.cache_resource(max_entries=64, show_spinner="Looking for weaknesses …")
def _weaknesses(
    key: tuple[str, str, str, str], metric: str, by: tuple[str, ...], pairs: bool, _run: RunInfo
) -> WeaknessTable:
    if metric == CALIBRATED or criterion_of(metric) is not None:
        return workspace().weaknesses.find(_run, metric, columns=columns(_run), by=by, pairs=pairs)
    return find_weaknesses(open_run(_run), metric, by=by, pairs=pairs)


def answer_kinds(run: RunInfo, *, alike: float) -> list[str]:
    """The kind of each sample's answer within its test case, by meaning; in the order of the samples."""
    return _answer_kinds(run.artifact, alike, run)


@st.cache_data(max_entries=16, show_spinner="Grouping answers by meaning; the first time, the model is loaded …")
def _answer_kinds(artifact: str, alike: float, _run: RunInfo) -> list[str]:
    encoder, store = workspace().scoring.encoder_and_store()
    return kinds_of_answers(columns(_run).samples, encoder=encoder, store=store, alike=alike)


def explanation(run: RunInfo, sample_id: str, names: Sequence[str]) -> dict[str, JsonValue]:
    """How each metric came to its score of one sample."""
    return _explanation(run.artifact, sample_id, tuple(names), run)


@st.cache_data(max_entries=256, show_spinner="Explaining the score; the first time, the model is loaded …")
def _explanation(artifact: str, sample_id: str, names: tuple[str, ...], _run: RunInfo) -> dict[str, JsonValue]:
    return workspace().scoring.explain(_run, sample_id, names)
