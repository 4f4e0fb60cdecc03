"""Results of people's labels of a run, and the agreement of annotators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from hcat.core.capabilities.agreement.analysis import Policy
from hcat.core.capabilities.agreement.analysis import policies as annotators_alone
from hcat.core.capabilities.agreement.ratings import Ratings, ratings
from hcat.core.capabilities.agreement.summary import Agreement, LevelAgreement, agreement, agreement_by_level
from hcat.core.capabilities.calibration.calibrate import evaluate_labels
from hcat.core.capabilities.report.analysis.evidence import labels_by_kind
from hcat.core.capabilities.report.evidence.records import LabelEvidence
from hcat.core.estimates.label_evaluation import (
    CalibrationSpec,
    HistoryPoint,
    LabelEvaluation,
    history_point,
    history_sizes,
)
from hcat.core.labelling.consensus import ConsensusLabels, labels_hash, resolve_labels
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Label
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as, sliced_as
from hcat.dashboard.loaders.runs import columns, dimensions, open_run
from hcat.dashboard.loaders.workspace import workspace


def people_labels(run: RunInfo, criterion: Criterion) -> LabelEvidence | None:
    """The pass rate by people's present labels; None without any."""
    return next((evidence for evidence in label_evidence(run, criterion) if evidence.kind == "people"), None)


def label_evidence(run: RunInfo, criterion: Criterion) -> tuple[LabelEvidence, ...]:
    """The pass rates by people's and by rules' present labels; those without labels are left out."""
    return _label_evidence((labelled_as(run, criterion.name), run.artifact, str(criterion.passing)), run, criterion)


@st.cache_resource(max_entries=32, show_spinner=False)
def _label_evidence(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> tuple[LabelEvidence, ...]:
    return tuple(labels_by_kind(open_run(_run), [_criterion]))


def label_evaluation(
    run: RunInfo, spec: CalibrationSpec, labels: Sequence[Label], *, replicates: int = 0, repeats: int = 0
) -> LabelEvaluation:
    """Evaluation of the spec on these labels of a scored run; recomputed only if one of them changed.

    Without `replicates` there is no bootstrap, without `repeats` no verdict.
    """
    artifacts = (run.artifact, scored_as(run), sliced_as(run))
    previous = _judged_last()
    place = (identity(run), spec.criterion.name)
    judged = previous[place] = resolve_labels(labels, spec.criterion, before=previous.get(place))
    return _standing(artifacts, judged.hash, repr(spec), (replicates, repeats), run, spec, judged)


@st.cache_resource(show_spinner=False)
def _judged_last() -> dict[tuple[str, str], ConsensusLabels]:
    """The resolved labels of a run and criterion at the last request; the next request resolves only new ones."""
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
    """The evaluations after the first n of these labels, which are in order of time."""
    sizes, alone = history_sizes(len(ordered)), workspace().labels.as_first_sampled
    return tuple(history_point(n, label_evaluation(run, spec, alone(run, ordered[:n]))) for n in sizes)


def agreement_of(
    run: RunInfo, criterion: Criterion, dimension: str | None = None
) -> tuple[Agreement, tuple[LevelAgreement, ...]]:
    """The agreement of the annotators by the labels in force, and within each level of a dimension."""
    labels = workspace().annotators.independent_labels(run, criterion)
    table = annotator_ratings(run, criterion, labels)
    levels = {} if dimension is None else {str(i): str(x) for i, x in dimensions(run)[dimension].dropna().items()}
    key = (f"{identity(run)} {labels_hash(labels)}", criterion.passing, dimension)
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
    """Evaluations of the run by each annotator's labels alone and by the consensus; by its newest scores."""
    key = (f"{identity(run)} {labelled_as(run, criterion.name)}", scored_as(run), criterion.passing)
    return _policies(key, tuple(metrics), method, run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Estimating by each annotator's labels …")
def _policies(
    key: tuple[str, str, int], metrics: tuple[str, ...], method: str, _run: RunInfo, _criterion: Criterion
) -> tuple[Policy, ...]:
    return annotators_alone(open_run(_run), _criterion, metrics=metrics, method=method)
