"""Sentences on a sampling design that drew test cases with known probabilities."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count
from hcat.core.records.design_weights import DesignSummary


def design_sentence(design: DesignSummary | None) -> str:
    """The weighting of samples, or the reason for none; empty where no design says anything about them."""
    if design is None:
        return ""
    if design.without:
        return say(
            "{without} of {samples} state no probability with which their test case was drawn, although "
            "the others do: so no sample is weighted, and means and rates hold for these test cases, not "
            "for the corpus.",
            without=format_count(design.without),
            samples=counted(design.n, "sample"),
        )
    if not design.unequal:
        return ""
    return say(
        "The sampling design drew some test cases with a higher probability than others. Means, pass "
        "rates and slices weight each sample by the inverse of its probability ({samples}, by weight "
        "{design.effective_n:.0f}), and so estimate all cases that the design could have drawn.",
        samples=counted(design.n, "sample"),
        design=design,
    )
