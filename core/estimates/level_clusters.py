"""Whether samples that share a level, such as a document or a company, are so correlated that they are one cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Ints
from hcat.core.estimates.influence import influence
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.types import Estimate

LEAST_LEVELS = 10
"""The least number of levels: with fewer, all that matter are in the run, or too few to estimate how they differ.

Each is then a slice instead."""
NOTABLE_EFFECT = 1.5
"""The least design effect to report, at which standard errors are 18 % too small.

Of ten levels or more without any effect, fewer than one in ten reach it by chance."""


@dataclass(frozen=True, slots=True)
class LevelClusters:
    """A dimension whose `levels` may be clusters of the run's `samples`.

    `effect` is the design effect of its labels beyond that of the known clusters, `rate` the PPI++ rate if each level
    is a cluster."""

    dimension: str
    levels: int
    samples: int
    effect: float
    rate: Estimate


def level_clusters(
    run: LabelledRun, dimensions: Iterable[tuple[str, Sequence[str]]], *, notable: float = NOTABLE_EFFECT
) -> tuple[LevelClusters, ...]:
    """The dimensions with a notable design effect, the largest first. Each has the level of every sample (N,).

    The effect is the variance of the labels-only rate by level over that by the run's clusters, of the labels alone.
    Source: Kish 1965, Survey Sampling, section 5.4."""
    drawn, found = run.labelled, []
    alone = run.part(drawn)
    now = influence(alone).error(0.0)
    for name, given in dimensions:
        levels = np.asarray(given, dtype=np.str_)
        if not LEAST_LEVELS <= len(np.unique(levels[drawn])) < int(drawn.sum()) or not now > 0:
            continue
        by_level = influence(replace(alone, clusters=joined(alone.keys, levels[drawn]))).error(0.0)
        effect = (by_level / now) ** 2
        if effect >= notable:
            rate = estimate_pass_rate(replace(run, clusters=joined(run.keys, levels))).ppi
            found.append(LevelClusters(name, len(np.unique(levels)), len(levels), effect, rate))
    return tuple(sorted(found, key=lambda each: -each.effect))


def joined(clusters: Ints | NDArray[np.str_], levels: NDArray[np.str_]) -> Ints:
    """Clusters (N,) of samples connected by a shared cluster or level, also through others; an empty level connects
    none."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    one = np.unique(clusters, return_inverse=True)[1]
    names, two = np.unique(levels, return_inverse=True)
    linked = levels != ""
    size = int(one.max(initial=-1)) + 1
    ends = (one[linked], size + two[linked])
    links = coo_array((np.ones(int(linked.sum()), dtype=np.bool_), ends), shape=(size + len(names),) * 2)
    return np.asarray(connected_components(links, directed=False)[1][one], dtype=np.intp)


def clusters_by_level(clusters: Mapping[str, str] | None, ids: Sequence[str], levels: Sequence[str]) -> dict[str, str]:
    """The same by sample id: each cluster has the name of its alphabetically first sample."""
    known = ids if clusters is None else [clusters[name] for name in ids]
    codes = joined(np.asarray(known, dtype=np.str_), np.asarray(levels, dtype=np.str_))
    first: dict[int, str] = {}
    for name, code in sorted(zip(ids, codes.tolist(), strict=True)):
        first.setdefault(code, name)
    return {name: first[code] for name, code in zip(ids, codes.tolist(), strict=True)}
