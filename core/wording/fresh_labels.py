"""What fresh labels say of a finding, in sentences that hold no more than the numbers."""

from __future__ import annotations

import math

from core.display.numbers import counted, format_difference, format_estimate, format_interval, p_value_text
from core.estimates.fresh_labels import CONFIRMED, MORE_LABELS, FreshJudgement

NO_FRESH_LABELS = (
    "Found and tested on the same data. Plan a confirming queue: samples that nobody has judged, of this finding and "
    "of the rest of the run, whose labels alone judge it."
)


def fresh_verdict(judgement: FreshJudgement) -> str:
    """ "confirmed by fresh labels", "not confirmed", or how many more labels it takes."""
    comparison = judgement.comparison
    if comparison.verdict == MORE_LABELS:
        return f"{counted(comparison.needs, 'more label')} needed"
    return comparison.verdict


def fresh_sentence(judgement: FreshJudgement) -> str:
    """The verdict on one criterion with its numbers and the level of its test; no numbers before all labels are there:
    looking at them would be a test of its own."""
    comparison = judgement.comparison
    left_out = _left_out(judgement)
    if comparison.verdict == MORE_LABELS:
        return (
            f"By fresh labels on {judgement.criterion}: {fresh_verdict(judgement)} of the {judgement.drawn:,} drawn"
            f"{left_out}. The result is shown, and the test made, when all are there."
        )
    if math.isnan(comparison.difference.value):
        return f"By fresh labels on {judgement.criterion}: {comparison.verdict}; one side has no label{left_out}."
    rounds = "" if judgement.rounds == 1 else f" after {judgement.rounds} rounds"
    says = "" if comparison.verdict == CONFIRMED else " That does not show that there is no difference."
    return (
        f"By fresh labels on {judgement.criterion}: {comparison.verdict}. "
        f"{format_estimate(comparison.inside, percent=True)} pass here, "
        f"{format_estimate(comparison.rest, percent=True)} in the rest: difference "
        f"{format_difference(comparison.difference.value)} {format_interval(comparison.difference)}, one-sided "
        f"{p_value_text('p', comparison.p)}, tested at level {comparison.level:.3g}{rounds}{left_out}.{says}"
    )


def _left_out(judgement: FreshJudgement) -> str:
    parts = [
        f"{counted(judgement.ties, 'tie')} to be decided" if judgement.ties else "",
        f"{counted(judgement.cannot_judge, 'sample')} that nobody could judge" if judgement.cannot_judge else "",
    ]
    said = " and ".join(filter(None, parts))
    return f" ({said})" if said else ""
