"""Evidence on a policy for a report, from opened runs."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.policy.analysis.policy import decide_run
from hcat.core.capabilities.policy.analysis.policy_check import check_policy
from hcat.core.capabilities.policy.analysis.regeneration import attempts_spent
from hcat.core.capabilities.policy.check import PolicyCheck
from hcat.core.capabilities.policy.decide import Decisions
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.report.evidence.policy_records import PolicyEvidence
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.types import Criterion


def policy_evidence(
    policy: Policy,
    runs: Sequence[Opened],
    *,
    version: int | None = None,
    windows: Sequence[Opened] = (),
    criteria: Sequence[Criterion] = (),
    check: PolicyCheck | None = None,
) -> PolicyEvidence:
    """Evidence on the policy: its decisions on the runs, and whether it keeps its promise over `windows`, or by a given
    `check`.

    Runs that it can't decide on, for want of scores or of its dimension, are left out.
    """
    decided = {run.name: counts for run in runs if (counts := _decided(policy, run)) is not None}
    if windows:
        check = check_policy(policy, windows, criteria)
    return PolicyEvidence(policy, version, decided, check)


def _decided(policy: Policy, run: Opened) -> Decisions | None:
    scores = run.columns.given_scores
    if scores is None or not set(policy.metrics) <= set(scores.metrics):
        return None
    try:
        return Decisions.of(decide_run(run.columns, policy, attempt=attempts_spent(run.columns, policy)))
    except HcatError:  # the run lacks the policy's dimension
        return None
