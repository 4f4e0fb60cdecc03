"""Sentences about a pass rate: its samples, too few labels for one, and its range by ties."""

from __future__ import annotations

import math

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count, format_estimate, format_number, format_percent
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.slices import INSUFFICIENT, MINIMUM_N
from hcat.core.labelling.ties import TieBounds
from hcat.core.types import Estimate

ESTIMANDS = (
    "“These answers” are those of this run alone. “Answers like these” are all that the system would give to such "
    "questions, of which the run is a sample. A pass rate without either name is of answers like these."
)
TIES = (
    "The rate of {rate} rests on the {samples} on which annotators agree or somebody decided. {ties} more samples are "
    "tied and left out: with them it lies between {failed} (all decided as fail) and {passed} (all as pass)."
)
ONE_TIE = (
    "The rate of {rate} rests on the {samples} on which annotators agree or somebody decided. {ties} more sample is "
    "tied and left out: with it the rate lies between {failed} (decided as fail) and {passed} (as pass)."
)


def in_words(rates: PassRateEstimates) -> str:
    """The three estimates in two to four sentences that need no statistics."""
    if not math.isfinite(rates.ppi.low):
        return say("There are too few labels for any interval.")
    said = [these_answers_sentence(rates), answers_like_these_sentence(rates)]
    said.append(precision_sentence(rates) if rates.lambda_ > 0 else _why_no_help(rates))
    naive = format_percent(rates.naive.value)
    if rates.naive.value > rates.ppi.high:
        said.append(say("The machine alone says {rate}: too high.", rate=naive))
    elif rates.naive.value < rates.ppi.low:
        said.append(say("The machine alone says {rate}: too low.", rate=naive))
    return " ".join(filter(None, said))


def _why_no_help(rates: PassRateEstimates) -> str:
    """The reason why the metric narrows nothing; only where it could have is that due to the metric."""
    if rates.n_labels == rates.n_samples:
        return say("The machine has nothing to add.")
    if rates.note:
        return say("There are too few labels for the machine to help yet.")
    if rates.labels_only.value in (0.0, 1.0):
        return say("All labelled answers have the same label, so what the machine adds cannot be measured yet.")
    return say(
        "These labels show no gain from the machine: it gets weight 0, and the interval is that of the labels alone."
    )


def these_answers_sentence(rates: PassRateEstimates) -> str:
    """The rate of the run's own answers; "" where it has no interval."""
    if rates.of_these is None or math.isnan(rates.of_these.ppi.low):
        return ""
    here, n = rates.of_these.ppi, format_count(rates.n_samples)
    if rates.n_labels == rates.n_samples:
        return say(
            "Of these {n} answers, {rate} pass: all are labelled, so this is exact.",
            n=n,
            rate=format_percent(here.value),
        )
    return say(
        "Of these {n} answers, {rate} pass; with {level:.0%} confidence between {low} and {high}.",
        n=n,
        rate=format_percent(here.value),
        level=here.level,
        low=format_percent(here.low),
        high=format_percent(here.high),
    )


def answers_like_these_sentence(rates: PassRateEstimates) -> str:
    """The rate of all answers that the system would give to such questions."""
    return say(
        "Of answers like these, {rate} pass; with {level:.0%} confidence between {low} and {high}.",
        rate=format_percent(rates.ppi.value),
        level=rates.ppi.level,
        low=format_percent(rates.ppi.low),
        high=format_percent(rates.ppi.high),
    )


def precision_sentence(rates: PassRateEstimates) -> str:
    """As how many random labels these are as precise, with the machine and without."""
    worth, alone = (format_number(n, decimals=0) for n in (rates.effective_n, rates.labels_only_effective_n))
    return say(
        "With the machine's help, {labels} have about the precision of {worth} drawn at random; without it, of "
        "{alone}.",
        labels=counted(rates.n_labels, "label"),
        worth=worth,
        alone=alone,
    )


def of_these_answers(here: Estimate | None) -> str:
    """ "of these answers: 85.1% [80.2%, 89.0%]"; "" where that is not known."""
    if here is None or math.isnan(here.low):
        return ""
    if here.low == here.high:
        return say("of these answers: {rate}, exactly", rate=format_percent(here.value))
    return say(
        "of these answers: {rate} [{low}, {high}]",
        rate=format_percent(here.value),
        low=format_percent(here.low),
        high=format_percent(here.high),
    )


def rate_or_insufficient(rate: Estimate) -> str:
    """The rate with its interval and n, or that there is too little evidence for one."""
    return format_estimate(rate, percent=True) if rate.n >= MINIMUM_N else f"{INSUFFICIENT}, n = {rate.n}"


def rate_with_ties(rate: Estimate, bounds: TieBounds | None) -> str:
    """ "85.1% [72.3%, 92.6%], n = 47 decided; 77.0% to 87.0% with the 5 ties": where annotators tie on samples, the
    rate of the decided ones is shown with its bounds."""
    text = rate_or_insufficient(rate)
    return text if bounds is None else f"{text} decided; {_between(bounds)} with {_the_ties(bounds)}"


def ties_sentence(rate: Estimate, bounds: TieBounds | None) -> str:
    """The samples that the rate is of, and its bounds however the ties are decided; "" where there are none."""
    if bounds is None:
        return ""
    said = say(
        TIES if bounds.ties > 1 else ONE_TIE,
        rate=format_percent(rate.value),
        samples=counted(rate.n, "sample"),
        ties=format_count(bounds.ties),
        failed=format_percent(bounds.failed.value),
        passed=format_percent(bounds.passed.value),
    )
    return f"{said} {say('Decide them on the Agreement page.')}"


def _between(bounds: TieBounds) -> str:
    return f"{format_percent(bounds.failed.value)} to {format_percent(bounds.passed.value)}"


def _the_ties(bounds: TieBounds) -> str:
    return "the tie" if bounds.ties == 1 else f"the {bounds.ties} ties"
