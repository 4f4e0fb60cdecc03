"""Full conformal prediction for one metric, in which all labels make map and sets together.

A level is in the set of a score unless a new sample with that score and level would be among the least conforming. The
map is fitted to all labels and this sample, and the sample's nonconformity compared with theirs. Labels and new sample
are treated alike in the map, so that the guarantee is exact although no label is reserved. Source: Vovk, Gammerman &
Shafer 2005, section 2.2; Tibshirani, Barber, Candès & Ramdas 2019, section 2 (weights)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.conformal.candidates import Candidates
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.ordinal_sets import path_nonconformity
from hcat.core.calibration.conformal.score_cells import ScoreCells
from hcat.core.calibration.conformal.threshold import Region, conformal_rank, name_of_set, promised_share
from hcat.core.types import Finite

ALL = ""
"""The group of sets that do not depend on a dimension."""
_DIGITS = 12
"""The precision of nonconformity: values that are equal to this many digits are ties, as for an uninformative score."""
_ROUNDING = 1e-12

Excluded = float | None


@dataclass(frozen=True, slots=True)
class ScoreSets:
    """The levels in the prediction set of a score, by intervals of the score axis.

    `edges` (intervals − 1,) are the ends between them; a score at an edge belongs to the one before. `excluded` gives
    for each group, by level and interval, the largest weight of a sample whose set does not contain the level: 0 if the
    set always contains it, None if it never does. Without a design every sample has weight 1. A sample of unknown
    weight counts as the `heaviest`."""

    edges: tuple[Finite, ...]
    excluded: Mapping[str, tuple[tuple[Excluded, ...], ...]]
    heaviest: Finite = 1.0

    def sets_at(
        self, scores: Floats, *, groups: Sequence[str | None] | None = None, weights: Floats | None = None
    ) -> Bools:
        """The sets of scores (n,), (n, levels): those of each sample's group, and all levels for a group without
        labels.

        A score that is NaN has an empty set."""
        weight = np.full(len(scores), self.heaviest) if weights is None else weights
        stretch = np.searchsorted(np.asarray(self.edges), scores, side="left")
        stretch = np.minimum(stretch, len(self.edges))
        if groups is None:
            held = weight > self._limits(ALL)[:, stretch]
        else:
            held = np.ones((len(next(iter(self.excluded.values()), ((), ()))), len(scores)), dtype=bool)
            names = np.array(["" if group is None else group for group in groups], dtype=np.str_)
            for group in self.excluded:
                rows = np.flatnonzero(names == group)
                held[:, rows] = weight[rows] > self._limits(group)[:, stretch[rows]]
        return np.asarray((held & ~np.isnan(scores)).T, dtype=bool)

    def regions(self, group: str | None = None) -> tuple[Region, ...]:
        """The sets over fail and pass along the score axis from −∞ to ∞, for samples of the largest weight."""
        of = ALL if group is None else group
        if of not in self.excluded:
            return (Region("both", -np.inf, np.inf),)
        in_0, in_1 = (self.heaviest > self._limits(of)).tolist()
        ends = (-np.inf, *self.edges, np.inf)
        found: list[Region] = []
        for low, high, fail, passes in zip(ends, ends[1:], in_0, in_1, strict=False):
            name = name_of_set(in_0=fail, in_1=passes)
            first = found.pop().low if found and found[-1].set_name == name else low
            found.append(Region(name, first, high))
        return tuple(found)

    def _limits(self, group: str) -> Floats:
        return np.array([[np.inf if at is None else at for at in level] for level in self.excluded[group]])


@dataclass(frozen=True, slots=True, eq=False)
class FullConformal:
    """The procedure for sets without reserved labels: in `cells` of the score, by maps refitted for `candidates`."""

    cells: ScoreCells
    candidates: Candidates


def full_sets(
    how: FullConformal,
    scores: Floats,
    levels: Ints,
    *,
    n_levels: int,
    alpha: float,
    contiguous: bool = False,
    by: str | None = None,
    groups: Sequence[str | None] | None = None,
    weights: Floats | None = None,
    heaviest: float | None = None,
) -> ScoreSets:
    """The sets at all scores, from labels with `scores` (n,) and `levels` (n,), each from 0 to n_levels − 1.

    `by` is None, "class", or a dimension of which `groups` (n,) give the level. `weights` (n,) are the inverse sampling
    probabilities of the labelled samples: labels are then compared by their weight, in unweighted maps, so that the
    sets follow from score and weight of a new sample alone. With `contiguous`, a level between two that are in a set
    joins it."""
    cell = how.cells.of(scores)
    cells = len(how.cells)
    place = cell * n_levels + levels
    counts = np.bincount(place, minlength=cells * n_levels).reshape(cells, n_levels).astype(np.float64)
    table = how.candidates(how.cells.scores, counts)
    table = path_nonconformity(table.reshape(-1, n_levels)).reshape(table.shape) if contiguous else 1 - table
    table = np.round(table.reshape(len(table), -1), _DIGITS)
    less = (table < np.diag(table)[:, None]).astype(np.float64)
    excluded: dict[str, Floats] = {}
    for group, inside, of_level in _compared(levels, n_levels, by, groups):
        w = np.ones(len(scores)) if weights is None else weights
        mass = np.bincount(place[inside], weights=w[inside], minlength=cells * n_levels).astype(np.float64)
        limits = _limits(less @ mass, mass, alpha, weighted=weights is not None, n=int(inside.sum()))
        own = excluded.setdefault(group, np.zeros((n_levels, cells)))
        own[of_level] = limits.reshape(cells, n_levels).T[of_level]
    filled = {group: _without_gaps(own) if contiguous else own for group, own in excluded.items()}
    return _in_stretches(how.cells, filled, 1.0 if weights is None else heaviest or float(weights.max()))


def _compared(
    levels: Ints, n_levels: int, by: str | None, groups: Sequence[str | None] | None
) -> list[tuple[str, Bools, slice]]:
    """The labels (n,) that new samples of a group are compared with, and the levels of the new sample that this applies
    to."""
    if by == BY_CLASS:
        return [(ALL, levels == level, slice(level, level + 1)) for level in range(n_levels)]
    if by is None or groups is None:
        return [(ALL, np.ones(len(levels), dtype=bool), slice(None))]
    names = np.array(["" if group is None else group for group in groups], dtype=np.str_)
    return [(str(name), names == name, slice(None)) for name in np.unique(names) if name]


def _limits(less: Floats, mass: Floats, alpha: float, *, weighted: bool, n: int) -> Floats:
    """The largest weight of a new sample whose set does not contain the level, for each candidate.

    It depends on the mass of labels that conform better: 0 or ∞ without weights."""
    if not weighted:
        return np.where(less < conformal_rank(n, alpha), 0.0, np.inf)
    # The level is in the set if the labels that conform better have less than 1 − α of all weight, with the new
    # sample's.
    limit = less / (promised_share(alpha) * (1 - _ROUNDING)) - float(mass.sum())
    return np.maximum(limit, 0.0)


def _without_gaps(limits: Floats) -> Floats:
    """The limits (levels, cells) after a level between two that are in a set joins it."""
    from_below = np.minimum.accumulate(limits, axis=0)
    from_above = np.minimum.accumulate(limits[::-1], axis=0)[::-1]
    return np.minimum(limits, np.maximum(from_below, from_above))


def _in_stretches(cells: ScoreCells, limits: Mapping[str, Floats], heaviest: float) -> ScoreSets:
    """Merge adjacent cells with the same sets in all groups."""
    every = np.concatenate(list(limits.values())) if limits else np.zeros((0, len(cells)))
    changes = (every[:, 1:] != every[:, :-1]).any(axis=0)
    first = np.append(True, changes)
    return ScoreSets(
        tuple(cells.edges[changes].tolist()),
        {
            group: tuple(tuple(None if np.isinf(at) else at for at in level) for level in own[:, first].tolist())
            for group, own in limits.items()
        },
        heaviest,
    )
