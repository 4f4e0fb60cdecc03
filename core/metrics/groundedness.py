"""Groundedness by similarity: does each answer sentence have a similar one in the contexts? (HCAT 3.2.1)"""

from __future__ import annotations

from hcat.core.metrics.declaration import Outcome, metric
from hcat.core.metrics.matching import FLAG_BELOW, best_matches
from hcat.core.metrics.sample_view import SampleView

FAMILY = "groundedness"
NEEDS = ("answer", "contexts")
PARAMETERS = {"flag_below": FLAG_BELOW}


@metric(
    title="Groundedness",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.2.1, S_groundedness",
    description="Mean, over answer sentences, of the similarity to the best-matching context sentence.",
    parameters=PARAMETERS,
    skip_refusals="whole",
    formula=r"\frac{1}{k} \sum_{l=1}^{k} \max_{j} \, \cos(a_l, c_j)",
)
def groundedness(sample: SampleView) -> Outcome:
    return best_matches(sample, "answer", "contexts").mean()


@metric(
    title="Groundedness, minimum",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.2.1, S_max of the least grounded sentence",
    description="Lowest, over answer sentences, of the best similarity with any context sentence.",
    parameters=PARAMETERS,
    skip_refusals="whole",
    formula=r"\min_{l} \max_{j} \, \cos(a_l, c_j)",
)
def groundedness_min(sample: SampleView) -> Outcome:
    return best_matches(sample, "answer", "contexts").minimum()
