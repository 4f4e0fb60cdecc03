"""The calibrations of a run and the results that use them: decisions, corrected rates, comparisons of methods."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.comparison import Comparison
from hcat.core.calibration.checks.exchangeability import ExchangeabilityCheck
from hcat.core.capabilities.calibration.calibrate import (
    check_exchangeability,
    compare_methods,
    predict,
    refit,
    sample_probability,
)
from hcat.core.capabilities.estimates.estimate import estimate_by_calibration, predicting_method, ties_of_pass_rate
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import labels_hash
from hcat.core.labelling.ties import TieBounds
from hcat.core.opened.sample_filter import SampleFacts
from hcat.core.opened.sample_filter import sample_facts as facts_of_samples
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Criterion, Estimate
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as, sliced_as
from hcat.dashboard.loaders.runs import columns, open_run, scores
from hcat.dashboard.loaders.stored import calibrations_of, labels_of, project_of
from hcat.dashboard.loaders.workspace import workspace


def saved_calibration(run: RunInfo, criterion: str | None = None) -> CalibrationRecord | None:
    """The calibration of the run that was saved last, on this criterion or on any."""
    records = calibrations_of(run)
    return next((record for record in records if criterion is None or record.criterion == criterion), None)


def read_calibration(record: CalibrationRecord) -> Calibration:
    """The calibration of a saved document."""
    return _calibration(identity(record), record)


@st.cache_resource(max_entries=32, show_spinner=False)
def _calibration(key: str, _record: CalibrationRecord) -> Calibration:
    return workspace().calibrations.read(_record)


def is_outdated(run: RunInfo, record: CalibrationRecord) -> bool:
    """Whether labels on the criterion were given or changed since the calibration was saved."""
    return read_calibration(record).inputs.get("labels") != labels_hash(labels_of(run, record.criterion))


def decisions(run: RunInfo) -> pd.DataFrame | None:
    """Probability, prediction set and decision of each sample by the calibration saved last; indexed by sample id."""
    record = saved_calibration(run)
    if record is None or scores(run) is None:
        return None
    return _decisions((scored_as(run), sliced_as(run), identity(record)), run, record)


@st.cache_resource(max_entries=8, show_spinner="Deciding by the calibration …")
def _decisions(key: tuple[str, ...], _run: RunInfo, _record: CalibrationRecord) -> pd.DataFrame:
    return predict(columns(_run), read_calibration(_record)).set_index("sample_id")


def sample_facts(run: RunInfo, criterion: Criterion | None) -> SampleFacts:
    """Values by which samples are filtered, with their present labels on a criterion."""
    judged = [] if criterion is None else workspace().labels.judgements(run, criterion)
    return facts_of_samples(open_run(run), criterion, judged, decisions(run))


def probability_of(run: RunInfo, record: CalibrationRecord, sample_id: str) -> Estimate:
    """The probability of a pass of a sample by a saved calibration, with the interval of refits to its labels."""
    key = (labelled_as(run, record.criterion), scored_as(run), str(record.id))
    fitted = read_calibration(record)
    return sample_probability(columns(run).scores, fitted, sample_id, _refits(key, run, record))


@st.cache_resource(max_entries=8, show_spinner="Fitting the calibration again to reweighted labels …")
def _refits(key: tuple[str, ...], _run: RunInfo, _record: CalibrationRecord) -> Refitted | None:
    """None where the present labels fit no map."""
    criterion = workspace().criteria.get(project_of(_run).name, _record.criterion)
    with suppress(HcatError):
        return refit(open_run(_run), read_calibration(_record), criterion)
    return None


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """A PPI++ pass rate, and its bounds once ties are decided; None without any. `of_these` is of the run's own
    answers."""

    rate: Estimate
    tied: TieBounds | None
    of_these: Estimate | None = None


def corrected_pass_rate(run: RunInfo, record: CalibrationRecord) -> CorrectedRate:
    """The pass rate by the present labels and the scores that the calibration reads (PPI++)."""
    return _corrected_pass_rate((labelled_as(run, record.criterion), scored_as(run), identity(record)), run, record)


@st.cache_resource(max_entries=16, show_spinner="Estimating the pass rate …")
def _corrected_pass_rate(key: tuple[str, ...], _run: RunInfo, _record: CalibrationRecord) -> CorrectedRate:
    criterion = workspace().criteria.get(project_of(_run).name, _record.criterion)
    opened, fitted = open_run(_run), read_calibration(_record)
    rates = estimate_by_calibration(opened, fitted, criterion)
    tied = ties_of_pass_rate(opened, criterion, metrics=fitted.metrics, method=predicting_method(fitted))
    return CorrectedRate(rates.ppi, tied, None if rates.of_these is None else rates.of_these.ppi)


def pass_rate_ties(run: RunInfo, criterion: Criterion, metrics: Sequence[str], method: str) -> TieBounds | None:
    """Bounds of the PPI++ rate by these metrics once ties are decided; None without any."""
    key = (labelled_as(run, criterion.name), scored_as(run), method, str(criterion.passing), *metrics)
    return _pass_rate_ties(key, run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Deciding ties both ways …")
def _pass_rate_ties(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> TieBounds | None:
    return ties_of_pass_rate(open_run(_run), _criterion, metrics=key[4:], method=key[2])


def comparison(run: RunInfo, criterion: Criterion, metrics: Sequence[str]) -> Comparison:
    """All methods on each of these metrics and on all together, by the present labels."""
    return _comparison((labelled_as(run, criterion.name), scored_as(run), *metrics), run, criterion)


@st.cache_resource(max_entries=16, show_spinner="Comparing methods by cross-validation …")
def _comparison(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> Comparison:
    return compare_methods(open_run(_run), _criterion, metrics=key[2:], seed=workspace().settings.seed)


def exchangeability(run: RunInfo, criterion: Criterion) -> ExchangeabilityCheck:
    """Whether the labelled samples are like the run, by its newest scores and its dimensions."""
    return _exchangeability(labelled_as(run, criterion.name), scored_as(run), run, criterion)


@st.cache_resource(max_entries=16, show_spinner=False)
def _exchangeability(labels: str, scores: str, _run: RunInfo, _criterion: Criterion) -> ExchangeabilityCheck:
    return check_exchangeability(open_run(_run), _criterion, seed=workspace().settings.seed)
