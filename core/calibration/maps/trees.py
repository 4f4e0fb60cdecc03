"""Boosted trees as plain arrays: their value for a sample, and the exact contribution of each metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.errors import HcatError
from hcat.core.types import Finite, JsonValue

LEAF = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree of nodes, the root first; one entry per node in each tuple.

    A sample goes to `left` if its score of `metric` is below `threshold` (as 32-bit numbers), or if it has none and
    `unscored_left` is true; else to `right`. `left` is −1 at a leaf, whose `value` is added to the log-odds. `cover` is
    the weight of the labels that passed a node when the tree was grown."""

    metric: tuple[int, ...]
    threshold: tuple[Finite, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    unscored_left: tuple[bool, ...]
    value: tuple[Finite, ...]
    cover: tuple[Finite, ...]

    def __post_init__(self) -> None:
        size = len(self.metric)
        columns = (self.threshold, self.left, self.right, self.unscored_left, self.value, self.cover)
        if size == 0 or any(len(column) != size for column in columns):
            raise HcatError("a tree has one entry a node")
        # Children come after their parent, so that a walk from the root always ends.
        inner = [(node, child) for node, child in enumerate(self.left) if child != LEAF]
        if any(not (node < child < size and node < self.right[node] < size) for node, child in inner):
            raise HcatError("the nodes of a tree are out of order")

    @property
    def metrics_used(self) -> tuple[int, ...]:
        """The metrics in the nodes of the tree, by column."""
        return tuple(sorted({m for m, child in zip(self.metric, self.left, strict=True) if child != LEAF}))

    def log_odds(self, X: Floats) -> Floats:
        """The value of the tree for each row of scores (n, metrics), shape (n,)."""
        return self.expected(X, frozenset(self.metrics_used))

    def expected(self, X: Floats, known: frozenset[int], node: int = 0) -> Floats:
        """The mean value of the tree, (n,), given only the metrics in `known`: others are averaged by the covers."""
        if self.left[node] == LEAF:
            return np.full(len(X), self.value[node])
        left, right = self.left[node], self.right[node]
        below, above = self.expected(X, known, left), self.expected(X, known, right)
        if self.metric[node] in known:
            return np.where(self._goes_left(X, node), below, above)
        share = self.cover[left] / (self.cover[left] + self.cover[right])
        return share * below + (1 - share) * above

    def contributions(self, X: Floats) -> Floats:
        """The Shapley value of each metric in the value of the tree, (n, metrics); with the mean they sum to it.

        Exact, over all subsets of the few metrics that the tree uses. Source: Lundberg et al. 2020, algorithm 1."""
        found, used = np.zeros_like(X), self.metrics_used
        subsets = [frozenset(some) for size in range(len(used) + 1) for some in combinations(used, size)]
        expected = {some: self.expected(X, some) for some in subsets}
        for some in subsets:
            share = factorial(len(some)) * factorial(max(len(used) - len(some) - 1, 0)) / factorial(len(used))
            for metric in set(used) - some:
                found[:, metric] += share * (expected[some | {metric}] - expected[some])
        return found

    @property
    def mean(self) -> float:
        """The mean value of the tree over its training labels."""
        return float(self.expected(np.zeros((1, max(self.metric, default=0) + 1)), frozenset())[0])

    def _goes_left(self, X: Floats, node: int) -> Bools:
        score = X[:, self.metric[node]].astype(np.float32)
        missing = np.isnan(score)
        below: Bools = score < np.float32(self.threshold[node])
        return np.where(missing, self.unscored_left[node], below)


def grown_tree(document: Mapping[str, JsonValue]) -> Tree:
    """A tree from XGBoost's own JSON model, whose numbers are 32-bit."""
    left, right, metric = (_whole(document[name]) for name in ("left_children", "right_children", "split_indices"))
    condition, cover = (_single(document[name]) for name in ("split_conditions", "sum_hessian"))
    leaf = [child == LEAF for child in left]
    return Tree(
        metric=metric,
        threshold=tuple(0.0 if end else c for c, end in zip(condition, leaf, strict=True)),
        left=left,
        right=right,
        unscored_left=tuple(side != 0 for side in _whole(document["default_left"])),
        value=tuple(c if end else 0.0 for c, end in zip(condition, leaf, strict=True)),
        cover=cover,
    )


def _whole(value: JsonValue) -> tuple[int, ...]:
    return tuple(np.array(value, dtype=np.intp).tolist())


def _single(value: JsonValue) -> tuple[float, ...]:
    return tuple(np.array(value, dtype=np.float32).astype(np.float64).tolist())
