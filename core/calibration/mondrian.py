"""Stage 2 by class or by group: a threshold each, so that coverage holds within each and not only on average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.conformal import Threshold, conformal_quantile, prediction_sets
from core.errors import HcatError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClassThresholds:
    """A threshold from the labels “fail” and one from the labels “pass”."""

    failed: Threshold
    passed: Threshold

    @property
    def enough(self) -> bool:
        return self.failed.enough and self.passed.enough


@dataclass(frozen=True, slots=True)
class GroupThresholds:
    """A threshold for each group that has labels; `unseen` is that of any other: every set holds both classes."""

    by_group: Mapping[str, Threshold]
    unseen: Threshold

    def of(self, group: str) -> Threshold:
        return self.by_group.get(group, self.unseen)

    @property
    def short(self) -> dict[str, int]:
        """How many labels each group with too few for α lacks."""
        return {group: t.needed - t.n for group, t in self.by_group.items() if not t.enough}


def class_thresholds(
    probability: ArrayLike,
    passed: ArrayLike,
    *,
    alpha: float,
    weights: ArrayLike | None = None,
    new_weight: float | None = None,
) -> ClassThresholds:
    """Thresholds by which samples that people fail are covered with 1 − α, and so are those that they pass.

    `probability` (n,) and `passed` (n,) are of labels that the map was not fitted on; weights as in
    `conformal_quantile`. Type I and type II errors are then bounded apart. A class with too few labels for α is in
    every set. Source: Vovk, Gammerman & Shafer 2005, section 4.5 (label-conditional).
    """
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(passed, dtype=bool)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)

    def threshold(scores: Floats, rows: NDArray[np.bool_]) -> Threshold:
        inside = None if w is None else w[rows]
        return conformal_quantile(scores[rows], alpha=alpha, weights=inside, new_weight=new_weight)

    return ClassThresholds(failed=threshold(p, ~y), passed=threshold(1 - p, y))


def class_prediction_sets(probability: ArrayLike, thresholds: ClassThresholds) -> NDArray[np.bool_]:
    """Which classes are in the set of each sample: shape (n, 2), columns fail (0) and pass (1)."""
    p = np.asarray(probability, dtype=np.float64)
    if np.isnan(p).any():
        raise HcatError("an unscored sample has no prediction set: leave out samples without a probability")
    return np.column_stack([p <= thresholds.failed.q_hat, 1 - p <= thresholds.passed.q_hat])


def group_thresholds(
    nonconformity: ArrayLike,
    groups: Sequence[str],
    *,
    alpha: float,
    weights: ArrayLike | None = None,
    new_weight: float | None = None,
) -> GroupThresholds:
    """Thresholds by which the samples of each group are covered with 1 − α (Mondrian conformal prediction).

    `nonconformity` (n,) is of labels that the map was not fitted on, `groups` (n,) the level of a dimension that is
    known without the label. Groups with too few labels for α get sets that hold both classes.
    Source: Vovk, Gammerman & Shafer 2005, section 4.5.
    """
    scores, names = np.asarray(nonconformity, dtype=np.float64), np.asarray(groups, dtype=np.str_)
    if scores.shape != names.shape:
        raise HcatError("every label needs the group of its sample")
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    by_group = {}
    for group in np.unique(names):
        rows = names == group
        inside = None if w is None else w[rows]
        by_group[str(group)] = conformal_quantile(scores[rows], alpha=alpha, weights=inside, new_weight=new_weight)
    return GroupThresholds(by_group, conformal_quantile([], alpha=alpha))


def group_prediction_sets(
    probability: ArrayLike, groups: Sequence[str], thresholds: GroupThresholds
) -> NDArray[np.bool_]:
    """Which classes are in the set of each sample, by the threshold of its group: shape (n, 2)."""
    p, names = np.asarray(probability, dtype=np.float64), np.asarray(groups, dtype=np.str_)
    if p.shape != names.shape:
        raise HcatError("every sample needs its group")
    sets = np.zeros((len(p), 2), dtype=bool)
    for group in np.unique(names):
        rows = names == group
        sets[rows] = prediction_sets(p[rows], thresholds.of(str(group)).q_hat)
    return sets
