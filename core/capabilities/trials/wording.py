"""Limits of results from repeated trials, in words, and documents with them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hcat.core.capabilities.trials.trials import PeoplesExpectations
from hcat.core.capabilities.trials.variance_components import DOCUMENT as COMPONENTS
from hcat.core.capabilities.trials.variance_components import Cause, Component, ComponentSplit
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_number
from hcat.core.estimates.probabilistic import DOCUMENT as SCORES
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.records.layout import JsonObject
from hcat.core.types import JsonValue

CAUSES: Mapping[Cause, str] = {
    "one level": "there is only one",
    "one judgement each": "there is one judgement of each, so that it can't be told from the rest",
    "confounded": "it can't be told from {sources} in these data",
    "few judgements": "there are fewer than two judgements to compare",
    "below chance": "Less than chance alone would give: counted as 0.",
}


def trials_notes(scores: ProbabilisticScores) -> list[str]:
    """Notes on the effect of the number of trials on S_c, and on S_u with unequal numbers of trials."""
    trials = [case.trials for case in scores.cases]
    said = []
    if not scores.equal_trials:
        said.append(
            say("Test cases have {min} to {max} trials: S_u is the mean over trials.", min=min(trials), max=max(trials))
        )
    if scores.attainable < 1:
        said.append(
            say(
                "S_c depends on the number of trials: with these, a system that met every expectation exactly "
                "would have S_c = {attainable}. Compare S_c and S_t only between runs with equally many.",
                attainable=format_number(scores.attainable),
            )
        )
    return said


def trials_note(scores: ProbabilisticScores) -> str:
    """The notes as one text; "" where nothing needs saying."""
    return " ".join(trials_notes(scores))


def expectations_sentence(given: PeoplesExpectations) -> str:
    """Sentence on the people who gave H, and on the differences between them."""
    cases = counted(given.test_cases, "test case")
    said = (
        say("For {cases}, H is what one person expects.", cases=cases)
        if given.people == 1
        else say("For {cases}, H is the mean of what {people} people expect.", cases=cases, people=given.people)
    )
    if math.isnan(given.spread):
        return said
    apart = say(
        "Where two or more judged a test case ({shared}), they are {spread} apart on average; intervals of S_c and S_t "
        "leave that out.",
        shared=given.shared,
        spread=format_number(given.spread),
    )
    return f"{said} {apart}"


def component_note(component: Component) -> str:
    """Reason why a variance could not be estimated or is set to 0; "" where there is none."""
    if component.cause is None:
        return ""
    return say(CAUSES[component.cause], sources=say(" and ").join(map(say, component.same_as)))


def trials_document(scores: ProbabilisticScores) -> JsonObject:
    """The parts of `hcat trials --json`."""
    return {**SCORES.write_object(scores), "note": trials_note(scores)}


def variance_document(split: ComponentSplit) -> JsonValue:
    """The part `variance` of `hcat trials --json`."""
    return [{**COMPONENTS.write_object(part), "note": component_note(part)} for part in split.components]
