"""Record of a plan that was registered before labelling, for a report."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.records.preregistration import RegisteredPlan


@dataclass(frozen=True, slots=True)
class PlanEvidence:
    """A registered plan, and the number of labels on its criterion before it: in the log when it was registered, or
    added later with an earlier date."""

    registered: RegisteredPlan
    labels_before: int = 0
