"""The slices of a run: the metrics of comparison, weaknesses, and the slices in view. Q-values are over the whole
planned family, whatever is in view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.capabilities.calibration.fitness import MetricFitness, fitness_beside
from hcat.core.capabilities.weaknesses.paired_slices import compare_runs_by_slice
from hcat.core.capabilities.weaknesses.slice_metrics import default_dimension as dimension_to_begin_with
from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions as dimensions_to_begin_with
from hcat.core.capabilities.weaknesses.slice_metrics import default_metric as metric_to_begin_with
from hcat.core.capabilities.weaknesses.slice_metrics import most_labelled, slice_values
from hcat.core.capabilities.weaknesses.slice_metrics import slice_metrics as metrics_of_slices
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED, compare_slices, find_weaknesses
from hcat.core.figures.pair_coverage import PairCoverage, pair_coverages
from hcat.core.records.project import RunInfo
from hcat.core.slices.beside_labels import beside_labels
from hcat.core.slices.family import shown_slices
from hcat.core.slices.keys import criterion_of, pass_rate_key
from hcat.core.slices.paired import PairedSlices
from hcat.core.slices.table import WeaknessTable, side_by_side
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import decisions, saved_calibration
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as, sliced_as
from hcat.dashboard.loaders.runs import dimensions, open_run, sample_ids, scores
from hcat.dashboard.loaders.stored import criteria_of, project_of
from hcat.dashboard.loaders.workspace import workspace


def values(run: RunInfo, metric: str) -> pd.Series:
    """The values of a metric by sample id: scores, calibrated probabilities, or for a pass rate by labels 1 (pass) or
    0. NaN = unscored, or unlabelled."""
    table = scores(run)
    if (name := criterion_of(metric)) is not None:
        people = slice_values(open_run(run).on(workspace().criteria.get(project_of(run), name)), metric)
        return (pd.Series(dtype=np.float64) if people is None else people).reindex(dimensions(run).index)
    if metric == CALIBRATED:
        decided = decisions(run)
        return pd.Series(dtype=np.float64) if decided is None else decided["probability"]
    if table is None or metric not in table.metrics:
        return pd.Series(dtype=np.float64)
    return pd.Series(table.values(metric), index=table.frame.index)


def ids_by_value(run: RunInfo, metric: str, *, ascending: bool) -> Sequence[str]:
    """All of the run's ids by `values`, the unscored last; those that are alike keep the order of the run."""
    return _ids_by_value((run.artifact, scored_as(run), _rests_on(run, metric)), metric, ascending, run)


@st.cache_resource(max_entries=4, show_spinner="Sorting …")
def _ids_by_value(key: tuple[str, ...], metric: str, ascending: bool, _run: RunInfo) -> Sequence[str]:
    found = values(_run, metric).reindex(dimensions(_run).index).to_numpy(dtype=np.float64)
    ids = list(sample_ids(_run))
    return [ids[row] for row in np.argsort(found if ascending else -found, kind="stable").tolist()]


def _rests_on(run: RunInfo, metric: str) -> str:
    """The calibration and the labels that the values of a metric follow; empty for scores alone."""
    record = saved_calibration(run) if metric == CALIBRATED else None
    criterion = criterion_of(metric) if record is None else record.criterion
    labelled = "" if criterion is None else labelled_as(run, criterion)
    return f"{'' if record is None else identity(record)} {labelled}"


def weaknesses(run: RunInfo, metric: str, by: Sequence[str], *, pairs: bool, with_labels: bool = True) -> WeaknessTable:
    """Marginal rows of the dimensions, and with `pairs` every pair of their levels.

    Those of the corrected pass rate carry its error, by refits to the labels: they follow both. Those of a pass rate by
    labels follow the labels; `with_labels` adds it to the scores of metrics, which do not change with it.
    """
    key = (run.artifact, scored_as(run), _rests_on(run, metric), sliced_as(run))
    table = _weaknesses(key, metric, tuple(by), pairs, run)
    beside = _most_labelled(run) if with_labels and metric != CALIBRATED and criterion_of(metric) is None else None
    if beside is None:
        return table
    return beside_labels(table, weaknesses(run, pass_rate_key(beside), by, pairs=pairs))


@st.cache_resource(max_entries=64, show_spinner="Looking for weaknesses …")
def _weaknesses(
    key: tuple[str, str, str, str], metric: str, by: tuple[str, ...], pairs: bool, _run: RunInfo
) -> WeaknessTable:
    if metric == CALIBRATED or criterion_of(metric) is not None:
        return compare_slices(open_run(_run), metric, by=by, pairs=pairs)
    return find_weaknesses(open_run(_run), metric, by=by, pairs=pairs)


def slices_in_view(run: RunInfo, metrics: Sequence[str], by: Sequence[str], *, pairs: bool = True) -> WeaknessTable:
    """The slices of these metrics over these dimensions and their pairs. Callers must not modify them.

    Those of a metric's planned dimensions have the same q-values on all screens; other dimensions share what the plan
    leaves of the error. A single metric also has pass rates by labels next to its scores.
    """
    return _slices_in_view(_state_of(run), tuple(metrics), tuple(by), pairs, run)


@st.cache_resource(max_entries=32, show_spinner=False)
def _slices_in_view(
    key: tuple[str, ...], metrics: tuple[str, ...], by: tuple[str, ...], pairs: bool, _run: RunInfo
) -> WeaknessTable:
    alone = len(metrics) == 1
    return side_by_side([_of_metric(_run, metric, by, pairs=pairs, with_labels=alone) for metric in metrics])


