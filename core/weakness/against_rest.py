"""Every slice of a table compared with the rest of the run: p, and intervals of the difference and the effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.weakness.comparison import Moments, differences_from_rest, hedges_g, moments, rest_of
from hcat.core.weakness.fisher import fisher_p, newcombe_bounds
from hcat.core.weakness.membership import Partition
from hcat.core.weakness.permutation import permutation_tests


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Each of k slices against the rest: difference of means with its interval, two-sided p, Hedges' g with its
    interval; NaN where not comparable."""

    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    effect: Floats
    effect_low: Floats
    effect_high: Floats


def against_rest(
    values: Floats,
    partitions: Sequence[Partition],
    *,
    cases: Codes | None = None,
    weights: Floats | None = None,
    level: float = 0.95,
) -> list[Comparison]:
    """Compare each tested slice of each partition with all other values (N,); none of them is NaN.

    By permutation (see `permutation_tests`). Values that are but two, each of a test case of its own, take Fisher's
    exact test, which is that permutation test with all permutations, and Newcombe's interval. By `weights` (N,) means
    are Hájek's; effects, which have no weighted form here, are NaN.
    """
    independent = None if cases is None or int(np.bincount(cases).max(initial=0)) <= 1 else cases
    levels = np.unique(values)
    if len(levels) == 2 and independent is None and weights is None:
        return [_of_two(values == levels[1], float(levels[1] - levels[0]), part, level=level) for part in partitions]
    numbers = None if independent is None else np.unique(independent, return_inverse=True)[1]
    tests = permutation_tests(values, partitions, cases=numbers, weights=weights, level=level)
    compared = []
    for part, test in zip(partitions, tests, strict=True):
        low, high = (test.low, test.high) if len(levels) > 1 else (np.full(len(test.p), np.nan),) * 2
        if weights is not None:
            none = np.full(len(test.p), np.nan)
            compared.append(Comparison(test.difference, low, high, test.p, none, none, none))
            continue
        of = moments(values, part.codes, slices=len(part.tested))
        compared.append(with_effect(of, rest_of(values, of), part.tested, test.p, low, high))
    return compared


def _of_two(hits: Bools, step: float, part: Partition, *, level: float) -> Comparison:
    shares = hits.astype(np.float64)
    of = moments(shares, part.codes, slices=len(part.tested))
    rest = rest_of(shares, of)
    p = np.full(len(of.n), np.nan)
    counts = np.bincount(part.codes[hits], minlength=len(of.n))[part.tested]
    p[part.tested] = fisher_p(counts, of.n[part.tested], len(hits), int(hits.sum()))
    low, high = newcombe_bounds(of, rest, level=level)
    by_share = with_effect(of, rest, part.tested, p, low, high)
    return Comparison(
        by_share.difference * step,
        by_share.low * step,
        by_share.high * step,
        p,
        by_share.effect,
        by_share.effect_low,
        by_share.effect_high,
    )


def with_effect(of: Moments, rest: Moments, tested: Bools, p: Floats, low: Floats, high: Floats) -> Comparison:
    """The comparison of these slices with the rest, by p and the ends of the difference.

    Ends of g: those of the difference in the same unit, with the error of that unit, g²/2 by its degrees of freedom,
    added in squares to each side (MOVER, Zou & Donner 2008)."""
    difference = differences_from_rest(of, rest)
    effect = hedges_g(difference, of, rest, tested)
    low, high = np.where(tested, low, np.nan), np.where(tested, high, np.nan)
    ends = [hedges_g(end, of, rest, tested) for end in (low, high)]
    unit = effect**2 / (2 * np.maximum(of.n + rest.n - 2, 1))
    below, above = (np.sqrt((effect - end) ** 2 + unit) for end in ends)
    return Comparison(difference, low, high, p, effect, effect - below, effect + above)
