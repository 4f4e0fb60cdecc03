"""Draws with unequal probabilities: more of the informative samples, always some of the rest.

Design: each sample gets a size; its inclusion probability π is proportional to the size, at least `FLOOR` · n/N and at
most 1, and Σπ = n. The samples are put in random order and drawn systematically: a point every 1 along the cumulated π,
from one random start. Exactly n are drawn, and each with exactly its π (Madow 1949; Särndal, Swensson & Wretman 1992,
3.6.2), so that weights 1/π make estimates of the run unbiased, for any sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.labelling.queue import QueueItem

FLOOR = 0.25
"""No sample is less than a quarter as likely as in a simple random draw: no weight exceeds four times the mean one."""


def boundary_sizes(p: Floats) -> Floats:
    """½ − |p − ½| for probabilities of a pass p (n,): largest at ½. NaN (unscored) gets the mean size."""
    return _filled(0.5 - np.abs(p - 0.5))


def residual_sizes(p: Floats) -> Floats:
    """√(p(1 − p)), the standard deviation of the residual given p: the shortest interval of a pass rate.

    Neyman's allocation, for a prediction-powered or difference estimate whose residual at p is Bernoulli. p (n,) in [0,
    1]; NaN (unscored) gets the mean size. Source: Särndal, Swensson & Wretman 1992, 12.2; Zrnic & Candès 2024."""
    return _filled(np.sqrt(np.clip(p * (1 - p), 0, None)))


def inclusion_probabilities(sizes: Floats, *, planned: int, floor: float = FLOOR) -> Floats:
    """π (n,) ∝ sizes within [floor · planned/n, 1], with Σπ = min(planned, n); all equal if the sizes are.

    Sizes are ≥ 0 and finite."""
    n = len(sizes)
    planned = min(planned, n)
    least = floor * planned / n
    # A size of zero would leave π stuck at the floor; with a tiny one the rest of a large plan can reach it.
    positive = np.maximum(sizes, max(float(sizes.max()), 1.0) * 1e-9)
    low, high = 0.0, 1 / float(positive.min())
    for _ in range(200):
        middle = (low + high) / 2
        if np.clip(middle * positive, least, 1).sum() < planned:
            low = middle
        else:
            high = middle
    return np.clip(high * positive, least, 1)


def draw_unequal(inclusion: Mapping[str, float], *, queue: str, rng: np.random.Generator) -> tuple[QueueItem, ...]:
    """A systematic draw with these inclusion probabilities, its items in random order.

    After stopping half-way, a random part of the draw is labelled: the weights remain right up to a common factor."""
    ids = list(inclusion)
    order = rng.permutation(len(ids))
    cumulated = np.cumsum([inclusion[ids[place]] for place in order])
    cumulated[-1] = round(float(cumulated[-1]))  # n exactly, so that rounding never costs the last point
    points = np.floor(cumulated + rng.random())
    hit = np.diff(points, prepend=0.0) > 0
    drawn = [ids[place] for place in order[hit]]
    return tuple(QueueItem(drawn[k], inclusion[drawn[k]], queue=queue) for k in rng.permutation(len(drawn)))


def by_sample(sample_ids: Sequence[str], inclusion: Floats) -> dict[str, float]:
    """The inclusion probabilities (n,) by the id of their sample."""
    return dict(zip(sample_ids, inclusion.tolist(), strict=True))


def _filled(sizes: Floats) -> Floats:
    finite = np.isfinite(sizes)
    return np.where(finite, sizes, float(sizes[finite].mean()) if finite.any() else 1.0)
