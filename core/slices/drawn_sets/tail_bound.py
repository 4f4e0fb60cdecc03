"""Upper bound on the probability of a mean of some of the values, for means that no drawn permutation came near."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats

_LARGEST_EXPONENT = 500.0
_BINS, _TILTS, _SMALLEST_TILT, _AT_ONCE = 4096, 1024, 1e-4, 2048
_FEW, _MOST_WEIGHTS = 512, 16


def weighted_tail_bound(values: Floats, weights: Floats) -> float:
    """Upper bound on the probability that Σ w v is at most 0, for positive weights (n,) and values that a random
    permutation of all (N,) assigns to them.

    Permuted values are negatively associated (Joag-Dev & Proschan 1983), so that the moment generating function of the
    sum is at most the product of those of its terms; then Chernoff's bound. log E exp(t v) is convex in t: between
    points of a grid its chord lies above it, and so do the chords between 16 weights that represent all.
    """
    tilts, exponent = _exponents(values)
    place, number = _on_a_grid(weights / weights.max())
    scale = tilts[::4]
    each = np.interp(-np.outer(scale, place), -np.append(0.0, tilts), np.append(0.0, exponent))
    return float(np.exp(max(float((each @ number).min(initial=0.0)), -700.0)))


def _exponents(values: Floats) -> tuple[Floats, Floats]:
    """Decreasing tilts below 0, and an upper bound of log E exp(tilt · value) at each. It comes from bins of equal
    width, whose values are moved to its ends so that their mean stays."""
    least, width = float(values.min()), max(float(np.ptp(values)) / _FEW, 1e-300)
    place = np.minimum(((values - least) / width).astype(np.intp), _FEW - 1)
    number = np.bincount(place, minlength=_FEW)
    moved = np.bincount(place, weights=values - least, minlength=_FEW) / width
    above = np.clip(moved - number * np.arange(_FEW), 0, None)
    weights = np.append(number - above, 0.0) + np.append(0.0, above)
    points = width * np.arange(_FEW + 1)
    tilts = -np.geomspace(_SMALLEST_TILT / points[-1], _LARGEST_EXPONENT / points[-1], _FEW)
    with np.errstate(divide="ignore"):
        level = np.log(np.exp(np.outer(tilts, points)) @ np.maximum(weights / len(values), 0.0))
    return tilts, level + tilts * least


def _on_a_grid(weights: Floats) -> tuple[Floats, Floats]:
    """A few weights that represent all (n,), and the number of weights that each represents."""
    distinct, number = np.unique(weights, return_counts=True)
    if len(distinct) <= _MOST_WEIGHTS:
        return distinct, number.astype(np.float64)
    grid = np.geomspace(distinct[0], distinct[-1], _MOST_WEIGHTS)
    above = np.clip(np.searchsorted(grid, distinct), 1, _MOST_WEIGHTS - 1)
    share = np.clip((distinct - grid[above - 1]) / (grid[above] - grid[above - 1]), 0.0, 1.0)
    at_end = np.bincount(above, weights=share * number, minlength=_MOST_WEIGHTS)
    at_start = np.bincount(above - 1, weights=(1 - share) * number, minlength=_MOST_WEIGHTS)
    return grid, (at_end + at_start).astype(np.float64)


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
        """At least the chance that the mean of n of the values, drawn without replacement, is at most `mean` (k,).

        Chernoff's bound of the mean drawn with replacement, which by Hoeffding's theorem 4 also holds without. It is a
        bound whatever the tilt: the best of a row of tilts. Source: Hoeffding 1963.
        """
        tilts = -np.geomspace(_SMALLEST_TILT, _LARGEST_EXPONENT / max(self._range, 1e-12), _TILTS)
        level = np.concatenate(
            [np.log(np.exp(np.outer(part, self._above)) @ self._weights) for part in np.array_split(tilts, 16)]
        )
        exponent = np.zeros(len(mean))
        for places in np.array_split(np.arange(len(mean)), -(-len(mean) // _AT_ONCE) or 1):
            above = (mean[places] - self._least)[:, None]
            exponent[places] = np.minimum((level[None, :] - tilts[None, :] * above).min(axis=1, initial=0.0), 0.0)
        return np.asarray(np.exp(np.maximum(n * exponent, -700.0)), dtype=np.float64)
