"""How many labels a question takes, and whether more can change a decision, in words."""

from __future__ import annotations

import math

from hcat.core.display.messages import say
from hcat.core.display.numbers import format_count
from hcat.core.estimates.planning import LabelPlan
from hcat.core.estimates.plans import PlanQuestion
from hcat.core.estimates.stopping import LEAST_LABELS, StopDecision, look_level


def question_title(question: PlanQuestion) -> str:
    """ "an interval 10% wide, labels only"."""
    if question.goal == "width":
        return f"an interval {question.size:.0%} wide, {'labels only' if question.labels_only else 'with the metric'}"
    if question.goal == "difference":
        return f"a difference of {question.size:.0%} to another run: labels on each of the two"
    each = "" if question.group is None else f", a threshold for each {question.group}"
    sets = f"prediction sets at {1 - question.size:.0%}{each}"
    if question.tolerance is None:
        return f"{sets}: that say anything"
    return f"{sets}: coverage short by {question.tolerance:.0%} at most"


def plan_note(plan: LabelPlan) -> str:
    """What a plan rests on, and what would help where no number of labels is enough; "" where nothing needs saying."""
    if plan.threshold is not None:
        need = plan.threshold
        units, one, of = ("clusters", "cluster", "clusters") if need.by_cluster else ("labels", "label", "samples")
        rests_on = (
            f"Each threshold needs {need.labels} {units} drawn in the same way; each {one} has probability "
            f"{need.share:g} of being used for thresholds. With one metric and one label a cluster, all labels make "
            f"the sets, and {need.labels} suffice."
        )
        rests_on += " Numbers count clusters with a label: further labels of one tell less." * need.by_cluster
        if plan.reachable:
            return rests_on
        return f"{rests_on} That is {need.total} {units} in all, of {plan.needed} {of}: a larger run is needed."
    if plan.reachable and plan.in_half is not None:
        return say(
            "Enough in nine of ten draws of labels; in about half of them {in_half} are enough.",
            in_half=format_count(plan.in_half),
        )
    if plan.reachable:
        return ""
    if math.isnan(plan.attainable):
        return "The run has no samples: a larger run is needed."
    if plan.goal == "width":
        wide = f"Labels on all {plan.needed} samples give a width of {plan.attainable:.3f}"
        if plan.in_half is None:
            return f"{wide}: a larger run is needed."
        return f"{wide} in one of ten draws. In about half of draws {plan.in_half} labels are enough."
    return (
        f"Labels on all {plan.needed} samples detect a difference of about {plan.attainable:.3f}: a larger run is "
        "needed."
    )


def looks_sentence(looks: int | None, labels: int) -> str:
    """What the interval of a decision is at, and how often labels may be looked at."""
    at = f"{look_level(labels, looks=looks):.1%}"
    if looks is None:
        return (
            f"The interval is at {at}: it holds however often you look while labels come in, and a wrong decision has "
            "a chance of 5% at most over all looks (confidence sequence)."
        )
    return (
        f"The interval is at {at}, for {looks} {'look' if looks == 1 else 'looks'} fixed before the first: a wrong "
        "decision has a chance of 5% at most over them (Bonferroni), and more if you look more often."
    )


def decision_sentence(decision: StopDecision) -> str:
    """Stop or go on, and why."""
    interval, threshold = decision.interval, f"{decision.threshold:.0%}"
    if decision.cause == "few labels":
        missing = LEAST_LABELS - decision.n_labels
        return f"Fewer than {LEAST_LABELS} labels: at least {missing} more {'is' if missing == 1 else 'are'} needed."
    if decision.cause == "labels worth few":
        return (
            f"The weights of these labels are so unequal that they are worth fewer than {LEAST_LABELS} of equal "
            "weight: label more."
        )
    if decision.cause == "one cluster":
        return "All labels, or all of one stratum, come from a single cluster: label samples of other clusters."
    runs = f"the {interval.level:.1%} interval runs from {interval.low:.1%} to {interval.high:.1%}"
    if decision.cause == "interval above":
        return f"Stop: {runs}, all of it at or above {threshold}."
    if decision.cause == "interval below":
        return f"Stop: {runs}, all of it below {threshold}."
    if decision.cause == "all labels leave it open":
        return (
            f"Stop: {runs}. Even with all {decision.n_samples} samples labelled the interval would contain "
            f"{threshold}; a larger run would decide."
        )
    return f"Go on: {runs}, and {threshold} lies inside."
