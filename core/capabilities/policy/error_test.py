"""Tests that the share of failures among accepted answers is at most ε: p-values and upper bounds.

Equal and independent labels that are tested once have the exact binomial test. All others have a betting test. Its
capital has an expectation of at most 1 as long as the share is ε or more. This is valid for any stopping rule, any
weights and any dependence of the labels of one cluster. For that, the stake has to be fixed before the labels are seen:
it is relative to the heaviest cluster that is possible, never to the heaviest that was labelled."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.capabilities.policy.stakes import Stakes, cluster_sums, equal_units

BETS: Floats = (np.arange(50) + 0.5) / 50
"""Fractions of the largest possible stake; the capital is the mean over them, so that the order of labels does not
matter."""
_STEPS = 40
_MOST = 700.0
"""Logarithms of capital above this are equivalent to it."""


ONCE = Stakes()


def error_p_value(
    failed: Bools,
    error: float,
    *,
    weights: Floats | None = None,
    clusters: Codes | None = None,
    stakes: Stakes = ONCE,
) -> float:
    """The p-value of “the share of failures is `error` or more”, from accepted labelled answers (n,); 1 for none.

    `weights` (n,) are their inverse sampling probabilities, `clusters` (n,) name the independent units. 1 if the
    largest possible weight of a cluster is not known, and if one weighs more. The share is Σ failures / Σ answers over
    clusters no heavier than `stakes.largest`. Sources: Angelopoulos, Bates, Candès, Jordan & Lei 2021, Learn then Test,
    section 3.2, for the binomial test of binary losses; Waudby-Smith & Ramdas 2024, Estimating means of bounded random
    variables by betting, section 4 (predictable stakes), for the other."""
    if len(failed) == 0:
        return 1.0
    if not stakes.betting and equal_units(weights, clusters):
        return float(p_of_counts(float(failed.sum()), float(len(failed)), error, betting=False))
    return _bets_p(_kinds(failed, weights, clusters, stakes), error)


def error_bound(
    failed: Bools,
    confidence: float,
    *,
    weights: Floats | None = None,
    clusters: Codes | None = None,
    stakes: Stakes = ONCE,
) -> float:
    """The upper confidence bound of the share of failures at one threshold that was chosen beforehand; 1 for no label.

    Clopper and Pearson's one-sided bound, or the least share that the betting test rejects."""
    from scipy.special import betaincinv

    n = len(failed)
    if n == 0 or bool(failed.all()):
        return 1.0
    if not stakes.betting and equal_units(weights, clusters):
        misses = int(failed.sum())
        return float(betaincinv(misses + 1, n - misses, confidence))
    low, high, kinds = 0.0, 1.0, _kinds(failed, weights, clusters, stakes)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _bets_p(kinds, middle) <= 1 - confidence else (middle, high)
    return high


def p_of_counts(failures: Floats | float, n: Floats | float, error: float, *, betting: bool) -> Floats:
    """The p-values for `failures` among `n` equal and independent labels, arrays of one shape; 1 for no label."""
    from scipy.special import bdtr

    k, of = np.asarray(failures, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not betting:
        p = bdtr(np.floor(k), np.maximum(np.floor(of), 1).astype(np.intp), error)
    else:
        gains = np.multiply.outer(np.log1p(BETS * error / (1 - error)), np.maximum(of - k, 0))
        steps = gains + np.multiply.outer(np.log1p(-BETS), k)
        p = np.minimum(1.0, 1 / np.mean(np.exp(np.minimum(steps, _MOST)), axis=0))
    return np.where((of > 0) & (k <= of), p, 1.0)


def p_without_failures(mass: Floats, error: float) -> float:
    """The p-value of a bet on clusters without failed labels, given their weights (clusters,) as shares of the
    heaviest.

    1 if one is heavier than that."""
    if float(mass.max(initial=0.0)) > 1 + 1e-9:
        return 1.0
    kinds, counts = np.unique(mass, return_counts=True)
    return _bets_p((np.zeros(len(kinds)), kinds, counts), error)


_Kinds = tuple[Floats, Floats, Ints]


def _kinds(failed: Bools, weights: Floats | None, clusters: Codes | None, stakes: Stakes) -> _Kinds | None:
    """The distinct pairs of failed and total weight of a cluster, as shares of the heaviest, with their counts.

    None if nothing can be staked."""
    lost, mass = cluster_sums(failed, weights, clusters, cap=stakes.cap)
    limit = stakes.limit
    if limit is None or float(mass.max()) > limit * (1 + 1e-9):
        return None
    kinds, counts = np.unique(lost + 1j * mass, return_counts=True)
    return kinds.real / limit, kinds.imag / limit, counts


def _bets_p(kinds: _Kinds | None, error: float) -> float:
    if kinds is None:
        return 1.0
    lost, mass, counts = kinds
    steps = np.log1p(-BETS[:, None] * (lost - error * mass) / (1 - error)) @ counts
    return min(1.0, 1 / float(np.mean(np.exp(np.minimum(steps, _MOST)))))
