"""Evidence on a policy for a report: its statements, its decisions on the runs, and whether it keeps its promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.capabilities.policy.check import PolicyCheck
from hcat.core.capabilities.policy.decide import Decisions
from hcat.core.capabilities.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class PolicyEvidence:
    """A policy; `version` is None for a file. `decided` has the counts of each run that it decides on,
    `check` holds later runs against its promise: None where there are none."""

    policy: Policy
    version: int | None = None
    decided: Mapping[str, Decisions] = field(default_factory=dict)
    check: PolicyCheck | None = None
