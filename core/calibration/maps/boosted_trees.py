"""Stage 1 by monotone gradient boosting (XGBoost): small trees that never go against a metric's direction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.maps.design_matrix import (
    as_table,
    checked_partial_fit,
    inside,
    metric_names,
    sigmoid,
    unit_mean,
)
from hcat.core.calibration.maps.trees import Tree, grown_tree
from hcat.core.errors import HcatError
from hcat.core.statistics.partition import grouped_folds
from hcat.core.types import Direction, Finite

if TYPE_CHECKING:
    import xgboost


FOLDS = 5
MOST_ROUNDS = 150
USUAL_ROUNDS = 30
DEPTH = 2
LEARNING_RATE = 0.1
PENALTY = 5.0
LEAST_WEIGHT = 2.0
_SEED = 7
_CONSTRAINTS: Mapping[Direction, int] = {"higher": 1, "lower": -1, "none": 0}


@dataclass(frozen=True, slots=True)
class BoostedMap:
    """p = σ(start + the contribution of every tree).

    The probability never falls with a metric that is better when higher. `unscored_seen` says which metrics were
    missing from some label: only these may be missing from a sample."""

    metrics: tuple[str, ...]
    start: Finite
    trees: tuple[Tree, ...]
    directions: tuple[Direction, ...]
    unscored_seen: tuple[bool, ...]
    depth: ClassVar[int] = DEPTH
    learning_rate: ClassVar[float] = LEARNING_RATE
    penalty: ClassVar[float] = PENALTY

    def __post_init__(self) -> None:
        if len(self.directions) != len(self.metrics) or len(self.unscored_seen) != len(self.metrics):
            raise HcatError("a boosted map has one direction a metric")
        if any(column not in range(len(self.metrics)) for tree in self.trees for column in tree.metric):
            raise HcatError("the nodes of a boosted map's trees ask for its metrics")

    @property
    def rounds(self) -> int:
        """The number of trees."""
        return len(self.trees)

    def probability(self, X: ArrayLike) -> Floats:
        """Probability of a pass, shape (n,), strictly inside (0, 1); NaN if a required score is missing."""
        table = as_table(X, columns=len(self.metrics))
        z = np.full(len(table), self.start)
        for tree in self.trees:
            z = z + tree.log_odds(table)
        z[self._unusable(table)] = np.nan
        return inside(sigmoid(z))

    @property
    def baseline(self) -> float:
        """The log-odds without any score: the sum of each tree's mean over its training labels.

        The mean is weighted by how undecided the labels were."""
        return self.start + sum(tree.mean for tree in self.trees)

    def contributions(self, X: ArrayLike) -> Floats:
        """The contribution of each metric to the log-odds, (n, metrics): exact Shapley values of the trees."""
        table = as_table(X, columns=len(self.metrics))
        found = np.zeros_like(table)
        for tree in self.trees:
            found += tree.contributions(table)
        found[self._unusable(table)] = np.nan
        return found

    def _unusable(self, table: Floats) -> Bools:
        missing = np.isnan(table)
        lost: Bools = missing.all(axis=1) | (missing & ~np.array(self.unscored_seen)).any(axis=1)
        return lost


def fit_boosted(
    X: ArrayLike,
    y: ArrayLike,
    *,
    directions: Sequence[Direction] | None = None,
    metrics: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    rounds: int | None = None,
) -> BoostedMap:
    """Grow trees of depth 2 with monotone constraints, a learning rate of 0.1 and an L2 penalty of 5 on leaf values.

    `X` is (n, metrics), NaN = unscored; `y` (n,) is 1 for a pass; `groups` (n,) are test cases. The number of trees, at
    most 150, is the one with the smallest log-loss in 5 folds that divide no group, unless it is given; 30 if some fold
    would leave labels of one class only. NotEnoughLabelsError if all labels agree. Source: Chen & Guestrin 2016; HCAT
    5.1."""
    table, passed = checked_partial_fit(X, y)
    known: tuple[Direction, ...] = tuple(directions) if directions else ("none",) * table.shape[1]
    weight = unit_mean(weights, len(passed))
    if rounds is None:
        fold_of = grouped_folds(np.arange(len(passed)) if groups is None else groups, passed, folds=FOLDS)
        rounds = _best_rounds(table, passed, weight, known, fold_of)
    booster = _grow(table, passed, weight, known, rounds)
    model = json.loads(booster.save_raw("json").decode())
    grown = model["learner"]["gradient_booster"]["model"]["trees"]
    share = float(np.average(passed, weights=weight))
    return BoostedMap(
        metrics=metric_names(metrics, table.shape[1]),
        start=float(np.log(share) - np.log1p(-share)),
        trees=tuple(grown_tree(tree) for tree in grown),
        directions=known,
        unscored_seen=tuple(bool(np.isnan(column).any()) for column in table.T),
    )


def _grow(
    table: Floats,
    passed: Floats,
    weights: Floats,
    directions: Sequence[Direction],
    rounds: int,
    *,
    watched: tuple[Floats, Floats, Floats] | None = None,
    losses: dict[str, dict[str, list[float]]] | None = None,
) -> xgboost.Booster:
    """A booster of that many trees; `losses` receives the log-loss on the watched scores, labels, weights by round."""
    import xgboost

    settings = {
        "objective": "binary:logistic",
        "eval_metric": "logloss",
        "base_score": float(np.average(passed, weights=weights)),
        "max_depth": DEPTH,
        "eta": LEARNING_RATE,
        "lambda": PENALTY,
        "min_child_weight": LEAST_WEIGHT,
        "monotone_constraints": tuple(_CONSTRAINTS[direction] for direction in directions),
        "tree_method": "hist",
        "max_bin": 64,
        "nthread": 1,
        "seed": _SEED,
    }
    data = xgboost.DMatrix(table, label=passed, weight=weights, nthread=1)
    if watched is None:
        return xgboost.train(settings, data, rounds)
    held_out = xgboost.DMatrix(watched[0], label=watched[1], weight=watched[2], nthread=1)
    return xgboost.train(
        settings, data, rounds, evals=[(held_out, "held_out")], evals_result=losses, verbose_eval=False
    )


def _best_rounds(table: Floats, passed: Floats, weights: Floats, directions: Sequence[Direction], fold_of: Ints) -> int:
    total = np.zeros(MOST_ROUNDS)
    for fold in range(FOLDS):
        out = fold_of == fold
        train = passed[~out]
        if not out.any() or train.size == 0 or train.min() == train.max():
            return USUAL_ROUNDS
        losses: dict[str, dict[str, list[float]]] = {}
        watched = (table[out], passed[out], weights[out])
        _grow(table[~out], train, weights[~out], directions, MOST_ROUNDS, watched=watched, losses=losses)
        total += float(weights[out].sum()) * np.array(losses["held_out"]["logloss"])
    return int(np.argmin(total)) + 1
