"""Retrieval: how well the contexts' ranking finds the relevant passages, at both stages of the funnel. (FUNNEL 1)

trec_eval's definitions: P@k divides by k however few were retrieved, AP divides by the number of all relevant passages,
nDCG's gain is the grade and its ideal ranking contains all relevant passages. A grade of 1 or more is relevant. Stage 1
(k = 100, and any greater k that is named) ranks the candidates of `metadata["candidates"]`, ids in rank order, and is
unscored if the run has none; stage 2 (k = 8 and 16, and any k below 100 that is named) ranks the contexts. A passage
that is retrieved in several pieces counts once, at its best rank.

Computed here, since a score must not wait for a batch and its explanation needs the ranks; compared with pytrec_eval
and ir-measures in tests/parity/test_retrieval_parity.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2, nan
from typing import Literal

from hcat.core.metrics.declaration import Explanation, Metric, Outcome, metric, scored
from hcat.core.metrics.reference import harmonic_mean
from hcat.core.metrics.sample_view import SampleView
from hcat.core.records.samples.columns import Retrieved, retrieved_of
from hcat.core.types import JsonValue, Sample

FAMILY = "retrieval"
NEEDS = ("context_ids", "relevant_ids")
SOURCE = "FUNNEL 1, as trec_eval computes it"
STAGE_1, STAGE_2 = 100, (8, 16)

Stage = Literal[1, 2]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Distinct retrieved ids in rank order, and the grades of the relevant ones (all ≥ 1)."""

    ids: tuple[str, ...]
    grades: Mapping[str, int]

    def hits(self, k: int) -> int:
        """The number of relevant passages among the first k."""
        return sum(name in self.grades for name in self.ids[:k])

    def precision(self, k: int) -> float:
        return self.hits(k) / k

    def recall(self, k: int) -> float:
        return self.hits(k) / len(self.grades)

    def f1(self, k: int) -> float:
        return harmonic_mean(self.precision(k), self.recall(k))

    def average_precision(self, k: int) -> float:
        """Σ of the precision at each relevant rank among the first k, over the number of all relevant passages."""
        ranks = [rank for rank, name in enumerate(self.ids[:k], start=1) if name in self.grades]
        return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(self.grades)

    def ndcg(self, k: int) -> float:
        """Σ grade / log2(rank + 1), divided by that of the best possible ranking."""
        ideal = sorted(self.grades.values(), reverse=True)
        return _gain([self.grades.get(name, 0) for name in self.ids[:k]]) / _gain(ideal[:k])

    def reciprocal_rank(self) -> float:
        return next((1.0 / rank for rank, name in enumerate(self.ids, start=1) if name in self.grades), 0.0)


def ranking(retrieved: Retrieved, stage: Stage) -> Ranking:
    """A stage's ranking of a sample; grades below 1 are not relevant."""
    ids = retrieved.candidates if stage == 1 else None
    grades = {name: grade for name, grade in retrieved.grades.items() if grade >= 1}
    return Ranking(tuple(dict.fromkeys(retrieved.contexts if ids is None else ids)), grades)


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


_OF_RANKING: dict[str, tuple[Stage, Callable[[Ranking], float]]] = {}
"""For each metric: the stage whose ranking it measures, and the measure."""


def _declare(
    name: str, title: str, stage: Stage, value: Callable[[Ranking], float], description: str, formula: str
) -> Metric:
    def compute(sample: SampleView) -> Outcome:
        return scored(value(ranking(retrieved_of(sample.sample), stage)), lambda: _explain(sample.sample))

    _OF_RANKING[name] = stage, value
    declare = metric(
        name=name,
        title=title,
        family=FAMILY,
        needs=NEEDS if stage == 2 else (*NEEDS, "candidates"),
        range=(0.0, 1.0),
        models=(),
        source=SOURCE,
        description=description,
        formula=formula,
        parameters={"stage": stage, "relevant": "grade of 1 or more"},
    )
    return declare(compute)


@dataclass(frozen=True, slots=True)
class Funnel:
    """Both stages of one query, and what was lost at each: by the retriever, or between candidates and contexts.

    `stage_1_given` says whether the run has its candidates. Without them nothing is known about stage 1: its measures
    and the ceiling are NaN."""

    first: Ranking
    second: Ranking
    lost_at_stage_1: tuple[str, ...]
    lost_at_stage_2: tuple[str, ...]
    stage_1_given: bool

    @property
    def ceiling(self) -> float:
        """The share of relevant passages that stage 1 passed to stage 2."""
        if not self.stage_1_given:
            return nan
        return (len(self.first.grades) - len(self.lost_at_stage_1)) / len(self.first.grades)


def measure_of(query: Funnel, name: str) -> float:
    """The value of the metric of this name for a query; NaN for stage 1 if its candidates are not known."""
    stage, value = _OF_RANKING[name]
    if stage == 1:
        return value(query.first) if query.stage_1_given else nan
    return value(query.second)


def funnel(retrieved: Retrieved) -> Funnel:
    """Both rankings of a sample with known relevant passages. Raises ValueError for one without."""
    first, second = ranking(retrieved, 1), ranking(retrieved, 2)
    if not first.grades:
        raise ValueError(f"sample {retrieved.id!r} has no relevant ids, so nothing can be lost")
    candidates, contexts = set(first.ids[:STAGE_1]), set(second.ids)
    missed = tuple(name for name in first.grades if name not in candidates and name not in contexts)
    dropped = tuple(name for name in first.grades if name not in missed and name not in contexts)
    return Funnel(first, second, missed, dropped, retrieved.candidates is not None)


