"""What the test of proportional odds found, in a sentence."""

from __future__ import annotations

from hcat.core.calibration.checks.proportional_odds import LEAST_A_SIDE, ProportionalOdds, Untested


def proportional_odds_sentence(odds: ProportionalOdds) -> str:
    """The result, and what to do where it speaks against proportional odds."""
    if reason := untested_reason(odds):
        return f"Proportional odds were not tested. {reason}"
    by_cluster = "" if odds.test_cases is None else f" by {odds.test_cases} clusters"
    result = f"χ² = {odds.statistic:.1f} on {odds.degrees} degrees of freedom{by_cluster}, p = {odds.p:.2g}"
    if odds.doubtful:
        return f"Proportional odds do not hold ({result}): compare with the method multinomial."
    return f"Nothing speaks against proportional odds ({result})."


def untested_reason(odds: ProportionalOdds) -> str:
    """Why the test was not made, or what the document states of it; "" where it was made."""
    if odds.reason or odds.untested is None:
        return odds.reason
    return _reason(odds.untested)


def _reason(untested: Untested) -> str:
    return {
        "one cut": "Two levels have one cut: nothing is assumed.",
        "few labels": f"A cut has fewer than {LEAST_A_SIDE} labels on one side.",
        "empty level": "A level has no label.",
        "constant metric": "A metric does not vary.",
        "few clusters": "The slopes rest on too few labels or clusters: "
        f"about {untested.test_cases} that say equally much.",
        "no fit": f"A cut can't be fitted: {untested.error}.",
        "separated": "A cut separates the labels completely.",
    }[untested.cause]
