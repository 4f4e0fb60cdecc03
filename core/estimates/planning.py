"""The number of labels that a question needs, before labelling starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from hcat.core.calibration.conformal.threshold import conformal_quantile
from hcat.core.errors import HcatError
from hcat.core.statistics.effective_n import rate_interval, wilson_bounds
from hcat.core.statistics.partition import SHARES

MOST = 10_000_000
SURE = 0.95
"""Required probability that every split gets enough labels."""
SURE_OF_WIDTH = 0.9
"""Required probability that an interval is as narrow as planned."""


Goal = Literal["width", "difference", "thresholds"]


@dataclass(frozen=True, slots=True)
class ThresholdNeed:
    """The labels that conformal thresholds need: `labels` each, of which a hash assigns `share`, and so `total` in all.

    With `by_cluster`, all are numbers of clusters, of which one label counts: those of one cluster have one hash."""

    labels: int
    share: float
    total: int
    by_cluster: bool = False


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """The labels needed in all, and those still missing.

    `reachable` is False if no number of labels is enough: then `needed` is the largest possible number, and
    `attainable` the width or the difference at it. `in_half` are the labels that are enough in about half of draws, if
    `needed` are enough in more of them."""

    goal: Goal
    needed: int
    more: int
    reachable: bool
    attainable: float = math.nan
    threshold: ThresholdNeed | None = None
    in_half: int | None = None


def labels_for_width(
    width: float,
    *,
    rate: float = 0.5,
    quality: float = 0.0,
    samples: int | None = None,
    have: int = 0,
    efficiency: float = 1.0,
    n_all: float | None = None,
    level: float = 0.95,
    sure: float = 0.5,
    now: float | None = None,
    least_efficiency: float | None = None,
) -> LabelPlan:
    """The number of randomly drawn labels for an interval of a pass rate of this total `width`.

    `rate` is the expected pass rate, 0.5 being the worst; `quality` the share of the variance of labels that the metric
    explains, R² in [0, 1) (0: labels only); `samples` the size N of the run, None for an infinite run; `efficiency` and
    `n_all` are those of `effective_n`, at which Wilson's interval is computed: for plain samples that is PPI++'s
    variance, rate · (1 − rate) · ((1 − R²)/n + R²/N). With all N samples labelled the interval is as narrow as the run
    allows. Source: Angelopoulos, Duchi & Zrnic 2023, section 6.

    That number is enough in about half of draws, since the observed rate may be nearer 0.5. `sure` in [0.5, 1) asks for
    labels that are enough with that probability: the observed rate is then as near 0.5 as its error allows, from labels
    of effective n `now` on (None: from a known rate), and the efficiency of a label is `least_efficiency`, the bound of
    `efficiency` at the same probability. Both errors are added as independent ones."""
    if not 0 < width < 1 or not 0 <= rate <= 1 or not 0 <= quality < 1 or not 0.5 <= sure < 1:
        raise HcatError(
            "a plan needs a width in (0, 1), a rate in [0, 1], a quality in [0, 1) and a probability in [0.5, 1)"
        )
    most = MOST if samples is None else samples
    efficiency, least_efficiency = efficiency / (1 - quality), (least_efficiency or efficiency) / (1 - quality)

    def typical(n: int) -> float:
        return _wilson_width(rate, effective_n(n, efficiency=efficiency, samples=samples, n_all=n_all), level)

    def wide(n: int) -> float:
        expected, n_effective = typical(n), effective_n(n, efficiency=efficiency, samples=samples, n_all=n_all)
        by_rate = _wilson_width(_nearest_half(rate, n_effective, now, sure), n_effective, level)
        by_efficiency = _wilson_width(
            rate, effective_n(n, efficiency=least_efficiency, samples=samples, n_all=n_all), level
        )
        return expected + math.hypot(by_rate - expected, by_efficiency - expected)

    in_half = _least(typical, width, most)
    needed = in_half if sure == 0.5 else _least(wide, width, most)
    if needed is None:
        reach = (typical if sure == 0.5 else wide)(most) if most >= 1 else math.nan
        return LabelPlan("width", most, max(0, most - have), reachable=False, attainable=reach, in_half=in_half)
    return LabelPlan("width", needed, max(0, needed - have), reachable=True, in_half=in_half)


def _least(width_of: Callable[[int], float], width: float, most: int) -> int | None:
    """The least number of labels, up to `most`, with an interval at most this wide; None if even `most` are not
    enough."""
    if most < 1 or width_of(most) > width:
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if width_of(middle) <= width else (middle, high)
    return high


def _nearest_half(rate: float, n_effective: float, now: float | None, sure: float) -> float:
    """The rate nearest 0.5 that labels of this effective n may show, if the current ones have the effective n `now`."""
    left = 1 / n_effective if now is None else 1 / now - 1 / n_effective
    if sure == 0.5 or left <= 0:
        return rate
    found = rate_interval(rate, 1 / left, n=0, level=2 * sure - 1, method="")
    return min(found.high, 0.5) if rate < 0.5 else max(found.low, 0.5)


def effective_n(n: int, *, efficiency: float = 1.0, samples: int | None = None, n_all: float | None = None) -> float:
    """The effective n of n labels: 1 / (1/n_all + (1/n − 1/N) / efficiency), which ends at `n_all` with all N labelled.

    `efficiency` is the efficiency of a label relative to a plain random one: above 1 by strata or a metric, below 1 by
    unequal weights. `n_all` is less than N, the number of `samples`, if clusters have several samples. For random
    samples, or whole clusters, the variance is linear in 1/n between the current one and that end. For an infinite run
    it is efficiency · n. Source: Särndal, Swensson & Wretman 1992, sections 3.3 and 3.7."""
    if not 0 < efficiency < math.inf:
        raise HcatError("the worth of a label relative to a simple random one must be a positive number")
    if samples is None:
        return efficiency * n
    if samples < 1:
        return 0.0
    return 1 / (1 / (n_all or samples) + max(1 / n - 1 / samples, 0.0) / efficiency)


def labels_for_difference(
    difference: float,
    *,
    rates: tuple[float, float],
    correlation: float = 0.0,
    quality: float = 0.0,
    power: float = 0.8,
    have: int = 0,
    samples: int | None = None,
    efficiency: float = 1.0,
    n_all: float | None = None,
    level: float = 0.95,
) -> LabelPlan:
    """The number of clusters to label on both runs to find a true difference of this size with this power.

    `rates` are the expected pass rates, `correlation` that of the two labels of a cluster (0 is conservative),
    `quality` the share of the variance of their difference that the metric explains, `samples`, `efficiency` and
    `n_all` as in `effective_n`. The effective n is ((z₁ + z₂)² · variance / difference²), with the variance of the
    difference of two paired outcomes, and two more labels are for the t quantile. Source: Fleiss, Levin & Paik 2003,
    section 13.4.2, without the null variance."""
    from scipy.special import ndtri

    first, second = rates
    if difference == 0 or not 0 <= first <= 1 or not 0 <= second <= 1 or not -1 <= correlation <= 1:
        raise HcatError("a plan needs a difference other than 0, rates in [0, 1] and a correlation in [−1, 1]")
    if not 0 < power < 1 or not 0 <= quality < 1:
        raise HcatError("a plan needs a power in (0, 1) and a quality in [0, 1)")
    spreads = [rate * (1 - rate) for rate in rates]
    variance = max(sum(spreads) - 2 * correlation * math.sqrt(spreads[0] * spreads[1]), 0.0)
    reach = float(ndtri(0.5 + level / 2)) + float(ndtri(power))
    needed = (
        _labels_for_effective_n(reach**2 * variance / difference**2, efficiency / (1 - quality), samples, n_all) + 2
    )
    if samples is None or needed <= samples:
        return LabelPlan("difference", int(needed), max(0, int(needed) - have), reachable=True)
    detectable = reach * math.sqrt(variance / (n_all or samples or math.nan))
    return LabelPlan("difference", samples, max(0, samples - have), reachable=False, attainable=detectable)


def _labels_for_effective_n(n_effective: float, efficiency: float, samples: int | None, n_all: float | None) -> float:
    """The least number of labels with at least this effective n, before all samples are labelled; infinite if there is
    none."""
    if effective_n(1, efficiency=efficiency, samples=samples, n_all=n_all) >= n_effective:
        return 1
    if samples is None:
        return math.ceil(n_effective / efficiency)
    if effective_n(samples, samples=samples, n_all=n_all) < n_effective:
        return math.inf
    return math.ceil(1 / ((1 / n_effective - 1 / (n_all or samples)) * efficiency + 1 / samples))


def labels_for_conformal(
    alpha: float,
    *,
    shares: Mapping[str, float] | None = None,
    tolerance: float | None = None,
    split: float = SHARES["conformal"],
    have: int = 0,
    samples: int | None = None,
    by_cluster: bool = False,
) -> LabelPlan:
    """The total number of labels, of which a hash assigns `split` to the threshold, to set it with probability 0.95.

    `shares` are those of groups (or classes) that each get a threshold of their own. Without `tolerance` each needs
    ⌈1/α⌉ − 1 labels, since with fewer every set is full. With it, each needs enough labels that the coverage given
    these very labels, which is Beta(n + 1 − l, l) with l = ⌊(n + 1)α⌋, is at least 1 − α − tolerance with probability
    0.95. Groups share the remaining 0.05 (Bonferroni). No more than `samples` can be labelled. With `by_cluster`,
    `have`, `samples` and the result count clusters. Source: Vovk 2012, Conditional Validity of Inductive Conformal
    Predictors, proposition 2a."""
    groups = dict(shares) if shares else {"all": 1.0}
    if any(not 0 < share <= 1 for share in groups.values()) or not 0 < split <= 1:
        raise HcatError("shares of groups, and that of the split, must lie in (0, 1]")
    each = conformal_quantile([], alpha=alpha).needed if tolerance is None else _for_tolerance(alpha, tolerance)
    sure = 1 - (1 - SURE) / len(groups)
    needed = max(_total_for(each, split * share, sure) for share in groups.values())
    need = ThresholdNeed(each, split, needed, by_cluster)
    if samples is not None and needed > samples:
        return LabelPlan("thresholds", samples, max(0, samples - have), reachable=False, threshold=need)
    return LabelPlan("thresholds", needed, max(0, needed - have), reachable=True, threshold=need)


def _for_tolerance(alpha: float, tolerance: float) -> int:
    if not 0 < tolerance < 1 - alpha:
        raise HcatError("the tolerance is how far coverage may fall below 1 − α, such as 0.05")
    # The bound moves in steps of n, and not always down: a stretch of n that all hold is asked for.
    n, streak = conformal_quantile([], alpha=alpha).needed, 0
    stretch = math.ceil(1 / alpha) + 1
    while streak < stretch:
        streak = streak + 1 if _holds(n, alpha, tolerance) else 0
        n += 1
        if n > MOST:
            raise HcatError("no number of labels gives this tolerance")
    return n - stretch


def _holds(n: int, alpha: float, tolerance: float) -> bool:
    from scipy.special import betainc

    below = math.floor((n + 1) * alpha + 1e-9)
    return below >= 1 and float(betainc(n + 1 - below, below, 1 - alpha - tolerance)) <= 1 - SURE


def _total_for(each: int, share: float, sure: float) -> int:
    """The smallest total of which at least `each` fall into a part of this share with probability `sure`."""
    from scipy.special import bdtrc

    low, high = each - 1, each
    while float(bdtrc(each - 1, high, share)) < sure:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if float(bdtrc(each - 1, middle, share)) >= sure else (middle, high)
    return high


def _wilson_width(rate: float, n: float, level: float) -> float:
    low, high = wilson_bounds(rate, n, level)
    return high - low
