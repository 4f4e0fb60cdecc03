"""Boosted trees as plain arrays: what they say of a sample, and exactly what each metric had to do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np

from core.arrays import Bools, Floats
from core.calibration.maps.parameters import items, numbers
from core.errors import FileFormatError
from core.types import JsonValue

LEAF = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree of nodes, the root first; one entry a node in each tuple.

    A sample goes to `left` where its score of `metric` is below `threshold` (as 32-bit numbers), and where it has none
    and `unscored_left` says so; else to `right`. `left` is −1 at a leaf, whose `value` is added to the log-odds.
    `cover` is the weight of the labels that passed a node when the tree was grown.
    """

    metric: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    unscored_left: tuple[bool, ...]
    value: tuple[float, ...]
    cover: tuple[float, ...]

    @property
    def metrics_used(self) -> tuple[int, ...]:
        """The metrics that some node asks for, by column."""
        return tuple(sorted({m for m, child in zip(self.metric, self.left, strict=True) if child != LEAF}))

    def log_odds(self, X: Floats) -> Floats:
        """What the tree adds for each row of scores (n, metrics), shape (n,)."""
        return self.expected(X, frozenset(self.metrics_used))

    def expected(self, X: Floats, known: frozenset[int], node: int = 0) -> Floats:
        """What the tree adds on average, (n,), when only the metrics in `known` are: others follow the covers."""
        if self.left[node] == LEAF:
            return np.full(len(X), self.value[node])
        left, right = self.left[node], self.right[node]
        below, above = self.expected(X, known, left), self.expected(X, known, right)
        if self.metric[node] in known:
            return np.where(self._goes_left(X, node), below, above)
        share = self.cover[left] / (self.cover[left] + self.cover[right])
        return share * below + (1 - share) * above

    def contributions(self, X: Floats) -> Floats:
        """The Shapley value of each metric in what the tree adds, (n, metrics); with the mean they sum to it.

        Exact, over all subsets of the few metrics that the tree uses. Source: Lundberg et al. 2020, algorithm 1.
        """
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
        """What the tree adds on average over the labels that it was grown on."""
        return float(self.expected(np.zeros((1, max(self.metric, default=0) + 1)), frozenset())[0])

    def _goes_left(self, X: Floats, node: int) -> Bools:
        score = X[:, self.metric[node]].astype(np.float32)
        missing = np.isnan(score)
        below: Bools = score < np.float32(self.threshold[node])
        return np.where(missing, self.unscored_left[node], below)

    def document(self) -> dict[str, JsonValue]:
        """The tree as JSON."""
        return {
            "metric": list(self.metric),
            "threshold": list(self.threshold),
            "left": list(self.left),
            "right": list(self.right),
            "unscored_left": list(self.unscored_left),
            "value": list(self.value),
            "cover": list(self.cover),
        }


def read_tree(document: JsonValue, *, metrics: int) -> Tree:
    """The inverse of `Tree.document`. FileFormatError, KeyError or TypeError on what is no tree over these metrics."""
    if not isinstance(document, dict):
        raise TypeError("expected a tree")
    metric, left, right = (_whole(document[name]) for name in ("metric", "left", "right"))
    unscored_left = tuple(item is True for item in items(document["unscored_left"]))
    threshold, value, cover = (numbers(document[name]) for name in ("threshold", "value", "cover"))
    size = len(metric)
    columns: Sequence[Sequence[float]] = (threshold, left, right, unscored_left, value, cover)
    if size == 0 or any(len(column) != size for column in columns) or not all(m in range(metrics) for m in metric):
        raise FileFormatError("a tree must have one entry a node, and nodes that ask for one of the metrics")
    # Children stand behind their parent, so that walking down always ends.
    inner = [(node, child) for node, child in enumerate(left) if child != LEAF]
    if any(not (node < child < size and node < right[node] < size) for node, child in inner):
        raise FileFormatError("the nodes of a tree are out of order")
    return Tree(metric, threshold, left, right, unscored_left, value, cover)


def grown_tree(document: Mapping[str, JsonValue]) -> Tree:
    """A tree of xgboost's own JSON model, whose numbers are 32-bit."""
    left, right, metric = (_whole(document[name]) for name in ("left_children", "right_children", "split_indices"))
    condition, cover = (_single(document[name]) for name in ("split_conditions", "sum_hessian"))
    leaf = [child == LEAF for child in left]
    return Tree(
        metric=metric,
        threshold=tuple(0.0 if end else c for c, end in zip(condition, leaf, strict=True)),
        left=left,
        right=right,
        unscored_left=tuple(bool(side) for side in numbers(document["default_left"])),
        value=tuple(c if end else 0.0 for c, end in zip(condition, leaf, strict=True)),
        cover=cover,
    )


def _whole(value: JsonValue) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers(value))


def _single(value: JsonValue) -> tuple[float, ...]:
    return tuple(float(np.float32(number)) for number in numbers(value))
