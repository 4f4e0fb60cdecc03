"""Policies on the data of a project: the same numbers as on the page Policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from hcat.core.capabilities.policy.analysis.policy import PolicySpec
    from hcat.core.capabilities.policy.check import PolicyCheck
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.capabilities.policy.thresholds import CurvePoint
    from hcat.core.opened.run import RunColumns
    from hcat.core.records.policy import PolicyRecord
    from hcat.core.records.project import RunInfo
    from hcat.core.types import Criterion
    from hcat.core.workspace import Workspace

InProject = Annotated[str | None, typer.Option("--project", help="Instead of files: a project.")]
OnCriterion = Annotated[
    str | None, typer.Option("--criterion", help="With --project: the criterion; not needed where it has only one.")
]


@dataclass(frozen=True, slots=True)
class FittedPolicy:
    """A policy with the trade-off of each of its rules."""

    policy: Policy
    curves: Mapping[str, Sequence[CurvePoint]]


def fit_in_project(
    project: str, run: str | None, criterion: str | None, spec: PolicySpec, *, also: Sequence[str] = ()
) -> FittedPolicy:
    """The policy by the calibration in force on a run and its present labels."""
    from hcat.core.capabilities.policy.analysis.policy import trade_offs
    from hcat.core.capabilities.policy.looks import UNDECLARED

    with opened(project) as workspace:
        stored, on = run_of(workspace, project, run), _criterion(workspace, project, criterion)
        others = [workspace.criteria.get(project, name) for name in also]
        policy = workspace.applied_policies.fit(stored, on, spec, further=others)
        asked = workspace.run_data.open(stored)
        first, *further = [(asked.in_force(each.name), each) for each in (on, *others)]
        curves = trade_offs(asked, *first, spec, further=further, looks=policy.looks or UNDECLARED)
        return FittedPolicy(policy, curves)


@dataclass(frozen=True)
class DecidedInProject:
    """Decisions of the policy in use on the answers of a run."""

    columns: RunColumns
    policy: Policy
    decisions: pd.DataFrame
    version: int


def decide_in_project(project: str, run: str | None, criterion: str | None) -> DecidedInProject:
    """Apply the policy in use on the criterion to a run's answers."""
    with opened(project) as workspace:
        stored, record = run_of(workspace, project, run), in_use(workspace, project, criterion)
        columns = workspace.run_data.columns(stored)
        decisions = workspace.applied_policies.decide(stored, record)
        columns.samples  # noqa: B018 - read while the workspace is open
        return DecidedInProject(columns, workspace.policies.read(record), decisions, record.version)


def check_in_project(
    project: str, criterion: str | None, runs: str | None, *, alpha: float
) -> tuple[Policy, PolicyCheck, list[RunInfo]]:
    """The policy in use against its promise, over the named runs or those that were imported since."""
    from hcat.core.capabilities.policy.services.applied import since_switched_on

    with opened(project) as workspace:
        record = in_use(workspace, project, criterion)
        owner = workspace.projects.get(project)
        if runs is None:
            windows = since_switched_on(record, workspace.applied_policies.windows(owner, record))
        else:
            windows = [workspace.runs.get(project, name) for name in names_in(runs)]
        checked = workspace.applied_policies.check(record, windows, alpha=alpha)
        return workspace.policies.read(record), checked, windows


def no_files(**files: Path | Sequence[Path] | None) -> None:
    """Raise HcatError if a file is named together with a project."""
    named = next((name for name, file in files.items() if file), None)
    if named is not None:
        raise HcatError(f"--project takes scores, labels and calibrations of the project: leave {named} out")


@contextmanager
def opened(project: str) -> Iterator[Workspace]:
    """The workspace, or NotFoundError where it has no such project."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        workspace.projects.get(project)
        yield workspace


def run_of(workspace: Workspace, project: str, run: str | None) -> RunInfo:
    """The run of this name; HcatError, with the names that there are, without one."""
    if run is None:
        names = ", ".join(each.name for each in workspace.runs.all(project)) or "none yet"
        raise HcatError(f"name the run of the project by --run: it has {names}")
    return workspace.runs.get(project, run)


def _criterion(workspace: Workspace, project: str, name: str | None) -> Criterion:
    if name is not None:
        return workspace.criteria.get(project, name)
    criteria = workspace.criteria.all(project)
    if len(criteria) != 1:
        names = ", ".join(each.name for each in criteria) or "none yet"
        raise HcatError(f"name the criterion by --criterion: the project has {names}")
    return criteria[0]


def in_use(workspace: Workspace, project: str, criterion: str | None) -> PolicyRecord:
    """The policy in use on the criterion, which may be left out where the project has only one."""
    return workspace.policies.in_use(workspace.projects.get(project), _criterion(workspace, project, criterion).name)
