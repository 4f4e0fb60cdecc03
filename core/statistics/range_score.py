"""The normal score of a sum of clusters, under the most likely distribution within the range with the expected sum."""

from __future__ import annotations

import math

from hcat.core.arrays import Floats

FURTHEST = 38.0
"""The normal score beyond which a float can't represent the probability."""
_STEPS = 60
_PRECISE = 1e-12
_NO_SKEWNESS = 1e-4


def score_in_range(moved: Floats, times: Floats, unseen: tuple[float, float], none_at_end: float) -> float:
    """The normal score of a sum of clusters with expectation 0; `unseen` is what unobserved clusters would add."""
    from scipy.special import gammaincc

    total = float(times @ moved)
    if total == 0:
        return 0.0
    sign = math.copysign(1.0, total)
    u, end = -sign * moved, unseen[1] if sign < 0 else -unseen[0]  # the sum is below 0, what was missed above
    g = float(times.sum())
    likeliest, at_end = likeliest_at(u, times, end)
    second, third = (g * (float(times * likeliest @ u**power) + at_end * end**power) for power in (2, 3))
    if third < -_NO_SKEWNESS * second**1.5:
        return sign * _away_from_skewness(abs(total), second * g / (g - 1), -third, g)
    variance = max(second, float(times @ u**2))
    z, skewness = abs(total) / math.sqrt(variance), third / variance**1.5
    if skewness > _NO_SKEWNESS:
        expected = 1 / skewness**2
        seen = expected - z / skewness
        p = float(gammaincc(seen + 1, expected)) if seen > -1 else 0.0
        z = _normal_score(max(p, none_at_end))
    return sign * min(z, FURTHEST)


def _away_from_skewness(total: float, variance: float, third: float, g: float) -> float:
    """The normal score if the tail is the long one.

    First by Student's t, since the variance is estimated from g clusters, then by the tail of a Poisson number."""
    from scipy.special import gammainc, stdtr

    z, skewness = _normal_score(float(stdtr(g - 1, -total / math.sqrt(variance)))), third / variance**1.5
    expected = 1 / skewness**2
    return _normal_score(float(gammainc(expected + z / skewness, expected)))


def _normal_score(p: float) -> float:
    from scipy.special import ndtri

    return min(-float(ndtri(p)), FURTHEST) if p > 0 else FURTHEST


def likeliest_at(u: Floats, times: Floats, end: float) -> tuple[Floats, float]:
    """The most likely probabilities of units u (k,), whose sum is below 0, if their mean were 0; and that of `end`.

    1 / (g (1 + s u)), with the s for which the mean is 0; if there is none, the remaining probability is at the end."""
    g, most = float(times.sum()), float(u.max())
    if end > most * (1 + _PRECISE):
        share = 1 / (g * (1 - u / end))
        if float(times @ (u * share)) <= 0:
            return share, max(1 - float(times @ share), 0.0)
    low, high, s = -1 / max(most, end), 0.0, 0.0
    for _ in range(_STEPS):
        part = u / (1 + s * u)
        slope = float(times @ part)
        low, high = (s, high) if slope > 0 else (low, s)
        step = s + slope / float(times @ part**2)
        step = step if low < step < high else (low + high) / 2
        if abs(step - s) <= -_PRECISE * low:
            break
        s = step
    return 1 / (g * (1 + s * u)), 0.0
