"""A registered plan: its content, its author, and the number of labels before it."""

from __future__ import annotations

from hcat.core.capabilities.sign_off.wording.preregistration import plan_facts, registered_text
from hcat.core.display.messages import say
from hcat.core.records.preregistration import RegisteredPlan
from hcat.core.view.telling import column
from hcat.core.view.tree import Quantity, Table, Value
from hcat.core.view.view import View


def plan_view(plan: RegisteredPlan, *, labels_before: int | None = None) -> View:
    """Content of a plan, with its hash; `labels_before` of the runs at hand, by default of its criterion."""
    rows: list[tuple[Value, ...]] = [(say("Registered"), registered_text(plan, labels_before=labels_before))]
    rows += plan_facts(plan).items()
    rows.append(("SHA-256", Quantity(plan.hash, "code")))
    if plan.supersedes:
        rows.append((say("Supersedes, SHA-256"), Quantity(plan.supersedes, "code")))
    title = say("Plan {plan.version} on {plan.criterion}", plan=plan)
    return View((Table(title, (column("What"), column("Planned")), tuple(rows)),))
