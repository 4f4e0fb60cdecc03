"""Sentences about how far annotators agree."""

from __future__ import annotations

from core.agreement.prevalence import LEAST_MINORITY
from core.agreement.summary import Agreement
from core.display.messages import say
from core.display.numbers import format_estimate, format_number
from core.estimates.slices import INSUFFICIENT


def coefficient_text(agreement: Agreement, coefficient: str) -> str:
    """The coefficient with its interval and n, or that there is too little to conclude from it."""
    estimate = agreement.coefficients[coefficient]
    return format_estimate(estimate) if agreement.is_shown(coefficient) else f"{INSUFFICIENT}, n = {estimate.n}"


def few_minority_labels(agreement: Agreement) -> str:
    """Why κ and α are not reported though enough samples were labelled twice; "" where they are."""
    if not agreement.enough or agreement.minority >= LEAST_MINORITY:
        return ""
    return say(
        "Nearly all labels are alike: {minority} labels per annotator differ from the most common "
        "level, and κ and α need {least_minority}. AC1 and the agreement on pass and on fail can be "
        "read.",
        minority=format_number(agreement.minority, decimals=1),
        least_minority=format_number(LEAST_MINORITY, decimals=0),
    )
