"""What was fixed before the labels, in sentences."""

from __future__ import annotations

from core.display.numbers import counted
from core.records.preregistration import RegisteredPlan

EXPLORATORY = (
    "Nothing was fixed before the first label: criterion, threshold, n, α and slices may have been chosen by the "
    "result. Read what follows as a reason to test on fresh labels, not as a test."
)


def registered_text(plan: RegisteredPlan, *, labels_before: int | None = None) -> str:
    """ "Plan 1, registered on 2027-01-31 09:30 UTC by V. Lead, before the first label"."""
    before = plan.labels_before if labels_before is None else labels_before
    when = f"after {counted(before, 'label')}" if before else "before the first label"
    return f"Plan {plan.version}, registered on {plan.at:%Y-%m-%d %H:%M} UTC by {plan.author}, {when}"


def exploratory_text(plans: int, labels_before: int) -> str:
    """Why results are exploratory, where `plans` were registered, the first of them after so many labels."""
    if not plans:
        return EXPLORATORY
    return f"The first plan was registered after {counted(labels_before, 'label')}, too late. {EXPLORATORY}"
