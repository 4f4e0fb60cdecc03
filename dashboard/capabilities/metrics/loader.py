"""Results of metrics on a run, and the explanations of scores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from hcat.core.capabilities.estimates.estimate import errors_of_verdicts
from hcat.core.errors import NotOpenedError
from hcat.core.estimates.verdict_errors import VerdictErrors
from hcat.core.metrics.registry import Metric, metrics
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import MetricSummary
from hcat.core.statistics.rank_correlation import RankCorrelations, rank_correlations
from hcat.core.types import Criterion, JsonValue
from hcat.dashboard.loaders.keys import labelled_as, scored_as
from hcat.dashboard.loaders.runs import columns, open_run, scores
from hcat.dashboard.loaders.stored import newest_scoring
from hcat.dashboard.loaders.workspace import workspace


def registered_metrics() -> dict[str, Metric]:
    """Every metric by name, in the registry's order."""
    return {metric.name: metric for metric in metrics()}


def score_summary(run: RunInfo) -> dict[str, MetricSummary]:
    """The mean of each of the run's metrics and its unscored samples; empty before the first scoring."""
    latest = newest_scoring(run)
    return {} if latest is None else _score_summary(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Averaging scores …")
def _score_summary(artifact: str, _run: RunInfo) -> dict[str, MetricSummary]:
    table = scores(_run)
    if table is None:
        return {}
    return table.summary(columns(_run).clusters, columns=columns(_run).sample_columns)


def correlations(run: RunInfo) -> RankCorrelations:
    """Rank correlations of all pairs of the run's metrics; of none before the first scoring."""
    latest = newest_scoring(run)
    return RankCorrelations((), {}) if latest is None else _correlations(latest.artifact, run)


@st.cache_resource(max_entries=8, show_spinner="Correlating metrics …")
def _correlations(artifact: str, _run: RunInfo) -> RankCorrelations:
    table = scores(_run)
    if table is None:
        return rank_correlations({})
    of_sample = columns(_run).clusters or {}
    clusters = [of_sample.get(sample_id, sample_id) for sample_id in table.sample_ids]
    return rank_correlations({name: table.values(name) for name in table.metrics}, clusters=clusters)


def verdict_errors(run: RunInfo, criterion: Criterion, metrics: Sequence[str]) -> tuple[VerdictErrors, ...]:
    """The machine verdicts among these metrics against the present labels on the criterion."""
    return _verdict_errors((labelled_as(run, criterion.name), scored_as(run), *metrics), run, criterion)


@st.cache_resource(max_entries=32, show_spinner="Comparing machine verdicts with labels …")
def _verdict_errors(key: tuple[str, ...], _run: RunInfo, _criterion: Criterion) -> tuple[VerdictErrors, ...]:
    return errors_of_verdicts(open_run(_run), _criterion, metrics=key[2:])


def explanation(run: RunInfo, sample_id: str, names: Sequence[str]) -> dict[str, JsonValue]:
    """The explanation of each metric's score of one sample."""
    return _explanation(run.artifact, sample_id, tuple(names), True, run)


def explanation_at_hand(run: RunInfo, sample_id: str, names: Sequence[str]) -> dict[str, JsonValue] | None:
    """The same; None where the sentence encoder would have to be opened for it."""
    with suppress(NotOpenedError):
        return _explanation(run.artifact, sample_id, tuple(names), False, run)
    return None


@st.cache_data(max_entries=256, show_spinner="Explaining the score …")
def _explanation(
    artifact: str, sample_id: str, names: tuple[str, ...], _opening: bool, _run: RunInfo
) -> dict[str, JsonValue]:
    return workspace().scoring.explain(_run, sample_id, names, opening=_opening)
