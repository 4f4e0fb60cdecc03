"""Stage 2 by class or by group: a threshold for each, so that coverage is valid within each and not only on average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.conformal.threshold import Threshold, conformal_quantile
from hcat.core.errors import HcatError

BY_CLASS = "class"
"""The value of `conditional` that asks for a threshold per label; anything else names a dimension."""


@dataclass(frozen=True, slots=True)
class Conditional:
    """A threshold for each class (in the order of levels), or for each group of the dimension `by`.

    `unseen` is the threshold of a group without labels, and of a sample with an unknown group: its q̂ is 1, so that the
    sets are full."""

    by: str
    thresholds: Mapping[str, Threshold]
    unseen: Threshold

    @property
    def by_class(self) -> bool:
        return self.by == BY_CLASS

    @property
    def short(self) -> dict[str, int]:
        """The number of labels that each class or group with too few for α lacks: its q̂ is 1."""
        return {name: max(t.needed - t.n, 1) for name, t in self.thresholds.items() if not t.enough}

    @property
    def enough(self) -> bool:
        """Whether sets can decide anything: each class has enough labels for α, or some group has."""
        return not self.short if self.by_class else len(self.short) < len(self.thresholds)

    def q_hats(
        self, shape: tuple[int, int], groups: Sequence[str | None] | None = None, weights: Floats | None = None
    ) -> Floats:
        """The threshold of each sample and class, (n, levels).

        `groups` (n,) are needed if thresholds are by group, `weights` (n,) if they are by weight."""
        n, levels = shape
        if self.by_class:
            if len(self.thresholds) != levels:
                raise HcatError(f"there are thresholds for {len(self.thresholds)} classes, not {levels}")
            return np.column_stack([t.q_hats_at(weights, n) for t in self.thresholds.values()])
        if groups is None or len(groups) != n:
            raise HcatError(f"every sample needs its {self.by}: thresholds are by {self.by}")
        of_group = {group: t.q_hats_at(weights, n) for group, t in self.thresholds.items()}
        unseen = np.full(n, self.unseen.q_hat)
        column = [unseen[row] if g is None else of_group.get(g, unseen)[row] for row, g in enumerate(groups)]
        return np.repeat(np.array(column, dtype=np.float64).reshape(n, 1), levels, axis=1)

    def whole_set_reason(self, group: str | None) -> str | None:
        """The reason why the set of a sample of this group is full; None if a threshold decides."""
        if self.by_class:
            return None
        if group is None:
            return f"the sample has no {self.by}"
        found = self.thresholds.get(group)
        if found is None:
            return f"{self.by} = {group} has no label that sets a threshold"
        if not found.enough:
            return f"{self.by} = {group} has {found.n} labels; α = {found.alpha:g} takes {found.needed}"
        return None


def class_thresholds(
    nonconformity: ArrayLike,
    levels: ArrayLike,
    *,
    names: Sequence[str],
    alpha: float,
    weights: ArrayLike | None = None,
    heaviest: Mapping[str, float] | None = None,
    lightest: float | None = None,
) -> Conditional:
    """Thresholds by which samples of each level, as people label them, are covered with 1 − α.

    `nonconformity` (n,) of the labels' `levels` (n,), for labels that did not fit the map; `names` of the levels in
    order. For fail and pass, type I and type II errors are then bounded separately. A class with too few labels for α
    is in every set. `weights` and `lightest` as in `conformal_quantile`, `heaviest` the largest weight of a new sample,
    by class. Source: Vovk, Gammerman & Shafer 2005, section 4.5 (label-conditional)."""
    cells = np.asarray(levels, dtype=np.intp)
    if cells.size and not 0 <= cells.min() <= cells.max() < len(names):
        raise HcatError(f"levels must lie between 0 and {len(names) - 1}")
    rows = {name: cells == position for position, name in enumerate(names)}
    return _thresholds(
        nonconformity, rows, by=BY_CLASS, alpha=alpha, weights=weights, heaviest=heaviest, lightest=lightest
    )


def group_thresholds(
    nonconformity: ArrayLike,
    groups: Sequence[str | None],
    *,
    by: str,
    alpha: float,
    weights: ArrayLike | None = None,
    heaviest: Mapping[str, float] | None = None,
    lightest: float | None = None,
) -> Conditional:
    """Thresholds by which the samples of each group are covered with 1 − α (Mondrian conformal prediction).

    `nonconformity` (n,) is of labels that did not fit the map, `groups` (n,) the level of the dimension `by`, which is
    known without the label; labels without one (None) set no threshold. Groups with too few labels for α get full sets.
    Source: Vovk, Gammerman & Shafer 2005, section 4.5."""
    if by == BY_CLASS:
        raise HcatError(f"a dimension can't be called {BY_CLASS!r}: that asks for a threshold each label")
    names = np.array(["" if group is None else group for group in groups], dtype=np.str_)
    known = np.array([group is not None for group in groups], dtype=bool)
    rows = {str(group): known & (names == group) for group in np.unique(names[known])}
    return _thresholds(nonconformity, rows, by=by, alpha=alpha, weights=weights, heaviest=heaviest, lightest=lightest)


def conditional_sets(
    nonconformity: ArrayLike,
    conditional: Conditional,
    *,
    groups: Sequence[str | None] | None = None,
    contiguous: bool = False,
    weights: Floats | None = None,
) -> Bools:
    """Whether each class is in the set of each sample, (n, levels), by the nonconformity of every class (n, levels).

    An unscored sample, whose nonconformity is NaN, has an empty set. With `contiguous`, levels between two that are in
    the set join it: thresholds by class can leave gaps, and a larger set covers no less."""
    table = np.asarray(nonconformity, dtype=np.float64)
    if table.ndim != 2:
        raise HcatError("nonconformity must be a table with a column each class")
    n, levels = table.shape
    sets = np.asarray(table <= conditional.q_hats((n, levels), groups, weights), dtype=bool)
    if not contiguous:
        return sets
    from_below = np.logical_or.accumulate(sets, axis=1)
    from_above = np.logical_or.accumulate(sets[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(from_below & from_above, dtype=bool)


def _thresholds(
    nonconformity: ArrayLike,
    rows: Mapping[str, Bools],
    *,
    by: str,
    alpha: float,
    weights: ArrayLike | None,
    heaviest: Mapping[str, float] | None,
    lightest: float | None,
) -> Conditional:
    scores = np.asarray(nonconformity, dtype=np.float64)
    if any(inside.shape != scores.shape for inside in rows.values()):
        raise HcatError("every label needs its class or group")
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    found = {
        name: conformal_quantile(
            scores[inside],
            alpha=alpha,
            weights=None if w is None else w[inside],
            new_weight=None if heaviest is None else heaviest.get(name),
            lightest=lightest,
        )
        for name, inside in rows.items()
    }
    return Conditional(by, found, conformal_quantile([], alpha=alpha))
