"""Sentences on the discrimination of a metric, or of a map, between passes and fails, and on the level of its test."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.calibration.checks.evidence import Discrimination, Evidence
from hcat.core.calibration.checks.fitness import USEFUL_AUC, Verdict
from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.types import Estimate


def ranking_reason(verdict: Verdict, evidence: Evidence, from_files: Sequence[str]) -> str:
    """The reason of a verdict that is about the discrimination between passes and fails, else ""."""
    tells = evidence.discrimination
    name, margin = tells.closest or ("", tells.auc)
    known = (
        say("stated") if set(evidence.backwards or from_files) <= set(from_files) and from_files else say("registered")
    )
    if verdict.cause == "against its direction" and tells.against_p is not None:
        return say(
            "People pass what the metric scores worse: in the direction {known} as better, its AUC is {auc}, "
            "p = {against_p}. Weaknesses and rankings by it would point the wrong way. {level}",
            known=known,
            auc=auc_tested_text(tells),
            against_p=p_text(tells.against_p),
            level=level_sentence(tells),
        )
    if verdict.cause == "direction not shown":
        return say(
            "The probability moves against the direction in which {backwards} is {known} as better. Take a "
            "method that keeps directions, such as combined, or label more.",
            backwards=", ".join(evidence.backwards),
            known=known,
        )
    if verdict.cause == "AUC not useful":
        return say(
            "The AUC {auc} lies below {useful_auc}: it hardly tells what people pass from what they fail.",
            auc=auc_text(tells.auc_alone or tells.auc),
            useful_auc=USEFUL_AUC,
        )
    if verdict.cause == "AUC below a trivial score":
        name = tells.beaten_by or name
        return say(
            "The AUC {auc} lies below that of the trivial {name}: the difference is {margins}.",
            auc=_value(tells.auc),
            name=name,
            margins=signed_text(tells.margins[name]),
        )
    if verdict.cause == "one label for all":
        return say("People gave all {tells.n:,} samples the same label: no AUC can be measured.", tells=tells)
    if verdict.cause == "AUC not shown above chance":
        return say(
            "The AUC {auc} {measured_on} is not shown to be above chance: {test}. {level}",
            auc=auc_tested_text(tells),
            measured_on=measured_on(tells),
            test=test_text(tells),
            level=level_sentence(tells),
        )
    if verdict.cause == "AUC not shown above a trivial score":
        return say(
            "The AUC {auc} is not shown to beat the trivial {name}: the difference is {margin}.",
            auc=_value(tells.auc),
            name=name,
            margin=signed_text(margin),
        )
    return ""


def measured_on(tells: Discrimination) -> str:
    """The data that the AUC was measured on. The AUC next to the check split's other figures is of that split alone."""
    if not tells.of_score:
        return say("over random splits")
    free = say(", turned the way these labels show") if tells.against_p is None else ""
    return say("of the score on all {tells.n} labels{free}", tells=tells, free=free)


def test_text(tells: Discrimination) -> str:
    """The p-value of the test against chance, and what it is compared with."""
    side = "p" if tells.of_score else say("twice the median p over splits")
    if tells.shown:
        return say(
            "{side} = {p} on {tells.n} labels, at most {level}",
            side=side,
            p=p_text(tells.p),
            tells=tells,
            level=p_text(tells.level),
        )
    return say(
        "{side} = {p} on {tells.n} labels, and it takes {level} or less",
        side=side,
        p=p_text(tells.p),
        tells=tells,
        level=p_text(tells.level),
    )


def level_sentence(tells: Discrimination) -> str:
    """The multiplicity that the level of the test allows for, in a sentence."""
    tried = say("{n} combinations of metrics and methods", n=tells.evaluators)
    if tells.of_score:
        tried = counted(tells.evaluators, "metric")
        if tells.independent is not None and tells.independent < tells.evaluators - 0.05:
            tried = say(
                "{tried} (correlated, so that they count as {independent:.1f})",
                tried=tried,
                independent=tells.independent,
            )
    if tells.planned is None:
        return say("This level allows for trying {tried} and for looking after every label.", tried=tried)
    return say(
        "This is the look that was planned at {planned} labels; its level allows for trying {tried}.",
        planned=tells.planned,
        tried=tried,
    )


def labels_needed_sentence(evidence: Evidence | None) -> str:
    """The forecast number of labels until "yes"; "" where nothing was forecast."""
    ahead = None if evidence is None else evidence.labels_needed
    if ahead is None:
        return ""
    if ahead.labels is None:
        return say("If all stays as measured here, more labels alone would not show it to be fit.")
    return say(
        "If all stays as measured here, {labels:,} labels in all would show it to be fit with a probability of about "
        "{probability:.0%}.",
        labels=rounded_up(ahead.labels),
        probability=ahead.probability,
    )


def rounded_up(n: int) -> int:
    """To two digits, since a forecast is no more exact than that."""
    step = int(10 ** max(len(str(n)) - 2, 0))
    return -(-n // step) * step


def p_text(value: float) -> str:
    """Two digits, or the power of ten where that is far below what is usual."""
    return in_edition(f"{value:.2g}" if value >= 0.001 else f"{value:.0e}")


def percent_text(e: Estimate) -> str:
    """A share with its interval."""
    return in_edition(f"{e.value:.0%} ({e.low:.0%}–{e.high:.0%})")


def _value(e: Estimate) -> str:
    return in_edition(f"{e.value:.2f}")


def auc_tested_text(tells: Discrimination) -> str:
    """The AUC with the interval at the level of its test, so that interval and test say the same."""
    return auc_text(tells.auc_tested or tells.auc)


def auc_text(e: Estimate) -> str:
    """An AUC with its interval; one that is not at 95% says so."""
    if math.isclose(e.level, 0.95):
        return in_edition(f"{e.value:.2f} ({e.low:.2f}–{e.high:.2f})")
    return say("{e.value:.2f} ({e.low:.2f}–{e.high:.2f} at the level tested)", e=e)


def signed_text(e: Estimate) -> str:
    """A difference with its interval."""
    return say("{e.value:+.2f} ({e.low:+.2f} to {e.high:+.2f})", e=e)
