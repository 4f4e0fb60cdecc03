"""Sentences about a pass rate: where there is too little for one, and how much hangs on samples that are tied."""

from __future__ import annotations

from core.display.numbers import counted, format_estimate, format_percent
from core.estimates.slices import INSUFFICIENT, MINIMUM_N
from core.labelling.ties import TieBounds
from core.types import Estimate


def rate_or_insufficient(rate: Estimate) -> str:
    """The rate with its interval and n, or that there is too little evidence for one."""
    return format_estimate(rate, percent=True) if rate.n >= MINIMUM_N else f"{INSUFFICIENT}, n = {rate.n}"


def rate_with_ties(rate: Estimate, bounds: TieBounds | None) -> str:
    """ "85.1% [72.3%, 92.6%], n = 47 decided; 77.0% to 87.0% with the 5 ties": the rate of decided samples never stands
    alone where annotators tie on others."""
    text = rate_or_insufficient(rate)
    return text if bounds is None else f"{text} decided; {_between(bounds)} with {_the_ties(bounds)}"


def ties_sentence(rate: Estimate, bounds: TieBounds | None) -> str:
    """What the rate is of, and between what it lies however the ties are decided; "" where there are none."""
    if bounds is None:
        return ""
    return (
        f"The rate of {format_percent(rate.value)} rests on the {counted(rate.n, 'sample')} on which annotators agree "
        f"or somebody decided. {counted(bounds.ties, 'more sample')} {'is' if bounds.ties == 1 else 'are'} tied and "
        f"left out: with them it lies between {format_percent(bounds.failed.value)} (all decided as fail) and "
        f"{format_percent(bounds.passed.value)} (all as pass). Decide them on the Agreement page."
    )


def _between(bounds: TieBounds) -> str:
    return f"{format_percent(bounds.failed.value)} to {format_percent(bounds.passed.value)}"


def _the_ties(bounds: TieBounds) -> str:
    return "the tie" if bounds.ties == 1 else f"the {bounds.ties} ties"
