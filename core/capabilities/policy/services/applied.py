"""Policies applied to the data of a project: fitted on a run, applied to a run, and checked against their promises over
further runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.policy.drift import ALPHA
from hcat.core.capabilities.policy.services.looks import PolicyLooks
from hcat.core.capabilities.policy.services.policies import Policies
from hcat.core.errors import HcatError
from hcat.core.project.open_runs import OpenRuns
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.capabilities.policy.analysis.policy import PolicySpec
    from hcat.core.capabilities.policy.check import PolicyCheck
    from hcat.core.capabilities.policy.policy import Policy

REGENERATED = "regenerated"
"""The format of runs that hold answers which a policy sent back."""


@dataclass(frozen=True)
class AppliedPolicies:
    """Fits, decisions and checks of policies on the runs of a project."""

    policies: Policies
    run_data: OpenRuns
    looks: PolicyLooks

    def fit(self, run: RunInfo, criterion: Criterion, spec: PolicySpec, *, further: Sequence[Criterion] = ()) -> Policy:
        """The policy fitted to this specification by the calibrations in force and the run's current labels. The fit is
        recorded as a look at these labels."""
        from hcat.core.capabilities.policy.analysis.policy import fit_policy

        opened = self.run_data.open(run)
        maps = first, *others = [(opened.in_force(each.name), each) for each in (criterion, *further)]
        return fit_policy(opened, *first, spec, further=others, looks=self.looks.at(run, opened, maps, spec))

    def decide(self, run: RunInfo, record: PolicyRecord) -> pd.DataFrame:
        """The policy's decision on each answer of the run. Answers that were regenerated count as at their last
        attempt."""
        from hcat.core.capabilities.policy.analysis.policy import decide_run
        from hcat.core.capabilities.policy.analysis.regeneration import attempts_spent

        columns, policy = self.run_data.columns(run), self.policies.read(record)
        return decide_run(columns, policy, attempt=attempts_spent(columns, policy))

    def windows(self, project: ProjectInfo, record: PolicyRecord) -> list[RunInfo]:
        """The runs that a check uses as windows, oldest first. They are scored on the policy's metrics, are not the run
        of its thresholds, and have no regenerated answers, for which there is no promise."""
        metrics = set(self.policies.read(record).metrics)
        return [
            run
            for run in self.run_data.runs.all(project)
            if run.id != record.run_id
            and run.format != REGENERATED
            and (latest := self.run_data.scoring.latest(run)) is not None
            and metrics <= set(latest.metrics)
        ]

    def in_use(self, project: ProjectInfo) -> list[PolicyRecord]:
        """The policies in use, the newest of each criterion, in the order in which they were switched on."""
        newest: dict[str, PolicyRecord] = {}
        for record in self.policies.all(project):
            for criterion in record.criteria:
                newest.setdefault(criterion, record)
        return sorted({record.id: record for record in newest.values()}.values(), key=lambda record: record.id)

    def check(self, record: PolicyRecord, runs: Sequence[RunInfo], *, alpha: float = ALPHA) -> PolicyCheck:
        """Load and error of these runs, in the order of time, against the policy's promise; see `check_policy`."""
        from hcat.core.capabilities.policy.analysis.policy_check import check_policy

        policy = self.policies.read(record)
        if not runs:
            raise HcatError("no run was imported since this policy was switched on: name the runs that it decided on")
        opened = [self.run_data.open(run) for run in runs]
        return check_policy(policy, opened, opened[0].criteria, alpha=alpha)


def since_switched_on(record: PolicyRecord, runs: Sequence[RunInfo]) -> list[RunInfo]:
    """Those of the runs that were imported since the policy was switched on."""
    return [run for run in runs if run.created_at >= record.at]
