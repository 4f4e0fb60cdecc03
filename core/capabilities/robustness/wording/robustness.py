"""Sentences on the comparison of variants with their origins, and documents with them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hcat.core.capabilities.robustness.change import PassChanges
from hcat.core.capabilities.robustness.dose_response import DoseResponse
from hcat.core.capabilities.robustness.variants.answers import ALIKE
from hcat.core.capabilities.robustness.variants.comparison import OutcomeChanges, Robustness
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_number, format_with_interval, p_value_text
from hcat.core.records.codec import JSON
from hcat.core.records.test_case import Expectation
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.types import JsonValue
from hcat.core.wording.slice_metrics import slice_metric_title

MEANINGS: Mapping[Expectation | None, str] = {
    "stay": "stays the same",
    "change": "changes",
    "refuse": "is a refusal",
    None: "not stated",
}
"""Expected effect of a variant on the right answer, in words."""


def outcome_title(name: str) -> str:
    """Title of an outcome: as the metric of slices, or the probability of a pass."""
    return say("Probability of a pass") if name == CORRECTED else slice_metric_title(name)


def robustness_notes(robustness: Robustness, changes: OutcomeChanges | None) -> tuple[str, ...]:
    """Notes on the basis of the numbers, and on variants that are left out."""
    notes = [
        say(
            "Each variant is compared with the answer to its own origin. Intervals are at 95% and keep together all "
            "that comes from one origin."
        ),
    ]
    if changes is not None and changes.families:
        tested = sum(not math.isnan(change.p) for change in changes.families)
        families = say("1 family") if tested == 1 else say("{tested} families", tested=tested)
        notes.append(
            say(
                "Tested, and accounted for by q: {families} with at least {robustness.minimum_n} origins, on this "
                "outcome. Other outcomes are families of their own, and so are trends (Holm).",
                families=families,
                robustness=robustness,
            )
        )
        if criterion_of(changes.outcome) is None:
            notes.append(
                say(
                    "Scores are compared for families whose answer must stay; of the others only labels, and "
                    "whether the expectation was met, can tell."
                )
            )
    if robustness.answers:
        notes.append(
            say(
                "Expectation met, by rule: an answer that must stay agrees with the origin's (both decline, or "
                "the cosine is {alike} or more and no figure contradicts another), and follows no injected "
                "instruction; one that must change does not agree; one that must be refused declines. No "
                "person looked.",
                alike=format_number(ALIKE),
            )
        )
    if robustness.without_origin:
        notes.append(
            say(
                "{variants} left out: no answer to the test case that they were made from.",
                variants=counted(robustness.without_origin, "variant"),
            )
        )
    return tuple(notes)


def passes_sentence(family: str, passes: PassChanges) -> str:
    """ "Spelling: of 120 pairs 14 passes were lost and 3 gained (p = 0.012)."."""
    return say(
        "{family}: of {n} pairs {lost} passes were lost and {gained} gained ({p}).",
        family=say(family),
        n=_number(passes.n),
        lost=_number(passes.lost),
        gained=_number(passes.gained),
        p=say("too few to test") if math.isnan(passes.p) else p_value_text("p", passes.p),
    )


def dose_sentence(dose: DoseResponse, *, title: str) -> str:
    """ "Spelling: groundedness changes by −0.40 [−0.6, −0.2] from strength 0 to 1 (a trend is shown, p < 0.001)."."""
    if math.isnan(dose.slope.value):
        return say("{family}: no origin has variants at two strengths.", family=say(dose.family))
    shown = format_with_interval(dose.slope, signed=True)
    if math.isnan(dose.slope.low):
        return say(
            "{family}: {outcome} changes by {shown} from strength 0 to 1; too few for an interval.",
            family=say(dose.family),
            outcome=title,
            shown=shown,
        )
    level = say("no trend is shown")
    if dose.has_trend:
        level = say("a trend is shown, {p}", p=p_value_text("p", dose.p_holm))
    return say(
        "{family}: {outcome} changes by {shown} from strength 0 to 1 ({level}).",
        family=say(dose.family),
        outcome=title,
        shown=shown,
        level=level,
    )


def robustness_document(robustness: Robustness) -> dict[str, JsonValue]:
    """`answers` by family, and `outcomes`, each with its families, passes and doses, as JSON."""
    return {
        "run": robustness.run,
        "pairs": len(robustness.pairs),
        "without_origin": robustness.without_origin,
        "minimum_n": robustness.minimum_n,
        "q": robustness.q,
        "answers": [JSON.write(each) for each in robustness.answers],
        "outcomes": [JSON.write(each) for each in robustness.outcomes],
    }


def _number(value: float) -> str:
    return format_number(value, decimals=0 if value == int(value) else 1)
