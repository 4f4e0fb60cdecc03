"""The result of the test of proportional odds, in a sentence."""

from __future__ import annotations

from hcat.core.calibration.checks.proportional_odds import LEAST_A_SIDE, ProportionalOdds, Untested
from hcat.core.display.messages import say


def proportional_odds_sentence(odds: ProportionalOdds) -> str:
    """The result, and what to do where it speaks against proportional odds."""
    if reason := untested_reason(odds):
        return say("Proportional odds were not tested. {reason}", reason=reason)
    by_cluster = "" if odds.test_cases is None else say(" by {odds.test_cases} clusters", odds=odds)
    result = say(
        "χ² = {odds.statistic:.1f} on {odds.degrees} degrees of freedom{by_cluster}, p = {odds.p:.2g}",
        odds=odds,
        by_cluster=by_cluster,
    )
    if odds.doubtful:
        return say("Proportional odds do not hold ({result}): compare with the method multinomial.", result=result)
    return say("Nothing speaks against proportional odds ({result}).", result=result)


def untested_reason(odds: ProportionalOdds) -> str:
    """The reason why the test was not made, or the document's statement of it; "" where it was made."""
    if odds.reason or odds.untested is None:
        return odds.reason
    return _reason(odds.untested)


def _reason(untested: Untested) -> str:
    return {
        "one cut": say("Two levels have one cut: nothing is assumed."),
        "few labels": say("A cut has fewer than {least} labels on one side.", least=LEAST_A_SIDE),
        "empty level": say("A level has no label."),
        "constant metric": say("A metric does not vary."),
        "few clusters": say(
            "The slopes rest on too few labels or clusters: about {cases} that say equally much.",
            cases=untested.test_cases,
        ),
        "no fit": say("A cut can't be fitted: {error}.", error=untested.error),
        "separated": say("A cut separates the labels completely."),
    }[untested.cause]