def _explain(sample: Sample) -> Explanation:
    """The explanation with both stages: the rank of each relevant passage, and the stage at which it was lost."""
    both = funnel(retrieved_of(sample))
    ranks_1, ranks_2 = (
        dict(zip(stage.ids, range(1, len(stage.ids) + 1), strict=True)) for stage in (both.first, both.second)
    )
    relevant: list[JsonValue] = [
        {"id": name, "grade": grade, "rank_1": ranks_1.get(name), "rank_2": ranks_2.get(name)}
        for name, grade in sorted(both.second.grades.items(), key=lambda item: (-item[1], item[0]))
    ]
    return {
        "relevant": relevant,
        "stage_1": [*both.first.ids],
        "stage_2": [*both.second.ids],
        "stage_1_given": both.stage_1_given,
        "ceiling": both.ceiling if both.stage_1_given else None,
        "lost_at_stage_1": [*both.lost_at_stage_1],
        "lost_at_stage_2": [*both.lost_at_stage_2],
        "pieces_merged": len(sample.contexts) - len(both.second.ids),
    }


def _precision(k: int, stage: Stage) -> Metric:
    items = "candidates" if stage == 1 else "contexts"
    text = f"Share of the top {k} {items} that are relevant; fewer than {k} still count as {k}."
    formula = rf"\frac{{1}}{{{k}}} \sum_{{r=1}}^{{{k}}} \mathbf{{1}}[g_r \ge 1]"
    return _declare(f"precision@{k}", f"Precision@{k}", stage, lambda ranking: ranking.precision(k), text, formula)


def _recall(k: int, stage: Stage) -> Metric:
    text = f"Share of the relevant passages that are among the top {k}."
    formula = rf"\frac{{1}}{{R}} \sum_{{r=1}}^{{{k}}} \mathbf{{1}}[g_r \ge 1], \quad R = \text{{all relevant}}"
    return _declare(f"recall@{k}", f"Recall@{k}", stage, lambda ranking: ranking.recall(k), text, formula)


def _f1(k: int, stage: Stage) -> Metric:
    text = f"Harmonic mean of precision@{k} and recall@{k}."
    formula = rf"\frac{{2 \, P_{{{k}}} R_{{{k}}}}}{{P_{{{k}}} + R_{{{k}}}}}"
    return _declare(f"f1@{k}", f"F1@{k}", stage, lambda ranking: ranking.f1(k), text, formula)


def _map(k: int, stage: Stage) -> Metric:
    text = (
        f"Average precision: precision at the rank of each relevant context in the top {k}, over all relevant passages."
    )
    formula = rf"\frac{{1}}{{R}} \sum_{{r=1}}^{{{k}}} \mathbf{{1}}[g_r \ge 1] \, P_r, \quad R = \text{{all relevant}}"
    return _declare(
        f"map@{k}", f"Average precision@{k}", stage, lambda ranking: ranking.average_precision(k), text, formula
    )


def _ndcg(k: int, stage: Stage) -> Metric:
    text = f"Relevance grades in the top {k}, discounted by rank, relative to the best possible ranking."
    gain, ideal = (rf"\sum_{{r=1}}^{{{k}}} \frac{{{grade}}}{{\log_2(r + 1)}}" for grade in ("g_r", "g^*_r"))
    formula = rf"{gain} \Big/ {ideal}"
    return _declare(f"ndcg@{k}", f"nDCG@{k}", stage, lambda ranking: ranking.ndcg(k), text, formula)


FUNNEL: tuple[Metric, ...] = (
    *(declare(STAGE_1, 1) for declare in (_precision, _recall, _f1)),
    *(declare(k, 2) for k in STAGE_2 for declare in (_precision, _recall, _f1)),
    *(declare(k, 2) for k in STAGE_2 for declare in (_map, _ndcg)),
    _declare(
        "rr",
        "Reciprocal rank",
        2,
        Ranking.reciprocal_rank,
        "One over the rank of the first relevant context; 0 if there is none.",
        r"\frac{1}{\min \{r : g_r \ge 1\}}",
    ),
)
"""The metrics of the family that "all" includes, stage by stage."""

_AT_ANY = re.compile(r"(precision|recall|f1|map|ndcg)@([1-9]\d{0,4})")
_CUTOFF = "k is the number in the metric's name; from 100 on, the candidates of stage 1 are ranked."
AT_ANY: Mapping[str, tuple[Callable[[int, Stage], Metric], str]] = {
    "precision": (
        _precision,
        f"Share of the top k passages that are relevant; fewer than k still count as k. {_CUTOFF}",
    ),
    "recall": (_recall, f"Share of the relevant passages that are among the top k. {_CUTOFF}"),
    "f1": (_f1, f"Harmonic mean of precision and recall at k. {_CUTOFF}"),
    "map": (
        _map,
        "Average precision: precision at the rank of each relevant passage in the top k, over all relevant passages. "
        f"{_CUTOFF}",
    ),
    "ndcg": (
        _ndcg,
        f"Relevance grades in the top k, discounted by rank, relative to the best possible ranking. {_CUTOFF}",
    ),
}
"""By the name before the @: the factory of the metric at a cut-off, and its description at one that is not in
FUNNEL."""


@lru_cache(maxsize=256)
def at_cutoff(name: str) -> Metric | None:
    """The metric of a name such as "ndcg@5" at a k from 1 to 99,999; None for any other name."""
    match = _AT_ANY.fullmatch(name)
    if match is None:
        return None
    known = next((metric for metric in FUNNEL if metric.name == name), None)
    if known is not None:
        return known
    k = int(match[2])
    declare, description = AT_ANY[match[1]]
    return replace(declare(k, 1 if k >= STAGE_1 else 2), description=description, on_request=True)
