"""Policies of a run: as stated on screen, and as switched on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.policy.analysis.policy import PolicySpec, decide_run, fit_policy, trade_offs
from hcat.core.capabilities.policy.analysis.regeneration import attempts_spent
from hcat.core.capabilities.policy.check import PolicyCheck
from hcat.core.capabilities.policy.looks import Looks
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.policy.thresholds import CurvePoint
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import read_calibration
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as, sliced_as
from hcat.dashboard.loaders.runs import columns, open_run
from hcat.dashboard.loaders.stored import project_of
from hcat.dashboard.loaders.workspace import workspace


def fitted_policy(run: RunInfo, records: Sequence[CalibrationRecord], spec: PolicySpec) -> Policy:
    """The policy of these statements by saved calibrations, one a criterion, and the present labels. It is recorded as
    a look at these labels."""
    looks = _looks(run, records, spec)
    return _fitted(_key(run, records), repr((spec, looks)), run, records, spec, looks)


def _looks(run: RunInfo, records: Sequence[CalibrationRecord], spec: PolicySpec) -> Looks:
    return workspace().applied_policies.looks.at(run, open_run(run), _maps(run, records), spec)


@st.cache_resource(max_entries=64, show_spinner=False)
def _fitted(
    key: tuple[str, ...],
    stated: str,
    _run: RunInfo,
    _records: Sequence[CalibrationRecord],
    _spec: PolicySpec,
    _looks: Looks,
) -> Policy:
    first, *further = _maps(_run, _records)
    return fit_policy(open_run(_run), *first, _spec, further=further, looks=_looks)


def policy_curves(
    run: RunInfo, records: Sequence[CalibrationRecord], spec: PolicySpec
) -> Mapping[str, tuple[CurvePoint, ...]]:
    """The trade-off curve of each rule: at each threshold, the share of answers accepted and the failure rate among
    them."""
    looks = _looks(run, records, spec)
    return _curves(_key(run, records), repr((spec.promise, spec.by, spec.cap, looks)), run, records, spec, looks)


@st.cache_resource(max_entries=16, show_spinner="Testing thresholds …")
def _curves(
    key: tuple[str, ...],
    stated: str,
    _run: RunInfo,
    _records: Sequence[CalibrationRecord],
    _spec: PolicySpec,
    _looks: Looks,
) -> Mapping[str, tuple[CurvePoint, ...]]:
    first, *further = _maps(_run, _records)
    return trade_offs(open_run(_run), *first, _spec, further=further, looks=_looks)


def _maps(run: RunInfo, records: Sequence[CalibrationRecord]) -> list[tuple[Calibration, Criterion]]:
    project = project_of(run).name
    return [(read_calibration(each), workspace().criteria.get(project, each.criterion)) for each in records]


def policy_in_use(run: RunInfo, criterion: str) -> PolicyRecord | None:
    """The policy that was switched on last on the criterion."""
    records = workspace().policies.all(project_of(run))
    return next((record for record in records if criterion in record.criteria), None)


def policy_decisions(run: RunInfo, record: PolicyRecord) -> pd.DataFrame:
    """Decisions of a stored policy on each answer of the run. Callers must not modify them."""
    return _decisions((record.hash, scored_as(run), sliced_as(run), run.artifact), run, record)


@st.cache_resource(max_entries=8, show_spinner="Deciding …")
def _decisions(key: tuple[str, ...], _run: RunInfo, _record: PolicyRecord) -> pd.DataFrame:
    policy, opened = workspace().policies.read(_record), columns(_run)
    return decide_run(opened, policy, attempt=attempts_spent(opened, policy))


def policy_check(record: PolicyRecord, runs: Sequence[RunInfo]) -> PolicyCheck:
    """The check of the policy against its promise over these runs, by their present labels."""
    key = tuple(part for run in runs for name in record.criteria for part in _state(run, name))
    return _checked((record.hash, *key), tuple(runs), record)


@st.cache_resource(max_entries=16, show_spinner="Holding it against its promise …")
def _checked(key: tuple[str, ...], _runs: tuple[RunInfo, ...], _record: PolicyRecord) -> PolicyCheck:
    return workspace().applied_policies.check(_record, _runs)


def policy_windows(run: RunInfo, record: PolicyRecord) -> list[RunInfo]:
    """The runs that a check may take as windows, oldest first."""
    return workspace().applied_policies.windows(project_of(run), record)


def _key(run: RunInfo, records: Sequence[CalibrationRecord]) -> tuple[str, ...]:
    return tuple(part for each in records for part in (*_state(run, each.criterion), identity(each)))


def _state(run: RunInfo, criterion: str) -> tuple[str, ...]:
    return run.artifact, scored_as(run), sliced_as(run), labelled_as(run, criterion)
