"""Biases of judges in words: each with its size, its interval and its effect on the pass rate."""

from __future__ import annotations

import math
from collections.abc import Iterable

from hcat.core.capabilities.judges.manipulations import MANIPULATIONS, RefusalConsistency, ScoreShift
from hcat.core.capabilities.judges.pairs import POSITION, SELF, VERBOSITY, Effect
from hcat.core.capabilities.judges.self_preference import SelfPreference
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_percent

PAIR_MEANINGS = {
    POSITION: "By how much more often an answer is preferred when it stands first.",
    VERBOSITY: "Half of: the error rate where the shorter answer is right, less that where the longer is right.",
    SELF: "Half of: the error rate where another family's answer is right, less that where its own family's is right.",
}
"""Definition of each effect, for documents."""
ABOUT_PAIR_BIAS = (
    "A judge that errs as often either way has no bias of length or family, however often the longer or its own answer "
    "is right. It has one where it errs more often in favour of that answer; such pairs may also be harder ones. All "
    "judges and effects together are one family (Holm, 5%)."
)
ABOUT_SELF_PREFERENCE = (
    "Does the judge score answers that a model of its own family wrote higher than people’s labels warrant? Answers to "
    "one question that people put on the same level are compared. What people’s levels do not tell apart counts as "
    "preference, too."
)


def effect_verdict(effect: Effect) -> str:
    """Whether the bias is shown, or why it was not measured."""
    if effect.why_not:
        return say("not measured: {why_not}", why_not=effect.why_not)
    return say("flagged") if effect.is_flagged else say("none shown")


def shift_title(shift: ScoreShift) -> str:
    """Title of the manipulation of the answer."""
    return say(MANIPULATIONS[shift.manipulation].title)


def shift_verdict(shift: ScoreShift) -> str:
    """Whether the change moves the scores."""
    if math.isnan(shift.p_holm):
        return "too few to test"
    return "bias" if shift.is_flagged else "none shown"


def consequence_sentences(shifts: Iterable[ScoreShift]) -> list[str]:
    """Sentences on the effect of each bias that is shown on a pass rate by this judge."""
    return [
        say(
            "{shift_title} moves the pass rate on {shift.criterion} by {value} ({low} to {high}, {pairs}): "
            "runs that differ in this are not comparable by this judge's verdicts alone.",
            shift_title=shift_title(shift),
            shift=shift,
            value=_points(shift.pass_rate.value),
            low=_points(shift.pass_rate.low),
            high=_points(shift.pass_rate.high),
            pairs=counted(shift.n, "pair"),
        )
        for shift in shifts
        if shift.is_flagged
    ]


def self_preference_verdict(found: SelfPreference) -> str:
    """Whether the judge prefers its own family."""
    if math.isnan(found.p_holm):
        return "too few to test"
    return "self-preference" if found.is_flagged else "none shown"


def refusal_sentence(consistency: RefusalConsistency) -> str:
    """Sentence on the consistency of the judge's verdicts on one refusal in different wordings."""
    if not consistency.n:
        return say("Refusals, {consistency.criterion}: no sample was scored in all wordings.", consistency=consistency)
    return say(
        "Refusals, {consistency.criterion}: the same verdict in all wordings on {same_verdict} of "
        "{samples}; scores of one sample lie {spread} points apart.",
        consistency=consistency,
        same_verdict=format_estimate(consistency.same_verdict, percent=True),
        samples=counted(consistency.n, "sample"),
        spread=format_estimate(consistency.spread),
    )


def _points(value: float) -> str:
    """ "+16.5 points": a difference of two shares."""
    text = format_percent(value).removesuffix("%").rstrip()
    return say("{text} points", text=f"+{text}" if value > 0 and not text.startswith("<") else text)
