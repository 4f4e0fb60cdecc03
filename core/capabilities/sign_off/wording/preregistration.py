"""Plans fixed before the labels, in sentences."""

from __future__ import annotations

from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.records.preregistration import Plan, RegisteredPlan

EXPLORATORY = (
    "Nothing was fixed before the first label: criterion, threshold, n, α and slices may have been chosen by the "
    "result. Read what follows as a reason to test on fresh labels, not as a test."
)


def registered_text(plan: RegisteredPlan, *, labels_before: int | None = None) -> str:
    """ "Plan 1, registered on 2027-01-31 09:30 UTC by V. Lead, before the first label"."""
    before = plan.labels_before if labels_before is None else labels_before
    when = say("after {labels}", labels=counted(before, "label")) if before else say("before the first label")
    return say(
        "Plan {plan.version}, registered on {plan.at:%Y-%m-%d %H:%M} UTC by {plan.author}, {when}", plan=plan, when=when
    )


def exploratory_text(plans: int, labels_before: int) -> str:
    """Sentence on the reason why results are exploratory, with the number of labels before the first of the `plans`."""
    if not plans:
        return say(EXPLORATORY)
    return say(
        "The first plan was registered after {labels}, too late. {exploratory}",
        labels=counted(labels_before, "label"),
        exploratory=say(EXPLORATORY),
    )


def plan_facts(registered: RegisteredPlan) -> dict[str, str]:
    """Content of a plan, by the name of each field."""
    plan = registered.plan
    return {
        say("Criterion"): registered.criterion,
        say("Guideline"): say("version {registered.guideline_version}", registered=registered),
        say("n"): say("{samples} of each run, labelled by people", samples=counted(plan.n, "sample")),
        say("Threshold"): say("a pass rate of {field}", field=field_text(plan, "threshold")),
        "α": field_text(plan, "alpha"),
        say("Slices"): field_text(plan, "dimensions"),
        say("Metrics"): field_text(plan, "metrics"),
        say("Rule"): field_text(plan, "rule"),
    }


def field_text(plan: Plan, name: str) -> str:
    """A field of a plan in words; "none" where it is empty."""
    value = getattr(plan, name)
    if isinstance(value, tuple | list):
        return ", ".join(value) or say("none")
    return in_edition(f"{value:.10g}") if isinstance(value, int | float) else value or say("none")
