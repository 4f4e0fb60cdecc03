"""A run's retrieval as a funnel: what each stage finds, the ceiling set by stage 1, and the share of it that is
reached.

(FUNNEL 1)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.retrieval import FUNNEL, STAGE_1, STAGE_2, Funnel, Ranking, funnel, measure_of, ranking
from hcat.core.records.clusters import clusters_in
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Estimate

SHARE = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class RunFunnel:
    """A run's retrieval measures: means over the samples of `funnels`, each with interval and n.

    Samples of one cluster, which retrieve much the same, count together in the intervals. `funnels` has both stages of
    each sample with known relevant passages and contexts, by sample id; `left_out` counts the others, `given` those
    whose candidates the run has: measures of stage 1, the ceiling and the reached share are over these alone.
    `measures` are the metrics of the family by name. `ceiling` is the share of relevant passages that stage 1 passed to
    stage 2. `reached` maps a cut-off k of stage 2 to the share of that ceiling found up to rank k, a ratio of means."""

    funnels: Mapping[str, Funnel]
    measures: Mapping[str, Estimate]
    ceiling: Estimate
    reached: Mapping[int, Estimate]
    left_out: int
    given: int


@dataclass(frozen=True, slots=True)
class RecallCurve:
    """Mean recall by rank, from 1 on; every point is over n queries."""

    recall: NDArray[np.float64]
    n: int


def run_funnel(columns: SampleColumns) -> RunFunnel:
    """Both stages of a run: every measure, the ceiling, and the share of it reached at each cut-off of stage 2."""
    judged = (each for each in columns.retrieved() if ranking(each, 2).grades and each.contexts)
    funnels = {each.id: funnel(each) for each in judged}
    queries = tuple(funnels.values())
    ceilings = np.array([query.ceiling for query in queries], dtype=np.float64)
    cluster_of = clusters_in(columns) if funnels else {}
    clusters = np.array([cluster_of[sample_id] for sample_id in funnels], dtype=np.str_)
    return RunFunnel(
        funnels=funnels,
        measures={metric.name: _mean(metric, queries, clusters) for metric in FUNNEL},
        ceiling=mean_interval(ceilings, clusters=clusters, within=SHARE),
        reached={k: _reached(queries, ceilings, clusters, k) for k in STAGE_2},
        left_out=len(columns.ids()) - len(queries),
        given=sum(query.stage_1_given for query in queries),
    )


def recall_curve(rankings: Sequence[Ranking], *, depth: int = STAGE_1) -> RecallCurve:
    """Mean recall of the rankings up to each rank from 1 to `depth`. Each needs a relevant passage."""
    total = np.zeros(depth)
    for ranked in rankings:
        hits = np.zeros(depth)
        ranks = [place for place, name in enumerate(ranked.ids[:depth]) if name in ranked.grades]
        hits[ranks] = 1.0 / len(ranked.grades)
        total += np.cumsum(hits)
    return RecallCurve(total / len(rankings) if rankings else np.full(depth, np.nan), len(rankings))


def _mean(metric: Metric, queries: Sequence[Funnel], clusters: NDArray[np.str_]) -> Estimate:
    values = np.array([measure_of(query, metric.name) for query in queries], dtype=np.float64)
    return mean_interval(values, clusters=clusters, within=metric.range)


def _reached(queries: Sequence[Funnel], ceilings: NDArray[np.float64], clusters: NDArray[np.str_], k: int) -> Estimate:
    """Σ recall@k / Σ ceiling. This is each query's own ratio weighted by its ceiling, with its interval."""
    recalls = np.array([query.second.recall(k) for query in queries], dtype=np.float64)
    open_to = ceilings > 0  # not where no candidates are known: NaN is not
    weights = ceilings[open_to]
    return mean_interval(recalls[open_to] / weights, weights=weights, clusters=clusters[open_to], within=SHARE)
