"""Whether the share of failures among accepted answers is shown to be at most ε: p-values and upper bounds.

Equal and independent labels have the exact binomial test. Labels drawn with unequal probabilities, or clusters of them,
have a betting test: its capital has an expectation of at most 1 as long as the share is ε or more, whatever the
weights and however the labels of one cluster depend on one another.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Bools, Codes, Floats
from core.statistics.clusters import case_codes

BETS: Floats = (np.arange(50) + 0.5) / 50
"""Fractions of the most that can be staked; the capital is the mean over them, so that no order of labels counts."""
_STEPS = 40


def error_p_value(
    failed: Bools, error: float, *, weights: Floats | None = None, clusters: Codes | None = None
) -> float:
    """The p-value of “the share of failures is `error` or more”, from accepted labelled answers (n,); 1 for none.

    `weights` (n,) are inverses of the probabilities with which they were drawn, `clusters` (n,) name what is
    independent of one another.
    Sources: Angelopoulos, Bates, Candès, Jordan & Lei 2021, Learn then Test, section 3.2, for the binomial test of
    binary losses; Waudby-Smith & Ramdas 2024, Estimating means of bounded random variables by betting, for the other.
    """
    from scipy.special import bdtr

    if len(failed) == 0:
        return 1.0
    codes, unequal = case_codes(clusters), _unequal(weights)
    if codes is None and unequal is None:
        return float(bdtr(int(failed.sum()), len(failed), error))
    lost, mass = _units(failed, unequal, codes)
    largest = float(mass.max())
    steps = np.log1p(-BETS[:, None] * (lost - error * mass) / ((1 - error) * largest))
    return float(min(1.0, 1 / np.mean(np.exp(steps.sum(axis=1)))))


def error_bound(
    failed: Bools, confidence: float, *, weights: Floats | None = None, clusters: Codes | None = None
) -> float:
    """The upper confidence bound of the share of failures at one threshold that was chosen beforehand; 1 for no label.

    Clopper and Pearson's one-sided bound, or the least share that the betting test refuses.
    """
    from scipy.special import betaincinv

    n = len(failed)
    if n == 0 or bool(failed.all()):
        return 1.0
    if case_codes(clusters) is None and _unequal(weights) is None:
        misses = int(failed.sum())
        return float(betaincinv(misses + 1, n - misses, confidence))
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        refused = error_p_value(failed, middle, weights=weights, clusters=clusters) <= 1 - confidence
        low, high = (low, middle) if refused else (middle, high)
    return high


def _unequal(weights: Floats | None) -> Floats | None:
    return None if weights is None or float(weights.min()) == float(weights.max()) else weights


def _units(failed: Bools, weights: Floats | None, codes: Codes | None) -> tuple[Floats, Floats]:
    """The weight of failures, and of all labels, of each cluster."""
    w = np.ones(len(failed)) if weights is None else weights
    number = np.arange(len(failed)) if codes is None else codes
    lost = np.asarray(np.bincount(number, weights=w * failed), dtype=np.float64)
    return lost, np.asarray(np.bincount(number, weights=w), dtype=np.float64)
