"""How improbable a mean of some of the values is at most: where no permutation drawn came near it."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats

_STEPS = 40
_LARGEST_EXPONENT = 500.0


def lower_tail_bound(values: Floats, n: Floats, mean: Floats) -> Floats:
    """At least the chance that the mean of n of the values (N,), drawn without replacement, is at most `mean` (k,).

    Chernoff's bound of the mean drawn with replacement, which by Hoeffding's theorem 4 also holds without. It is a
    bound whatever the tilt; Newton's steps look for the least. Source: Hoeffding 1963.
    """
    exponent, tilt = np.zeros(len(mean)), np.zeros(len(mean))
    least = -_LARGEST_EXPONENT / np.maximum(np.maximum(values.max() - mean, mean - values.min()), 1e-12)
    for _ in range(_STEPS):
        weights = np.exp(tilt[:, None] * (values[None, :] - mean[:, None]))
        level = weights.mean(axis=1)
        exponent = np.minimum(exponent, np.where(tilt <= 0, np.log(level), 0.0))
        slope = (weights @ values) / weights.sum(axis=1) - mean
        curvature = (weights @ values**2) / weights.sum(axis=1) - (slope + mean) ** 2
        tilt = np.clip(tilt - slope / np.maximum(curvature, 1e-12), np.maximum(tilt - 4, least), tilt + 4)
    return np.asarray(np.exp(np.maximum(n * exponent, -700.0)), dtype=np.float64)