def _of_metric(run: RunInfo, metric: str, by: Sequence[str], *, pairs: bool, with_labels: bool) -> WeaknessTable:
    planned = default_dimensions(run, metric)
    outside = [name for name in by if name not in planned]
    tables = [
        weaknesses(run, metric, names, pairs=pairs, with_labels=with_labels)
        for names in (planned, (*planned, *outside))[: 1 + bool(outside)]
    ]
    others = sum(str(name) not in planned for name in dimensions(run).columns)
    return shown_slices(tables[0], tables[1] if outside else None, by, outside=others)


def coverages_in_view(run: RunInfo, metric: str, by: Sequence[str]) -> tuple[PairCoverage, ...]:
    """Which two of these dimensions fill a heatmap of the metric."""
    return _coverages_in_view(_state_of(run), metric, tuple(by), run)


@st.cache_resource(max_entries=32, show_spinner=False)
def _coverages_in_view(
    key: tuple[str, ...], metric: str, by: tuple[str, ...], _run: RunInfo
) -> tuple[PairCoverage, ...]:
    return pair_coverages(_slices_in_view(key, (metric,), by, True, _run))


def _most_labelled(run: RunInfo) -> str | None:
    """The criterion on which most samples have a label."""
    criteria = criteria_of(project_of(run))
    return _criterion_of_labels(tuple(labelled_as(run, criterion.name) for criterion in criteria), run)


@st.cache_resource(max_entries=16, show_spinner=False)
def _criterion_of_labels(key: tuple[str, ...], _run: RunInfo) -> str | None:
    chosen = most_labelled(open_run(_run))
    return None if chosen is None else chosen.name


def paired_slices(run: RunInfo, against: RunInfo, metric: str, by: Sequence[str]) -> PairedSlices:
    """The run less another in each slice, by the present scores or labels of both. HcatError where they can't be
    compared on this metric."""
    criterion = criterion_of(metric)
    labelled = () if criterion is None else (labelled_as(run, criterion), labelled_as(against, criterion))
    key = (run.artifact, against.artifact, scored_as(run), scored_as(against), sliced_as(run), *labelled)
    return _paired_slices(key, metric, tuple(by), run, against)


@st.cache_resource(max_entries=16, show_spinner="Comparing runs …")
def _paired_slices(
    key: tuple[str, ...], metric: str, by: tuple[str, ...], _run: RunInfo, _against: RunInfo
) -> PairedSlices:
    name = criterion_of(metric)
    on = () if name is None else (workspace().criteria.get(project_of(_run), name),)
    return compare_runs_by_slice(open_run(_run).on(*on), open_run(_against).on(*on), metric, by=by)


def slice_metrics(run: RunInfo) -> tuple[str, ...]:
    """The metrics by which slices of the run can be compared, pass rates first."""
    return _slice_metrics(_state_of(run), run)


@st.cache_data(max_entries=32, show_spinner=False)
def _slice_metrics(key: tuple[str, ...], _run: RunInfo) -> tuple[str, ...]:
    return metrics_of_slices(open_run(_run))


def default_slice_metric(run: RunInfo) -> str:
    """The metric by which they are compared by default. NotFoundError if there are neither labels nor scores."""
    return _default_metric(_state_of(run), run)


@st.cache_data(max_entries=32, show_spinner="Choosing what to compare slices by …")
def _default_metric(key: tuple[str, ...], _run: RunInfo) -> str:
    return metric_to_begin_with(open_run(_run))


def default_dimension(run: RunInfo, criterion: Criterion) -> str | None:
    """The dimension to begin with on a page that looks at one: that with most levels with enough labels."""
    return dimension_to_begin_with(open_run(run), criterion)


def default_dimensions(run: RunInfo, metric: str) -> list[str]:
    """Over which dimensions: those with most levels that this metric can test."""
    return _default_dimensions(_state_of(run), metric, run)


@st.cache_data(max_entries=64, show_spinner="Choosing dimensions …")
def _default_dimensions(key: tuple[str, ...], metric: str, _run: RunInfo) -> list[str]:
    return dimensions_to_begin_with(open_run(_run), metric)


def _state_of(run: RunInfo) -> tuple[str, ...]:
    """Everything that slices of the run depend on: samples, scores, topics, criteria with their labels, and the
    calibration."""
    criteria = criteria_of(project_of(run))
    labelled = [f"{criterion.name} {criterion.passing} {labelled_as(run, criterion.name)}" for criterion in criteria]
    record = saved_calibration(run)
    saved = "" if record is None else identity(record)
    return (run.artifact, scored_as(run), sliced_as(run), saved, *labelled)


def fitness(run: RunInfo, metric: str) -> MetricFitness | None:
    """Fitness of the metric as a substitute for people on the criterion with most labels; None if it is people's
    labels."""
    labelled = " ".join(labelled_as(run, criterion.name) for criterion in criteria_of(project_of(run)))
    record = saved_calibration(run) if metric == CALIBRATED else None
    saved = "" if record is None else identity(record)
    return _fitness((run.artifact, scored_as(run), sliced_as(run), labelled, str(saved)), metric, run)


@st.cache_resource(max_entries=128, show_spinner="Comparing the metric with labels …")
def _fitness(key: tuple[str, ...], metric: str, _run: RunInfo) -> MetricFitness | None:
    return fitness_beside(open_run(_run), metric)
