"""Sentences on a finding's fresh labels, which claim no more than the numbers show."""

from __future__ import annotations

import math

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_percent, format_with_interval, p_value_text
from hcat.core.estimates.fresh_labels import CONFIRMED, MORE_LABELS, FreshJudgement, labels_until_confirmed
from hcat.core.labelling.selection import SelectionSizes
from hcat.core.statistics.growth import PROBABILITY

SAME_DATA = "Found and tested on the same data."
NO_FRESH_LABELS = (
    f"{SAME_DATA} Plan a confirming queue: samples that nobody has judged, of this finding and of the rest of the run, "
    "whose labels alone judge it."
)
NO_FURTHER_ROUND = "Every sample of one side has been judged: a further round takes another run of the same test cases."


def no_fresh_samples(sizes: SelectionSizes) -> str:
    """Advice where the finding or the rest has no sample left that nobody has judged; "" where both have some."""
    if sizes.of_slice and sizes.of_rest:
        return ""
    both = not sizes.of_slice and not sizes.of_rest
    side = (
        say("of the run") if both else say("of this finding") if not sizes.of_slice else say("of the rest of the run")
    )
    return say(
        "All samples {side} have been judged already, so that labels of this run can't confirm the "
        "finding any more: the same labels would test what they showed. Let the system answer the same "
        "test cases once more, import that as another run, and label the same slice and the rest "
        "there, blind to this finding.",
        side=side,
    )


def fresh_verdict(judgement: FreshJudgement) -> str:
    """ "confirmed by fresh labels", "not confirmed", or how many more labels it takes."""
    comparison = judgement.comparison
    if comparison.verdict == MORE_LABELS:
        return say("{more_labels} needed", more_labels=counted(comparison.needs, "more label"))
    return say(comparison.verdict)


def fresh_sentence(judgement: FreshJudgement) -> str:
    """The verdict on one criterion with its numbers and the level of its test. No numbers before all labels are there:
    looking at them would be a test of its own."""
    comparison = judgement.comparison
    left_out = _left_out(judgement)
    if comparison.verdict == MORE_LABELS:
        return say(
            "By fresh labels on {judgement.criterion}: {fresh_verdict} of the {judgement.drawn:,} "
            "drawn{left_out}. The result is shown, and the test made, when all are there.",
            judgement=judgement,
            fresh_verdict=fresh_verdict(judgement),
            left_out=left_out,
        )
    if math.isnan(comparison.difference.value):
        return say(
            "By fresh labels on {judgement.criterion}: {verdict}; one side has no label{left_out}.",
            judgement=judgement,
            verdict=say(comparison.verdict),
            left_out=left_out,
        )
    rounds = "" if judgement.rounds == 1 else say(" after {judgement.rounds} rounds", judgement=judgement)
    says = "" if comparison.verdict == CONFIRMED else say(" That does not show that there is no difference.")
    return say(
        "By fresh labels on {judgement.criterion}: {verdict}. {inside} pass here, {rest} in "
        "the rest: difference {difference}, one-sided {p}, tested at level "
        "{comparison.level:.3g}{rounds}{left_out}.{says}",
        judgement=judgement,
        comparison=comparison,
        verdict=say(comparison.verdict),
        inside=format_estimate(comparison.inside, percent=True),
        rest=format_estimate(comparison.rest, percent=True),
        difference=format_with_interval(comparison.difference, signed=True),
        p=p_value_text("p", comparison.p),
        rounds=rounds,
        left_out=left_out,
        says=f"{says}{_ahead(judgement)}",
    )


def _ahead(judgement: FreshJudgement) -> str:
    """The number of fresh labels that would confirm the finding, if the difference is the present one; "" where none
    would."""
    needed = labels_until_confirmed(judgement)
    if needed is None:
        return ""
    return say(
        " About {labels} would confirm it with a chance of {chance}, if the difference is what it is now.",
        labels=counted(needed, "fresh label"),
        chance=format_percent(PROBABILITY, decimals=0),
    )


def _left_out(judgement: FreshJudgement) -> str:
    parts = [
        say("{ties} to be decided", ties=counted(judgement.ties, "tie")) if judgement.ties else "",
        say("{samples} that nobody could judge", samples=counted(judgement.cannot_judge, "sample"))
        if judgement.cannot_judge
        else "",
    ]
    said = say(" and ").join(filter(None, parts))
    return f" ({said})" if said else ""
