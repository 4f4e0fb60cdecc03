"""How improbable a mean of some of the values is at most: where no permutation drawn came near it."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats

_STEPS = 40
_LARGEST_EXPONENT = 500.0
_BINS, _TILTS, _SMALLEST_TILT, _AT_ONCE = 4096, 1024, 1e-4, 2048


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


class Population:
    """The values (N,) of a large run, rising, in bins of as many each: a bound of tails costs no pass over them.

    Of a bin the ends and the mean are known. exp is convex, so that weights at the two ends with that mean give at
    least the mean of exp over the bin: what follows is a bound all the same.
    """

    def __init__(self, ordered: Floats) -> None:
        cuts = np.linspace(0, len(ordered), min(_BINS, len(ordered)) + 1).astype(np.intp)
        low, high, sizes = ordered[cuts[:-1]], ordered[cuts[1:] - 1], np.diff(cuts)
        mean = np.clip(np.add.reduceat(ordered, cuts[:-1]) / sizes, low, high)
        upper = np.where(high > low, (mean - low) / np.where(high > low, high - low, 1.0), 0.0)
        points, weights = np.concatenate([low, high]), np.concatenate([(1 - upper) * sizes, upper * sizes])
        self._least, self._range = float(ordered[0]), float(ordered[-1] - ordered[0])
        self._above, self._weights = points - self._least, weights / len(ordered)

    def lower_tail_bound(self, n: Floats, mean: Floats) -> Floats:
        """As the function of this name, at the best of a row of tilts."""
        tilts = -np.geomspace(_SMALLEST_TILT, _LARGEST_EXPONENT / max(self._range, 1e-12), _TILTS)
        level = np.concatenate(
            [np.log(np.exp(np.outer(part, self._above)) @ self._weights) for part in np.array_split(tilts, 16)]
        )
        exponent = np.zeros(len(mean))
        for places in np.array_split(np.arange(len(mean)), -(-len(mean) // _AT_ONCE) or 1):
            above = (mean[places] - self._least)[:, None]
            exponent[places] = np.minimum((level[None, :] - tilts[None, :] * above).min(axis=1, initial=0.0), 0.0)
        return np.asarray(np.exp(np.maximum(n * exponent, -700.0)), dtype=np.float64)
