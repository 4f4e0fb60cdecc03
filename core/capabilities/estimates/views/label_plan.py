"""Views of the labels that each question needs, and of whether more labels can change a decision about the pass
rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from hcat.core.capabilities.estimates.wording.planning import (
    decision_sentence,
    looks_sentence,
    plan_note,
    question_title,
)
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.estimates.forecast import Forecast
from hcat.core.estimates.planning import LabelPlan
from hcat.core.estimates.plans import PlanQuestion
from hcat.core.estimates.stopping import LEAST_LABELS, StopDecision, labels_to_decide
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Callout, Paragraph, Table
from hcat.core.view.view import View

ASSUMED = (
    "So far {labels}, in a run of {samples}. The pass rate refers to the questions that the run's samples represent, "
    "so labels on all samples still leave an interval. Plans use the rate and the metric's quality as these labels "
    "estimate them; both will change. New labels are assumed to be as informative as those so far, given how they "
    "were drawn and clusters. A difference is found with power 80% at 5%, on labels of both runs on the same test "
    "cases; “more than now” is of this run."
)
RULE = (
    "From {least} labels on, stop when the whole PPI++ interval lies at or above the threshold (reached) or below it "
    "(missed), since more labels would hardly change that; or when the interval that labels on all samples would give "
    "contains the threshold wherever the final rate may lie (out of reach), since then no number of labels decides. "
    "Otherwise go on."
)
KINDS: Mapping[str, Literal["good", "info", "warning"]] = {
    "reached": "good",
    "missed": "warning",
    "out of reach": "warning",
}


def label_plan_view(plans: Sequence[tuple[PlanQuestion, LabelPlan]], ahead: Forecast) -> View:
    """The labels that each question takes, in all and more than now, and the assumptions of each plan."""
    rows = tuple(
        (question_title(question), plan.needed, plan.more)
        if plan.reachable
        else (question_title(question), say("not in this run"), None)
        for question, plan in plans
    )
    assumed = say(
        ASSUMED,
        labels=counted(ahead.estimates.n_labels, "label"),
        samples=counted(ahead.estimates.n_samples, "sample"),
    )
    columns = (column("To get"), column("Labels in all", "count"), column("More than now", "count"))
    blocks: list[Block] = [Table(say("Labels needed for each question"), columns, rows, (assumed,))]
    notes = tuple((f"{question_title(question)}: {note}",) for question, plan in plans if (note := plan_note(plan)))
    return View((*blocks, Bullets(notes)) if notes else tuple(blocks))


def decision_view(decision: StopDecision, *, looks: int | None, ahead: Forecast) -> View:
    """Whether to stop labelling, and the rule. `ahead` is the forecast at the level of the decision's interval."""
    title = say(
        "Pass rate of at least {threshold:.4g}%: {verdict}",
        threshold=100 * decision.threshold,
        verdict=say(decision.verdict),
    )
    told = f"{decision_sentence(decision)} {_until_decided(decision, ahead)}".strip()
    rule = f"{say(RULE, least=LEAST_LABELS)} {looks_sentence(looks, decision.n_labels)}"
    return View((Callout(KINDS.get(decision.verdict, "info"), title, (told,)), Paragraph((rule,))))


def _until_decided(decision: StopDecision, ahead: Forecast) -> str:
    """The number of further labels that would decide at the present rate; "" where nothing can be said."""
    have = ahead.estimates.n_labels
    if decision.stop or not ahead.known or have < LEAST_LABELS:
        return ""
    needed = labels_to_decide(ahead, decision.threshold)
    if needed is None:
        return say("If the rate stays as it is, not even all samples would decide.")
    return say(
        "If the rate stays as it is, about {labels} decide.", labels=counted(max(needed - have, 1), "more label")
    )
