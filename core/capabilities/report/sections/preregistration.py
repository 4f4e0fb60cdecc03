"""Whether results are as pre-registered: a line for the summary, and all plans with their hashes."""

from __future__ import annotations

from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.planned import PlannedCriterion, outcomes, planned_criteria
from hcat.core.capabilities.sign_off.view import plan_view
from hcat.core.capabilities.sign_off.wording.preregistration import exploratory_text, registered_text
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import Block, Callout, Heading, Quantity, Table, Text

SHORT_HASH = 12
REACHED = (
    "The threshold is reached where the whole 95% interval is at or above it, and not reached where all of the "
    "interval is below; otherwise the question is open."
)


def plan_callouts(evidence: Evidence) -> list[Block]:
    """One statement a criterion: as pre-registered, with each deviation by name, or exploratory."""
    return [_callout(evidence, planned) for planned in planned_criteria(evidence)]


def plan_blocks(evidence: Evidence) -> list[Block]:
    """The statements, the rates compared with the thresholds, every deviation, and each plan with its hash."""
    criteria = planned_criteria(evidence)
    if not criteria:
        return []
    blocks: list[Block] = [Heading(say("What was fixed before the labels")), *plan_callouts(evidence)]
    blocks += [*_outcomes(evidence, criteria), *_deviations(criteria)]
    for planned in criteria:
        for each in planned.plans:
            blocks += plan_view(each.registered, labels_before=each.labels_before).blocks
    return blocks


def _callout(evidence: Evidence, planned: PlannedCriterion) -> Callout:
    if planned.plan is None:
        first = planned.plans[0].labels_before if planned.plans else 0
        return Callout(
            "warning",
            say("Exploratory: {planned.criterion}", planned=planned),
            (exploratory_text(len(planned.plans), first),),
        )
    registered = planned.plan.registered
    short = registered.hash[:SHORT_HASH]
    text: list[str | Quantity] = [
        say("As {registered} (SHA-256 {short}…). ", registered=registered_text(registered), short=short)
    ]
    for run, by, rate, outcome in outcomes(evidence, planned):
        text += tell(
            "Run {run}, {by}: {rate}, to reach {threshold}: {outcome}. ",
            run=run,
            by=by,
            rate=Quantity(rate, "share"),
            threshold=Quantity(registered.plan.threshold, "percent"),
            outcome=say(outcome),
        )
    found = planned.deviations
    if not found:
        return Callout(
            "good",
            say("As pre-registered: {planned.criterion}", planned=planned),
            (*text, say("No deviation from the plan.")),
        )
    names = ", ".join(
        say("{what} ({each.done}; planned: {each.planned})", what=say(each.what), each=each) for each in found
    )
    title = say(
        "Pre-registered, with {deviations}: {planned.criterion}",
        deviations=counted(len(found), "deviation"),
        planned=planned,
    )
    return Callout("warning", title, (*text, say("Deviations: {names}.", names=names)))


def _outcomes(evidence: Evidence, criteria: list[PlannedCriterion]) -> list[Block]:
    columns = (column("Criterion"), column("Run"), column("By"), column("Pass rate", "share"))
    rows = tuple(
        (planned.criterion, run, by, rate, planned.plan.registered.plan.threshold, say(outcome))
        for planned in criteria
        if planned.plan is not None
        for run, by, rate, outcome in outcomes(evidence, planned)
    )
    note: Text = (say(REACHED),)
    table = Table(
        say("Pass rates and thresholds"), (*columns, column("To reach", "percent"), column("Reached")), rows, note
    )
    return [table] if rows else []


def _deviations(criteria: list[PlannedCriterion]) -> list[Block]:
    rows = tuple(
        (planned.criterion, say(each.what), each.planned, each.done)
        for planned in criteria
        for each in planned.deviations
    )
    columns = (column("Criterion"), column("What"), column("Planned"), column("Done"))
    return [Table(say("Deviations from the plan"), columns, rows)] if rows else []
