"""Completeness: does the answer include what the contexts say? By best matches and by optimal transport. (HCAT 3.3)"""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.metrics.declaration import Explanation, Outcome, metric, scored, unscored
from hcat.core.metrics.matching import FLAG_BELOW, best_matches
from hcat.core.metrics.sample_view import SampleView
from hcat.core.metrics.sentence_weights import StatedWeightsError, stated_weights
from hcat.core.metrics.transport import TransportPlan, cosine_distances, euclidean_distances, least_cost, wasserstein
from hcat.core.types import JsonValue

FAMILY = "completeness"
NEEDS = ("answer", "contexts")
PARAMETERS = {"flag_below": FLAG_BELOW}


@metric(
    title="Completeness",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.3.1, S_completeness, simple average",
    description="Mean, over context sentences, of the similarity to the best-matching answer sentence.",
    parameters=PARAMETERS,
    formula=r"\frac{1}{n} \sum_{j=1}^{n} \max_{l} \, \cos(c_j, a_l)",
)
def completeness(sample: SampleView) -> Outcome:
    return best_matches(sample, "contexts", "answer").mean()


@metric(
    title="Completeness, weighted",
    family=FAMILY,
    needs=("query", *NEEDS),
    source="HCAT 3.3.1, S_completeness, weighted average; weights as stated, else w_j ∝ max(0, max_i sim(c_j, q_i))",
    description="Completeness with context sentences weighted as the run file says (context_weights), else by their "
    "similarity to the query.",
    parameters={
        **PARAMETERS,
        "weights": "context_weights of the sample, else similarity to the query, negative ones as 0",
    },
    formula=r"\sum_{j=1}^{n} w_j \max_{l} \, \cos(c_j, a_l), \quad w_j \text{ stated, or } \propto \max_{i} \, "
    r"\cos(q_i, c_j)^{+}",
)
def completeness_weighted(sample: SampleView) -> Outcome:
    try:
        stated = stated_weights(sample, "contexts")
    except StatedWeightsError as error:
        return unscored(str(error))
    if stated is not None:
        return best_matches(sample, "contexts", "answer").weighted(stated, by="stated in the run file")
    weights = np.maximum(best_matches(sample, "contexts", "query").scores, 0.0)
    if not weights.any():
        return unscored("no context sentence relates to the query")
    return best_matches(sample, "contexts", "answer").weighted(weights, by="similarity to the query")


@metric(
    title="Completeness, transport",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.3.2, 1 − W(C, A); exact optimal transport, uniform weights, distance 1 − cos",
    description="One minus the optimal transport cost between the context sentences and the answer sentences.",
    parameters={"distance": "1 - cos", "weights": "uniform"},
    formula=(
        r"1 - \min_{T \ge 0} \sum_{j,l} T_{jl} \, (1 - \cos(c_j, a_l)), \quad \sum_l T_{jl} = \tfrac{1}{n}, \; "
        r"\sum_j T_{jl} = \tfrac{1}{k}"
    ),
)
def completeness_transport(sample: SampleView) -> Outcome:
    return _by_transport(sample, cosine_distances(sample.similarity("contexts", "answer")))


@metric(
    title="Completeness, Euclidean transport",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.3.2, 1 − W(C, A); exact optimal transport, uniform weights, Euclidean distance of unit vectors",
    description="One minus the optimal transport cost by the Euclidean distance of sentences instead of 1 − cos.",
    parameters={"distance": "euclidean", "weights": "uniform"},
    formula=(
        r"1 - \min_{T \ge 0} \sum_{j,l} T_{jl} \, \lVert c_j - a_l \rVert, \quad \sum_l T_{jl} = \tfrac{1}{n}, \; "
        r"\sum_j T_{jl} = \tfrac{1}{k}"
    ),
)
def completeness_transport_euclidean(sample: SampleView) -> Outcome:
    return _by_transport(sample, euclidean_distances(sample.similarity("contexts", "answer")))


@metric(
    title="Completeness, independent coupling",
    family=FAMILY,
    needs=NEEDS,
    source="HCAT 3.3.2, one minus the average transport cost Σ d(c_j, a_l) / nk",
    description="One minus the mean distance over all pairs of sentences; never above completeness by transport.",
    parameters={"distance": "1 - cos", "weights": "uniform"},
    formula=r"1 - \frac{1}{nk} \sum_{j=1}^{n} \sum_{l=1}^{k} (1 - \cos(c_j, a_l))",
)
def completeness_independent_coupling(sample: SampleView) -> Outcome:
    distances = cosine_distances(sample.similarity("contexts", "answer"))
    n, k = distances.shape
    return scored(1.0 - float(distances.mean()), lambda: {"cost": float(distances.mean()), "pairs": n * k})


def _by_transport(sample: SampleView, distances: Floats) -> Outcome:
    cost = least_cost(distances)
    if cost is None:
        return unscored("the transport solver did not converge")
    return scored(1.0 - cost, lambda: _explain(sample, wasserstein(distances)))


def _explain(sample: SampleView, plan: TransportPlan) -> Explanation:
    contexts: list[JsonValue] = [placed.located() for placed in sample.parts["contexts"]]
    answer: list[JsonValue] = [placed.located() for placed in sample.parts["answer"]]
    moves: list[JsonValue] = [
        {"context": move.source, "answer": move.target, "mass": move.mass, "distance": move.distance}
        for move in plan.moves
    ]
    return {"cost": plan.cost, "contexts": contexts, "answer": answer, "plan": moves}
