"""A run's retrieval as a funnel: what each stage finds, the ceiling that stage 1 sets, how much of it is reached.

(FUNNEL 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.estimates.intervals import mean_interval
from core.metrics.retrieval import STAGE_1, STAGE_2, Funnel, Ranking, funnel, ranking
from core.types import Estimate, Sample

SHARE = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class FunnelEstimates:
    """Means over the queries that know what is relevant, each with interval and n.

    `ceiling` is the mean share of what is relevant that stage 1 left for stage 2; `reached` maps a cut-off k of stage
    2 to the share of that ceiling which stands up to rank k, a ratio of means. `left_out` counts the samples without
    relevant ids or without contexts, `given` those whose candidates the run told.
    """

    ceiling: Estimate
    reached: Mapping[int, Estimate]
    left_out: int
    given: int


@dataclass(frozen=True, slots=True)
class RecallCurve:
    """Mean recall by rank, from 1 on; n queries stand behind every point."""

    recall: NDArray[np.float64]
    n: int


def funnels(samples: Iterable[Sample]) -> dict[str, Funnel]:
    """Both stages of each sample that knows what is relevant and has contexts, by sample id."""
    return {sample.id: funnel(sample) for sample in samples if ranking(sample, 2).grades and sample.contexts}


def funnel_estimates(samples: Sequence[Sample]) -> FunnelEstimates:
    """The ceiling and what of it is reached at each cut-off of stage 2."""
    found = tuple(funnels(samples).values())
    ceilings = np.array([one.ceiling for one in found], dtype=np.float64)
    return FunnelEstimates(
        ceiling=mean_interval(ceilings, within=SHARE),
        reached={k: _reached(found, ceilings, k) for k in STAGE_2},
        left_out=len(samples) - len(found),
        given=sum(one.stage_1_given for one in found),
    )


def recall_curve(rankings: Sequence[Ranking], *, depth: int = STAGE_1) -> RecallCurve:
    """Mean recall of the rankings up to each rank from 1 to `depth`. Each must know something relevant."""
    total = np.zeros(depth)
    for one in rankings:
        hits = np.zeros(depth)
        ranks = [place for place, name in enumerate(one.ids[:depth]) if name in one.grades]
        hits[ranks] = 1.0 / len(one.grades)
        total += np.cumsum(hits)
    return RecallCurve(total / len(rankings) if rankings else np.full(depth, np.nan), len(rankings))


def _reached(found: Sequence[Funnel], ceilings: NDArray[np.float64], k: int) -> Estimate:
    """Σ recall@k / Σ ceiling. Weighting each query's own ratio by its ceiling gives this ratio, with its interval."""
    recalls = np.array([one.second.recall(k) for one in found], dtype=np.float64)
    open_to = ceilings > 0
    return mean_interval(recalls[open_to] / ceilings[open_to], weights=ceilings[open_to], within=SHARE)
