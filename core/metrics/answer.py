"""Answer relevancy: is each answer sentence related to the query? (HCAT 3.4)"""

from __future__ import annotations

from hcat.core.metrics.declaration import Outcome, metric, unscored
from hcat.core.metrics.matching import FLAG_BELOW, best_matches
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.sentence_weights import StatedWeightsError, stated_or_by_length

FAMILY = "answer relevancy"
NEEDS = ("answer", "query")
PARAMETERS = {"flag_below": FLAG_BELOW}


@metric(
    title="Answer relevancy",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.4, S_a-relevancy, simple average",
    description="Mean, over answer sentences, of the similarity to the best-matching query sentence.",
    parameters=PARAMETERS,
    formula=r"\frac{1}{k} \sum_{l=1}^{k} \max_{i} \, \cos(a_l, q_i)",
)
def answer_relevancy(sample: SampleView) -> Outcome:
    return best_matches(sample, "answer", "query").mean()


@metric(
    title="Answer relevancy, minimum",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.4, S_a-relevancy, minimum",
    description="Lowest, over answer sentences, of the best similarity with any query sentence.",
    parameters=PARAMETERS,
    formula=r"\min_{l} \max_{i} \, \cos(a_l, q_i)",
)
def answer_relevancy_min(sample: SampleView) -> Outcome:
    return best_matches(sample, "answer", "query").minimum()


@metric(
    title="Answer relevancy, weighted",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.4, S_a-relevancy, weighted average; weights as stated, else each sentence's share of the answer's "
    "tokens",
    description="Answer relevancy with answer sentences weighted as the run file says (answer_weights), else by their "
    "length in tokens.",
    parameters={**PARAMETERS, "weights": "answer_weights of the sample, else the share of the answer's tokens"},
    formula=r"\sum_{l=1}^{k} w_l \max_{i} \, \cos(a_l, q_i), \quad w_l \text{ stated, or } \propto "
    r"\text{tokens in } a_l",
)
def answer_relevancy_weighted(sample: SampleView) -> Outcome:
    try:
        weights, by = stated_or_by_length(sample, "answer")
    except StatedWeightsError as error:
        return unscored(str(error))
    return best_matches(sample, "answer", "query").weighted(weights, by=by)
