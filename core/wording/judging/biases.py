"""Biases of judges in words: each with its size, its interval and what it does to the pass rate."""

from __future__ import annotations

import math
from collections.abc import Iterable

from hcat.core.agreement.judges.asked_pairs import PairJudgement
from hcat.core.agreement.judges.manipulations import MANIPULATIONS, RefusalConsistency, ScoreShift
from hcat.core.agreement.judges.pairs import POSITION, SELF, VERBOSITY, Effect, PairBias
from hcat.core.agreement.judges.self_preference import SelfPreference
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_percent, p_value_text
from hcat.core.wording.judging.verdicts import reasons_text

_ERRORS = {
    VERBOSITY: ("the shorter", "the longer"),
    SELF: ("another family's", "its own family's"),
}
"""The answers between which a judge errs one way or the other."""
PAIR_MEANINGS = {
    POSITION: "By how much more often an answer is preferred when it stands first.",
    VERBOSITY: "Half of: the error rate where the shorter answer is right, less that where the longer is right.",
    SELF: "Half of: the error rate where another family's answer is right, less that where its own family's is right.",
}
"""What each effect is, for documents."""
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
NOT_FLAGGED = "no bias is shown, which does not show that there is none larger than the interval"


def effect_sentence(effect: Effect) -> str:
    """ "Position: an answer is preferred +16.5 points more often when it stands first (+7.8 to +25.1 at 99.6%; …).\""""
    if effect.why_not:
        return f"{effect.name.capitalize()}: not measured, {effect.why_not}."
    interval = effect.effect
    verdict = "flagged" if effect.is_flagged else NOT_FLAGGED
    bounds = f"{_points(interval.low)} to {_points(interval.high)} at {format_percent(interval.level)}"
    tested = f"({bounds}; {p_value_text('p', effect.p_holm)} by Holm): {verdict}."
    if effect.error_for is None or effect.error_against is None:
        said = f"an answer is preferred {_points(interval.value)} more often when it stands first"
        return f"{effect.name.capitalize()}: {said} {tested}"
    other, own = _ERRORS[effect.name]
    rates = [
        f"{format_percent(each.value)} of {counted(each.n, 'pair')} where {whose} answer is right"
        for each, whose in ((effect.error_for, other), (effect.error_against, own))
    ]
    return (
        f"{effect.name.capitalize()}: the judge errs on {' and on '.join(rates)}. "
        f"Half the difference, in favour of {own}: {_points(interval.value)} {tested}"
    )


def order_sentence(bias: PairBias) -> str:
    """What the order of answers costs: how often the judge is right when the right answer stands first, or second."""
    return (
        f"With the right answer first it is right on {format_estimate(bias.accuracy_if_first, percent=True)} of "
        f"{counted(bias.accuracy_if_first.n, 'pair')}, with the right answer second on "
        f"{format_estimate(bias.accuracy_if_second, percent=True)}."
    )


def pair_sentences(judgement: PairJudgement, bias: PairBias | None, names: tuple[str, str]) -> list[str]:
    """Which run's answers are preferred, what order does to that, and each bias; first how many pairs have verdicts."""
    lacking = sum(judgement.unscored.values())
    said = [
        f"{counted(len(judgement.verdicts), 'pair')} of answers with a verdict in both orders"
        + (f", {lacking} without: {reasons_text(judgement.unscored)}." if lacking else ".")
    ]
    if bias is None:
        return said
    said.append(
        f"{judgement.criterion}: the answer of {names[0]} is preferred to that of {names[1]} in "
        f"{format_estimate(bias.preferred, percent=True)} of verdicts, ties as one half: "
        f"{format_estimate(bias.preferred_if_first, percent=True)} when it stands first and "
        f"{format_estimate(bias.preferred_if_second, percent=True)} when it stands second. Both orders say the same on "
        f"{format_estimate(bias.consistent, percent=True)}."
    )
    if bias.accuracy.n:
        said.append(
            f"People say which answer is right on {counted(bias.accuracy.n, 'pair')}; the judge agrees on "
            f"{format_estimate(bias.accuracy, percent=True)}. {order_sentence(bias)}"
        )
    return [*said, *map(effect_sentence, bias.effects)]


def shift_title(shift: ScoreShift) -> str:
    """What was changed."""
    return say(MANIPULATIONS[shift.manipulation].title)


def shift_verdict(shift: ScoreShift) -> str:
    """Whether the change moves the scores."""
    if math.isnan(shift.p_holm):
        return "too few to test"
    return "bias" if shift.is_flagged else "none shown"


def consequence_sentences(shifts: Iterable[ScoreShift]) -> list[str]:
    """What each bias that is shown does to a pass rate by this judge."""
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
    """How far the judge treats one refusal alike, whatever its wording."""
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
