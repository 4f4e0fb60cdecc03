"""Two runs in the same slices, in words."""

from __future__ import annotations

import math

from hcat.core.display.messages import say
from hcat.core.display.numbers import (
    counted,
    format_difference,
    format_estimate,
    format_number,
    format_percent,
    p_value_text,
)
from hcat.core.estimates.paired_difference import DifferenceEstimates, labels_until_different
from hcat.core.slices.keys import criterion_of
from hcat.core.slices.paired import HIGHER_THAN, LOWER_THAN, PairedSlice, PairedSlices
from hcat.core.slices.verdicts import n_until_shown
from hcat.core.statistics.growth import PROBABILITY

MOST_NAMED = 3
ALONE = "{samples} of {run} without a partner is left out."
SEVERAL_ALONE = "{samples} of {run} without a partner are left out."
UNWEIGHTED = (
    "Each labelled pair counts once: where labels were drawn with unequal probabilities, the difference is that of the "
    "labelled samples, not of the run."
)
PAIRS_NEEDED = (
    "In some slices the two runs do not differ significantly (q > {q:g}). Pairs needed in a slice to show its "
    "difference with {power} power: {named}. This assumes that the observed difference is the true one."
)


def paired_sentences(paired: PairedSlices) -> tuple[str, ...]:
    """The paired samples, their difference, and the tests with their method, in sentences."""
    people = criterion_of(paired.metric) is not None
    pairs, difference = counted(paired.overall.n, "pair"), _difference(paired.overall)
    runs = {"run": paired.run, "against": paired.against, "pairs": pairs, "difference": difference}
    whole = (
        say("{run} less {against}, over {pairs} of samples labelled in both: {difference}.", **runs)
        if people
        else say("{run} less {against}, over {pairs} of samples scored in both: {difference}.", **runs)
    )
    if paired.unpaired:
        alone = counted(paired.unpaired, "sample")
        whole += " " + say(ALONE if paired.unpaired == 1 else SEVERAL_ALONE, samples=alone, run=paired.run)
    tested = say(
        "{slices} tested by changing the signs of paired differences, clusters as a whole; q is Benjamini–Hochberg's. "
        "Levels and pairs of levels have half of the error each, whichever are in view.",
        slices=counted(paired.n_tests, "slice"),
    )
    return (whole, tested, *((say(UNWEIGHTED),) if people else ()), *until_paired(paired))


def until_paired(paired: PairedSlices) -> tuple[str, ...]:
    """Of slices whose difference is not shown, those that the fewest pairs would show, and how many; none where no
    number would do."""
    found = [
        (needed, each)
        for each in paired.slices
        if (needed := n_until_shown(each.p, each.q, each.n, error=paired.q)) is not None
    ]
    nearest = sorted(found, key=lambda item: item[0])[:MOST_NAMED]
    if not nearest:
        return ()
    people = criterion_of(paired.metric) is not None
    named = "; ".join(
        say(
            "{slice}: about {pairs}",
            slice=each.slice.title,
            pairs=counted(needed, "labelled pair" if people else "scored pair"),
        )
        for needed, each in nearest
    )
    return (say(PAIRS_NEEDED, q=paired.q, power=format_percent(PROBABILITY, decimals=0), named=named),)


def paired_slice_sentence(each: PairedSlice, paired: PairedSlices) -> str:
    """The verdict on one slice, with the means of both runs."""
    means = f"{format_number(each.mean)} in {paired.run}, {format_number(each.mean_against)} in {paired.against}"
    if math.isnan(each.q):
        return f"Insufficient evidence · {means} · {counted(each.n, 'pair')}: too few to compare"
    verdicts = {LOWER_THAN: f"Lower than {paired.against}", HIGHER_THAN: f"Higher than {paired.against}"}
    verdict = verdicts.get(each.verdict, "Not shown to differ")
    return f"{verdict} · {means} · {_difference(each)} · {p_value_text('q', each.q)}"


def until_different(found: DifferenceEstimates) -> str:
    """The number of labels that would show the difference of two runs, if it is the present one; "" where none
    would."""
    needed = labels_until_different(found)
    if needed is None:
        return ""
    return say(
        "About {labels} on both runs together would show it with a chance of {chance}, if the difference is what it "
        "is now.",
        labels=counted(needed, "label"),
        chance=format_percent(PROBABILITY, decimals=0),
    )


def _difference(each: PairedSlice) -> str:
    if math.isnan(each.difference.low):
        return say("difference {difference}, n = {n}", difference=format_difference(each.difference.value), n=each.n)
    return say("difference {difference}", difference=format_estimate(each.difference))
