"""Clusters of dependent samples of a run, which every statistic keeps whole.

Samples share a cluster if they are trials of one test case, if one is a variant of the other, or if they belong to one
semantic group; and so do all that are linked through others. Clusters are independent of one another. Source: Liang &
Zeger 1986 (errors by cluster); Lee, Barber & Willett 2023 (conformal sets by cluster)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.records.samples.by_sample import LevelBySample, SampleOrder, distinct_levels
from hcat.core.records.samples.columns import LevelColumn, Levels, SampleColumns, Ties, ties_in, ties_of
from hcat.core.types import Sample

ClusterSource = Literal["test case", "variant", "semantic group"]
"""The fields of a run that determine its clusters."""

_Node = tuple[Literal["test case", "semantic group"], str]


def clusters_of(samples: Sequence[Sample]) -> dict[str, str]:
    """The cluster of each sample by its id: the name of its alphabetically first test case, for any row order.

    A sample that is linked to no other is a cluster of its own, under its id."""
    return clusters_across(samples)[0]


def clusters_in(columns: SampleColumns, order: SampleOrder | None = None) -> LevelBySample[str]:
    """The same by the columns of a run, without a text. `order` is that of its ids, if available."""
    order = order or SampleOrder(columns.ids())
    if any(columns.levels(name).is_given for name in ("variant_of", "group")):
        linked = _linked([*ties_in(columns)])[0]
        return LevelBySample(order, Levels.of(map(linked.__getitem__, order.ids)))
    return LevelBySample(order, _cases(order.ids, columns.levels("test_case")))  # each case is a cluster


def _cases(ids: Sequence[str], cases: Levels) -> Levels:
    """The test case of each sample; its own id if it has none, or an empty one."""
    if not cases.is_given:
        return Levels(np.arange(len(ids), dtype=np.int32), tuple(ids))
    if "" not in cases.names and bool((cases.codes >= 0).all()):
        return cases
    return Levels.of(case or name for name, case in zip(ids, cases.texts(), strict=True))


def clusters_across(*runs: Sequence[Sample]) -> tuple[dict[str, str], ...]:
    """The same for each of several runs of one test set: what belongs together in one of them does so in all."""
    return _linked(*([*ties_of(samples)] for samples in runs))


def clusters_across_columns(*runs: SampleColumns) -> tuple[dict[str, str], ...]:
    """The same by the columns of the runs, without a text."""
    return _linked(*([*ties_in(columns)] for columns in runs))


def _linked(*runs: Sequence[Ties]) -> tuple[dict[str, str], ...]:
    from scipy.sparse import coo_array  # take long to import, and most runs state test cases alone
    from scipy.sparse.csgraph import connected_components

    place: dict[_Node, int] = {}
    ends = [place.setdefault(node, len(place)) for run in runs for pair in _pairs(run) for node in pair]
    first, second = np.array(ends, dtype=np.int32).reshape(-1, 2).T
    links = coo_array((np.ones(len(first), dtype=np.bool_), (first, second)), shape=(len(place),) * 2)
    part = connected_components(links, directed=False)[1].tolist()
    first_case: dict[int, str] = {}
    for (kind, name), number in zip(place, part, strict=True):
        if kind == "test case":
            first_case[number] = min(name, first_case.get(number, name))
    return tuple({sample.id: first_case[part[place[_case(sample)]]] for sample in samples} for samples in runs)


def cluster_sources(samples: Sequence[Sample]) -> tuple[ClusterSource, ...]:
    """The fields of these samples that determine clusters; empty if all samples are independent by default."""
    stated: dict[ClusterSource, bool] = {
        "test case": any(sample.test_case is not None for sample in samples),
        "variant": any(sample.variant is not None for sample in samples),
        "semantic group": any(sample.group is not None for sample in samples),
    }
    return tuple(source for source, is_stated in stated.items() if is_stated)


def cluster_sources_in(columns: SampleColumns) -> tuple[ClusterSource, ...]:
    """The same by the columns of a run, without a text."""
    stated: dict[ClusterSource, LevelColumn] = {
        "test case": "test_case",
        "variant": "variant_family",
        "semantic group": "group",
    }
    return tuple(source for source, column in stated.items() if columns.levels(column).is_given)


def shared_clusters(clusters: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """The clusters by sample id if one has several samples; None if samples are independent of one another."""
    if clusters is None or distinct_levels(clusters) == len(clusters):
        return None
    return clusters


@dataclass(frozen=True, slots=True)
class ClusterConflict:
    """Different clusters of the same `samples` by the run and by its scores, with their numbers; the run's are used."""

    samples: int
    by_run: int
    by_scores: int


def cluster_conflict(by_run: Mapping[str, str], by_scores: Mapping[str, str]) -> ClusterConflict | None:
    """The conflict if the samples that both have are divided differently, for any names of clusters; else None."""
    both = [sample_id for sample_id in by_scores if sample_id in by_run]
    pairs = {(by_run[sample_id], by_scores[sample_id]) for sample_id in both}
    run, scores = ({pair[side] for pair in pairs} for side in (0, 1))
    if len(pairs) == len(run) == len(scores):
        return None
    return ClusterConflict(len(both), len(run), len(scores))


def _pairs(samples: Sequence[Ties]) -> Iterator[tuple[_Node, _Node]]:
    """Pairs of linked samples. A variant names its origin by the id of a sample or by a test case."""
    case_of = {sample.id: _case(sample) for sample in samples}
    for sample in samples:
        case = _case(sample)
        yield case, case
        if sample.variant_of is not None:
            yield case, case_of.get(sample.variant_of, ("test case", sample.variant_of))
        if sample.group is not None:
            yield case, ("semantic group", sample.group)


def _case(sample: Ties) -> _Node:
    return "test case", sample.test_case or sample.id
