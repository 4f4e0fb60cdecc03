"""The groups of people in a run compared."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from hcat.core.capabilities.fairness.analysis.matched import comparable as comparable_of
from hcat.core.capabilities.fairness.analysis.matched import compare_people
from hcat.core.capabilities.fairness.counterfactual.comparison import Comparable, Fairness
from hcat.core.capabilities.fairness.counterfactual.pairing import counterfactuals_in
from hcat.core.records.codec import JSON
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.calibration.loader import saved_calibration
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as
from hcat.dashboard.loaders.runs import open_run
from hcat.dashboard.loaders.stored import criteria_of, project_of
from hcat.dashboard.loaders.workspace import workspace


@dataclass(frozen=True, slots=True)
class Basis:
    """The dimensions to compare by, none for counterfactual variants, and those to match on."""

    by: tuple[str, ...] = ()
    match: tuple[str, ...] | None = None


def has_groups(run: RunInfo) -> bool:
    """Whether some sample of the run asks for people of a group."""
    return _has_groups(run.artifact, run)


@st.cache_data(max_entries=64, show_spinner=False)
def _has_groups(artifact: str, _run: RunInfo) -> bool:
    return bool(counterfactuals_in(workspace().runs.columns(_run)))


def fairness(run: RunInfo, settings: FairnessSettings, basis: Basis) -> Fairness:
    """The groups compared by labels, the saved calibration and scores; by dimensions, matched, if named."""
    key = (*_content(run), str(JSON.write(settings)), str(JSON.write(basis)))
    return _fairness(key, run, settings, basis)


@st.cache_resource(max_entries=8, show_spinner="Comparing groups …")
def _fairness(key: tuple[str, ...], _run: RunInfo, _settings: FairnessSettings, _basis: Basis) -> Fairness:
    return compare_people(open_run(_run), _settings, by=_basis.by, match=_basis.match)


def comparable(run: RunInfo, by: tuple[str, ...]) -> Comparable:
    """The groups on which the run, or its dimensions `by`, can be compared, the outcomes with values, and the variables
    to match on."""
    return _comparable((*_content(run), *by), run, by)


@st.cache_resource(max_entries=8, show_spinner=False)
def _comparable(key: tuple[str, ...], _run: RunInfo, _by: tuple[str, ...]) -> Comparable:
    return comparable_of(open_run(_run), by=_by)


def _content(run: RunInfo) -> tuple[str, ...]:
    """Cache key of the inputs of a run's outcomes: answers, scores, the calibration, labels."""
    names = [criterion.name for criterion in criteria_of(project_of(run))]
    saved = saved_calibration(run)
    calibrated = "" if saved is None else identity(saved)
    return (run.artifact, scored_as(run), calibrated, *(labelled_as(run, name) for name in names))
