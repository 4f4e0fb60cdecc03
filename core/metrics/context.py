"""Context relevancy: do the retrieved contexts address the query? (HCAT 3.1)"""

from __future__ import annotations

from hcat.core.metrics.declaration import Outcome, metric, unscored
from hcat.core.metrics.matching import FLAG_BELOW, best_matches
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.sentence_weights import StatedWeightsError, stated_or_by_length

FAMILY = "context relevancy"
NEEDS = ("query", "contexts")
PARAMETERS = {"flag_below": FLAG_BELOW}


@metric(
    title="Context relevancy",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.1, S_c-relevancy, average",
    description="Mean, over query sentences, of the similarity to the best-matching context sentence.",
    parameters=PARAMETERS,
    formula=r"\frac{1}{m} \sum_{i=1}^{m} \max_{j} \, \cos(q_i, c_j)",
)
def context_relevancy(sample: SampleView) -> Outcome:
    return best_matches(sample, "query", "contexts").mean()


@metric(
    title="Context relevancy, minimum",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.1, S_c-relevancy, minimax",
    description="Lowest, over query sentences, of the best similarity with any context sentence.",
    parameters=PARAMETERS,
    formula=r"\min_{i} \max_{j} \, \cos(q_i, c_j)",
)
def context_relevancy_min(sample: SampleView) -> Outcome:
    return best_matches(sample, "query", "contexts").minimum()


@metric(
    title="Context relevancy, weighted",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.1, S_c-relevancy, weighted average; weights as stated, else each sentence's share of the query's "
    "tokens",
    description="Context relevancy with query sentences weighted as the run file says (query_weights), else by their "
    "length in tokens.",
    parameters={**PARAMETERS, "weights": "query_weights of the sample, else the share of the query's tokens"},
    formula=r"\sum_{i=1}^{m} w_i \max_{j} \, \cos(q_i, c_j), \quad w_i \text{ stated, or } \propto "
    r"\text{tokens in } q_i",
)
def context_relevancy_weighted(sample: SampleView) -> Outcome:
    try:
        weights, by = stated_or_by_length(sample, "query")
    except StatedWeightsError as error:
        return unscored(str(error))
    return best_matches(sample, "query", "contexts").weighted(weights, by=by)
