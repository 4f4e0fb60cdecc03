"""The results of a check of a policy in use."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.capabilities.policy.drift import ALPHA, Drift
from hcat.core.types import Verdict

ERROR, LOAD = "error let through", "load on people"


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """The error of accepted answers, on each criterion of the policy, and the load on people over windows.

    `labelled` is the number of labels of accepted answers."""

    errors: tuple[Drift, ...]
    load: Drift
    labelled: int

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """All quantities that are compared with a promise."""
        return (*self.errors, self.load)

    @property
    def error_alarm(self) -> bool:
        """Whether more accepted answers fail than was promised."""
        return any(drift.alarm is not None for drift in self.errors)

    @property
    def alarm(self) -> bool:
        """Whether any quantity is outside the promised range."""
        return self.error_alarm or self.load.alarm is not None


ERROR_ALARM = Verdict(
    name="policy alarm of errors",
    words=("alarm",),
    claim="More accepted answers fail than was promised, on one of the criteria.",
    error=ALPHA / 2,
    family="all windows and criteria of one series (the criteria share α / 2)",
    decides="hcat.core.capabilities.policy.analysis.policy_check:check_policy",
    carried_by="hcat.core.capabilities.policy.check:PolicyCheck.error_alarm",
)
POLICY_ALARM = Verdict(
    name="policy alarm",
    words=("alarm",),
    claim="The error let through or the load on people left what was promised.",
    error=ALPHA,
    family="all windows of one series: error and load",
    decides="hcat.core.capabilities.policy.analysis.policy_check:check_policy",
    carried_by="hcat.core.capabilities.policy.check:PolicyCheck.alarm",
)
