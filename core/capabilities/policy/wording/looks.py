"""Sentences on the level available to a policy's promise, and on the promises that clusters allow."""

from __future__ import annotations

import math

from hcat.core.capabilities.policy.held_out import ClusterUnits
from hcat.core.capabilities.policy.looks import UNDECLARED
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count


def looks_sentences(policy: Policy) -> str:
    """Sentences on the level at which the promise was tested, and on the looks and tries that it covers."""
    looks = policy.looks or UNDECLARED
    level = in_edition(f"{100 * looks.share * policy.promise.risk:.3g}%")
    if looks.basis == "planned":
        return say(
            "Tested at {level}: this is the look at the labels, by the metrics, that a plan registered before them.",
            level=level,
        )
    if looks.basis == "counted":
        number = format_count(looks.tries)
        if looks.beside_plan:
            return say(
                "Tested at {level}: this is try {number} on these labels beside the plan, and holds at any number of "
                "labels.",
                level=level,
                number=number,
            )
        return say(
            "Tested at {level}: this is try {number} of maps and promises on these labels, and holds at any number of "
            "labels.",
            level=level,
            number=number,
        )
    often = say("any number of looks") if looks.looks is None else counted(looks.looks, "look")
    tries = say("one try") if looks.tries == 1 else say("{number} tries", number=format_count(looks.tries))
    if not looks.unstated:
        return say("Tested at {level}, for {often} and {tries} as declared.", level=level, often=often, tries=tries)
    missing = {
        ("looks", "tries"): say("Neither the number of looks nor of tries was declared"),
        ("looks",): say("The number of looks was not declared"),
        ("tries",): say("The number of tries was not declared"),
    }[looks.unstated]
    return say(
        "Tested at {level}, for {often} and {tries}. {missing}: any more would make the promise fail more often than "
        "stated.",
        level=level,
        often=often,
        tries=tries,
        missing=missing,
    )


def clusters_sentence(units: ClusterUnits | None) -> str:
    """Sentence on the clusters to which the promise applies, and on the reason where none can be made; "" without
    clusters."""
    if units is None:
        return ""
    most = in_edition(f"{units.limit:.3g}")
    if not units.promisable:
        if math.isnan(units.limit):
            because = say(
                "The labels have unequal weights, and the largest weight that an answer could have is not known."
            )
        else:
            because = say(
                "One cluster counts for up to {most} labels: too few such clusters are labelled, even if none failed.",
                most=most,
            )
        if math.isnan(units.cap_needed):
            return say("{because} Label more clusters.", because=because)
        return say(
            "{because} Label more clusters, or count at most {cap} labels of a cluster (a cap).",
            because=because,
            cap=format_count(int(units.cap_needed)),
        )
    if units.cap is not None:
        return say("A cluster counts for at most {most} of its answers.", most=most)
    return say("This is said of clusters that weigh no more than {most} labels, as in this run.", most=most)
