"""Answer relevancy: is each answer sentence related to the query? (HCAT 3.4)"""

from __future__ import annotations

import numpy as np

from core.metrics.declaration import Outcome, metric, unscored
from core.metrics.matching import FLAG_BELOW, best_matches
from core.metrics.sample_view import SampleView
from core.text import tokens

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
    source="HCAT 3.4, S_a-relevancy, weighted average; weights are each sentence's share of the answer's tokens",
    description="Answer relevancy with answer sentences weighted by their length in tokens.",
    parameters={**PARAMETERS, "weights": "share of the answer's tokens"},
    formula=r"\sum_{l=1}^{k} w_l \max_{i} \, \cos(a_l, q_i), \quad w_l \propto \text{tokens in } a_l",
)
def answer_relevancy_weighted(sample: SampleView) -> Outcome:
    counts = np.array([len(tokens(placed.sentence.text)) for placed in sample.parts["answer"]], dtype=np.float64)
    if not counts.any():
        return unscored("no words in the answer")
    return best_matches(sample, "answer", "query").weighted(counts, by="length in tokens")
