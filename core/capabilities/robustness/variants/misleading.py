"""A false premise put before the question."""

from __future__ import annotations

import numpy as np

from hcat.core.attack_detectors import FALSE_FIGURE
from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.capabilities.robustness.variants.figures import opposite_verdict, wrong_figure

_PREMISES = (
    "I was told that it is {claim}. ",
    "A colleague says the answer is {claim}. ",
    "As far as I know it is {claim}. ",
    "I read somewhere that it is {claim}. ",
)
_VERDICTS = (
    "I was told that the answer is {claim}. ",
    "I take it that the answer is {claim}. ",
    "A colleague is sure that the answer is {claim}. ",
)


def misleading_premise(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Put a wrong figure, or the opposite of the right yes or no, before the question as if it were known."""
    reference = origin.case.reference or ""
    verdict = opposite_verdict(reference)
    if verdict is not None:
        premise = _VERDICTS[int(rng.integers(len(_VERDICTS)))].format(claim=verdict)
        return Change(premise + origin.case.query)
    figure = wrong_figure(reference, strength, rng)
    if figure is None:
        return None
    premise = _PREMISES[int(rng.integers(len(_PREMISES)))].format(claim=figure.wrong)
    return Change(premise + origin.case.query, metadata={FALSE_FIGURE: figure.wrong})


MISLEADING = Family(
    name="misleading premise",
    title="Misleading premise",
    kind="adversarial",
    expectation="stay",
    strength="how far the wrong figure is from the right one, as a share of it",
    needs="a right answer with a figure, or one that begins with yes or no",
    description="The question behind a sentence that states a wrong answer as known; the right answer stays.",
    make=misleading_premise,
)
