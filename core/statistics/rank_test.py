"""Mann and Whitney's test of whether passed samples score higher, by the permutation distribution far into its tail."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.statistics.clusters import case_codes

Alternative = Literal["higher", "lower", "either"]

EXACT_SIZE = 500_000
"""The most additions for which the distribution is computed exactly; beyond, it is approximated."""
PICKS = 25
_STEPS = 60
_CLOSE = 1e-9


def mann_whitney_p(
    score: ArrayLike, passed: ArrayLike, *, alternative: Alternative = "higher", clusters: ArrayLike | None = None
) -> float:
    """p-value of "labels are independent of the score" against passes that score higher, lower, or either.

    `score` (n,) finite, `passed` (n,). The sum of the passes' midranks is compared with all permutations of the labels:
    exactly if that is cheap, else by the double saddlepoint approximation with a continuity correction. Its relative
    error stays small in the tails, unlike that of the normal approximation. 1 if all labels agree. `clusters` (n,) name
    the test case of each: if one has several samples, one of each is picked, 25 times over, and the result is twice the
    median p, which is valid for any dependence within test cases. Source: Mann & Whitney 1947; Davison 1988 and
    Skovgaard 1987 for the saddlepoint; Rüger 1978 for twice the median."""
    s, y = np.asarray(score, dtype=np.float64), np.asarray(passed, dtype=bool)
    codes = case_codes(clusters)
    if codes is None:
        return _of_independent(s, y, alternative)
    order = np.lexsort((y, s))  # so that neither names nor the order of rows choose
    s, y, codes = s[order], y[order], codes[order]
    picks = [_one_of_each(codes, np.random.default_rng(pick)) for pick in range(PICKS)]
    return min(1.0, 2 * float(np.median([_of_independent(s[rows], y[rows], alternative) for rows in picks])))


def _one_of_each(codes: Ints, generator: np.random.Generator) -> Ints:
    order = generator.permutation(len(codes))
    return order[np.unique(codes[order], return_index=True)[1]]


def _of_independent(s: Floats, y: Bools, alternative: Alternative) -> float:
    if alternative == "either":
        return min(1.0, 2 * min(_of_independent(s, y, "higher"), _of_independent(s, y, "lower")))
    if y.all() or not y.any():
        return 1.0
    ranks = doubled_midranks(s if alternative == "higher" else -s)
    # For the smaller side: the passes' ranks are high exactly if the fails' are low.
    if 2 * int(y.sum()) <= len(y):
        return subset_sum_tail(ranks, int(y.sum()), int(ranks[y].sum()))
    turned = 2 * (len(ranks) + 1) - ranks
    return subset_sum_tail(turned, int((~y).sum()), int(turned[~y].sum()))


def doubled_midranks(score: Floats) -> Ints:
    """Twice the midranks of scores (n,), whole numbers from 2 to 2n."""
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return np.asarray((2 * ends - count + 1)[place], dtype=np.intp)


def subset_sum_tail(values: Ints, size: int, total: int) -> float:
    """The probability that `size` of these integers (n,), drawn without replacement, sum to `total` or more."""
    lowest = np.sort(values)
    most = int(lowest[-size:].sum())
    if total <= int(lowest[:size].sum()):
        return 1.0
    if total >= most:
        return _of_the_largest(lowest, size)
    step = int(np.gcd.reduce(np.diff(np.unique(values))))
    units = (values - int(lowest[0])) // step
    reach = -(-(total - size * int(lowest[0])) // step)  # so many steps above the least, at least
    # Sums above the total are counted from the top: the smaller part of the distribution.
    top = int(np.sort(units)[-size:].sum())
    below_top = int(units.max()) - units
    slack = int(units.max()) * size - reach
    if len(values) * size * (slack + 1) <= EXACT_SIZE:
        return _counted(below_top, size, slack)
    return _approximated(units.astype(np.float64), size, float(min(reach, top)))


def _of_the_largest(ascending: Ints, size: int) -> float:
    """The probability of drawing the largest values, of which some equal ones may be left out."""
    edge = ascending[-size]
    equal, above = int((ascending == edge).sum()), int((ascending > edge).sum())
    log = _log_choose(equal, size - above) - _log_choose(len(ascending), size)
    return math.exp(log)


def _counted(distances: Ints, size: int, slack: int) -> float:
    """The probability that the distances of `size` draws from the largest value sum to `slack` or less."""
    ways = np.zeros((size + 1, slack + 1))
    ways[0, 0] = 1.0
    for n, distance in enumerate(distances.tolist(), start=1):
        # Chances instead of counts, which would not fit a float: each draw keeps its share.
        if distance <= slack:
            ways[1:, distance:] += ways[:-1, : slack + 1 - distance].copy()
        if n % 64 == 0:
            ways *= 2.0**-64
    scale = 64 * math.log(2) * (len(distances) // 64)
    found = float(ways[size].sum())
    return min(1.0, math.exp(math.log(found) + scale - _log_choose(len(distances), size))) if found > 0 else 0.0


def _approximated(units: Floats, size: int, reach: float) -> float:
    """Skovgaard's double saddlepoint approximation of P(sum ≥ reach), for a sum of integers.

    The draw is that of independent 0/1 variables with equal odds, given how many are 1. The saddlepoint is the fit of a
    logistic regression on the values, whose score equations hold half a step below `reach`."""
    from scipy.special import ndtr

    n, target = len(units), reach - 0.5
    centre, scale = float(units.mean()), float(units.std())
    x = (units - centre) / scale
    goal = (target - size * centre) / scale
    share = size / n
    free = math.log(share / (1 - share))
    if abs(goal) < 1e-12 * n:
        return 0.5
    base, slope, information = _saddlepoint(x, size, goal, free)
    if not math.isfinite(slope):
        return _of_the_largest(np.sort(units.astype(np.intp)), size)
    log_mass = float(np.logaddexp(0.0, base + slope * x).sum())
    tilted = size * base + goal * slope - log_mass
    untilted = size * free - n * math.log1p(math.exp(free))
    w = math.copysign(math.sqrt(max(2 * (tilted - untilted), 0.0)), slope)
    per_unit = slope / scale
    u = 2 * math.sinh(per_unit / 2) * scale * math.sqrt(information / (n * share * (1 - share)))
    if abs(w) < 1e-4 or u == 0:
        return 0.5
    tail = float(ndtr(-w)) + math.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)
    return min(max(tail, 0.0), 1.0)


def _saddlepoint(x: Floats, size: int, goal: float, start: float) -> tuple[float, float, float]:
    """The base and slope of the tilted odds for `size` draws with the sum `goal`, and the information's determinant.

    The slope is infinite if no odds have that sum."""
    base, slope = start, 0.0
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(base + slope * x)))
        v = p * (1 - p)
        gradient = np.array([size - p.sum(), goal - p @ x])
        hessian = np.array([[v.sum(), v @ x], [v @ x, v @ (x * x)]])
        determinant = float(np.linalg.det(hessian))
        if determinant <= 0:
            return base, math.inf, 0.0
        step = np.linalg.solve(hessian, gradient)
        largest = float(np.abs(step).max())
        step *= min(1.0, 2.0 / largest) if largest > 0 else 1.0
        base, slope = base + float(step[0]), slope + float(step[1])
        if largest < _CLOSE:
            return base, slope, determinant
    return base, math.inf if abs(slope) > 1e3 else slope, determinant


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
