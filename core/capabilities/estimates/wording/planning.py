"""Sentences on the number of labels that a question takes, and on whether more can change a decision."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count
from hcat.core.estimates.planning import LabelPlan, ThresholdNeed
from hcat.core.estimates.plans import PlanQuestion
from hcat.core.estimates.stopping import LEAST_LABELS, StopDecision, look_level
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, JsonObject
from hcat.core.types import JsonValue

PLAN = Codec({LabelPlan: ("needed", "more", "reachable"), StopDecision: ("verdict", Also("stop", "stop"))})
BY_LABELS = (
    "Each threshold needs {need.labels} labels drawn in the same way; each label has probability {need.share:g} of "
    "being used for thresholds. With one metric and one label a cluster, all labels make the sets, and {need.labels} "
    "suffice."
)
BY_CLUSTERS = (
    "Each threshold needs {need.labels} clusters drawn in the same way; each cluster has probability {need.share:g} of "
    "being used for thresholds. With one metric and one label a cluster, all labels make the sets, and {need.labels} "
    "suffice. Numbers count clusters with a label: further labels of one tell less."
)
INSIDE = "Go on: the {level:.1%} interval runs from {low:.1%} to {high:.1%}, and {threshold:.4g}% lies inside."
ABOVE = "Stop: the {level:.1%} interval runs from {low:.1%} to {high:.1%}, all of it at or above {threshold:.4g}%."
BELOW = "Stop: the {level:.1%} interval runs from {low:.1%} to {high:.1%}, all of it below {threshold:.4g}%."
LEFT_OPEN = (
    "Stop: the {level:.1%} interval runs from {low:.1%} to {high:.1%}. Even with all {samples} samples labelled the "
    "interval would contain {threshold:.4g}%; a larger run would decide."
)
BY_INTERVAL = {"interval above": ABOVE, "interval below": BELOW, "all labels leave it open": LEFT_OPEN}


def question_title(question: PlanQuestion) -> str:
    """ "an interval 10% wide, labels only"."""
    size = question.size
    if question.goal == "width":
        return (
            say("an interval {size:.0%} wide, labels only", size=size)
            if question.labels_only
            else say("an interval {size:.0%} wide, with the metric", size=size)
        )
    if question.goal == "difference":
        return say("a difference of {size:.0%} to another run: labels on each of the two", size=size)
    each = "" if question.group is None else say(", a threshold for each {group}", group=question.group)
    if question.tolerance is None:
        return say("prediction sets at {promise:.0%}{each}: that say anything", promise=1 - size, each=each)
    return say(
        "prediction sets at {promise:.0%}{each}: coverage short by {tolerance:.0%} at most",
        promise=1 - size,
        each=each,
        tolerance=question.tolerance,
    )


def plan_note(plan: LabelPlan) -> str:
    """The limits of a plan, and advice where no number of labels is enough; "" where nothing needs saying."""
    if plan.threshold is not None:
        return _threshold_note(plan, plan.threshold)
    if plan.reachable and plan.in_half is not None:
        return say(
            "Enough in nine of ten draws of labels; in about half of them {in_half} are enough.",
            in_half=format_count(plan.in_half),
        )
    if plan.reachable:
        return ""
    if math.isnan(plan.attainable):
        return say("The run has no samples: a larger run is needed.")
    if plan.goal == "difference":
        return say(
            "Labels on all {plan.needed} samples detect a difference of about {plan.attainable:.3f}: a larger run is "
            "needed.",
            plan=plan,
        )
    if plan.in_half is None:
        return say(
            "Labels on all {plan.needed} samples give a width of {plan.attainable:.3f}: a larger run is needed.",
            plan=plan,
        )
    return say(
        "Labels on all {plan.needed} samples give a width of {plan.attainable:.3f} in one of ten draws. In about half "
        "of draws {plan.in_half} labels are enough.",
        plan=plan,
    )


def _threshold_note(plan: LabelPlan, need: ThresholdNeed) -> str:
    rests_on = say(BY_CLUSTERS if need.by_cluster else BY_LABELS, need=need)
    if plan.reachable:
        return rests_on
    total, n = need.total, plan.needed
    in_all = (
        say("That is {total} clusters in all, of {n} clusters: a larger run is needed.", total=total, n=n)
        if need.by_cluster
        else say("That is {total} labels in all, of {n} samples: a larger run is needed.", total=total, n=n)
    )
    return f"{rests_on} {in_all}"


def looks_sentence(looks: int | None, labels: int) -> str:
    """The level of a decision's interval, and the number of looks at the labels that it allows, in a sentence."""
    level = look_level(labels, looks=looks)
    if looks is None:
        return say(
            "The interval is at {level:.1%}: it holds however often you look while labels come in, and a wrong "
            "decision has a chance of 5% at most over all looks (confidence sequence).",
            level=level,
        )
    return say(
        "The interval is at {level:.1%}, for {looks} fixed before the first: a wrong decision has a chance of 5% at "
        "most over them (Bonferroni), and more if you look more often.",
        level=level,
        looks=counted(looks, "look"),
    )


def decision_sentence(decision: StopDecision) -> str:
    """Stop or go on, and why."""
    if decision.cause == "few labels":
        missing = LEAST_LABELS - decision.n_labels
        if missing == 1:
            return say("Fewer than {least} labels: at least 1 more is needed.", least=LEAST_LABELS)
        return say(
            "Fewer than {least} labels: at least {missing} more are needed.", least=LEAST_LABELS, missing=missing
        )
    if decision.cause == "labels worth few":
        return say(
            "The weights of these labels are so unequal that they are worth fewer than {least} of equal weight: label "
            "more.",
            least=LEAST_LABELS,
        )
    if decision.cause == "one cluster":
        return say("All labels, or all of one stratum, come from a single cluster: label samples of other clusters.")
    return say(
        BY_INTERVAL.get(decision.cause, INSIDE),
        level=decision.interval.level,
        low=decision.interval.low,
        high=decision.interval.high,
        threshold=100 * decision.threshold,
        samples=decision.n_samples,
    )


def plan_document(
    plans: Sequence[tuple[PlanQuestion, LabelPlan]], decision: StopDecision | None, looks: int | None
) -> JsonObject:
    """The parts of `hcat plan --json`."""
    answers: list[JsonValue] = [
        {"question": question_title(question), **PLAN.write_object(plan), "note": plan_note(plan)}
        for question, plan in plans
    ]
    if decision is None:
        return {"plans": answers}
    reason, at = decision_sentence(decision), looks_sentence(looks, decision.n_labels)
    return {"plans": answers, "decision": {**PLAN.write_object(decision), "reason": reason, "looks": at}}
