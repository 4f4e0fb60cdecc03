"""Sentences about how far annotators agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.capabilities.agreement.drift import Drift, Measure
from hcat.core.capabilities.agreement.leniency import Leniency
from hcat.core.capabilities.agreement.prevalence import LEAST_MINORITY
from hcat.core.capabilities.agreement.summary import Agreement
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_count, format_estimate, format_number, format_percent
from hcat.core.estimates.slices import INSUFFICIENT

MEASURES: Mapping[Measure, tuple[str, str]] = {
    "passes": (
        "Pass rate",
        "The share of passes among the annotator's labels. It also moves where later samples are of another kind, as "
        "in a queue that begins with the hard ones.",
    ),
    "agrees with the others": (
        "Agreement with the others",
        "How many of the others gave the sample the same level, on samples that others labelled too.",
    ),
    "lenience": (
        "Leniency against the others",
        "A pass counts 1, a fail 0, less the share of the others who pass the same sample: harder or easier samples "
        "do not change it, only people do.",
    ),
}
"""The measures of drift: the title and the meaning of each."""


def coefficient_text(agreement: Agreement, coefficient: str) -> str:
    """The coefficient with its interval and n, or that there is too little to conclude from it."""
    estimate = agreement.coefficients[coefficient]
    if agreement.suffices_for(coefficient):
        return format_estimate(estimate)
    return f"{say(INSUFFICIENT)}, n = {format_count(estimate.n)}"


def few_minority_labels(agreement: Agreement) -> str:
    """The reason why κ and α are not reported though enough samples were labelled twice; "" where they are."""
    if not agreement.enough or agreement.minority >= LEAST_MINORITY:
        return ""
    return say(
        "Nearly all labels are alike: {minority} labels per annotator differ from the most common "
        "level, and κ and α need {least_minority}. AC1 and the agreement on pass and on fail can be "
        "read.",
        minority=format_number(agreement.minority, decimals=1),
        least_minority=format_number(LEAST_MINORITY, decimals=0),
    )


def leniency_note(leniencies: Sequence[Leniency]) -> str:
    """The error rate of the verdicts on leniency, and the levels of the intervals, in a sentence."""
    levels = sorted({format_percent(one.difference.level) for one in leniencies})
    return say(
        "Where all annotators judge alike, any of them is called lenient or strict in at most 5% of cases (Holm). Each "
        "interval is of the level that decided: {levels}.",
        levels=", ".join(levels),
    )


def drift_word(drift: Drift) -> str:
    """Whether the annotator's judgement is shown to change with time."""
    if not drift.enough:
        return INSUFFICIENT
    return say("drift") if drift.is_shown else say("no drift shown")
